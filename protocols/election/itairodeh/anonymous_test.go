package itairodeh_test

import (
	"fmt"
	"reflect"
	"testing"

	"bullring/des"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/changroberts"
	"bullring/protocols/election/internal/electiontest"
	"bullring/protocols/election/itairodeh"
	"bullring/protocols/election/itairodeh/synchronous"
	"bullring/protocols/election/lcr"
	"bullring/protocols/election/peterson"
	"bullring/protocols/rounds"
)

// symmetric runs processes that begin alike in lock-step, and fails the test if the
// states of two of them differ at the end of any instant: then one may be the leader,
// and not the others. It returns whether they are, all of them.
func symmetric[M protocols.Message](t *testing.T, name string, n int, instants int, boot func() election.Process[M]) (leaders bool) {
	t.Helper()
	ps := make([]election.Process[M], n)
	net := netem.New(netem.Config{
		Topology: netem.Ring(n), Delay: des.Constant(electiontest.Unit), FIFO: true, MaxTime: des.Time(electiontest.Hops(instants)),
	}, func(id protocols.ID) protocols.Process[M] {
		ps[id] = boot()
		return ps[id]
	})
	looked := 0
	for k := range instants {
		net.Clock().AfterFunc(electiontest.Hops(k), func() {
			looked++
			for id, p := range ps {
				if !reflect.DeepEqual(p, ps[0]) {
					t.Fatalf("%s, n=%d, instant %d: process %d is in the state %+v, process 0 in %+v", name, n, k, id, p, ps[0])
				}
			}
		})
	}
	for id := range n {
		net.StartAt(protocols.ID(id), 0)
	}
	net.Run(t.Context())
	if looked == 0 {
		t.Fatalf("%s, n=%d: nobody looked", name, n)
	}
	return ps[0].Decision().Status == election.Leader
}

// D. Angluin 1980: on a ring without identities and without coins no algorithm elects
// one leader, for there is a schedule, all in step, in which all processes are in the
// same state for ever. So none becomes the leader, or all do.
func TestSymmetryIsNotBroken(t *testing.T) {
	equal := election.Rank{ID: 1}
	for n := 2; n <= 6; n++ {
		none := symmetric(t, "itairodeh", n, 20*n, func() election.Process[itairodeh.Message] {
			return itairodeh.New(itairodeh.Config{N: n, K: 1})
		}) || symmetric(t, "synchronous", n, 20*n, func() election.Process[rounds.Stamped[synchronous.Message]] {
			return electiontest.Lockstep(synchronous.New(synchronous.Config{N: n, NoCoins: true}))
		})
		if none {
			t.Errorf("n=%d: all are elected", n)
		}
		for name, all := range map[string]bool{
			"lcr": symmetric(t, "lcr", n, 20*n, func() election.Process[lcr.Message] {
				return lcr.New(equal, lcr.Config{Announce: true})
			}),
			"changroberts": symmetric(t, "changroberts", n, 20*n, func() election.Process[changroberts.Message] {
				return changroberts.New(equal, changroberts.Config{})
			}),
			"peterson": symmetric(t, "peterson", n, 20*n, func() election.Process[peterson.Message] {
				return peterson.New(equal, peterson.Config{})
			}),
		} {
			if !all {
				t.Errorf("%s, n=%d: with equal identities nobody is elected", name, n)
			}
		}
	}
}

// Coins break the symmetry, in the same schedule.
func TestCoinsBreakTheSymmetry(t *testing.T) {
	broken := 0
	for seed := range uint64(20) {
		res := run(t, itairodeh.Config{N: 4, K: 4}, electiontest.Network{Start: electiontest.All(4), Seed: seed})
		if res.Leaders == 1 {
			broken++
		}
	}
	if broken != 20 {
		t.Error(fmt.Sprint(broken, " of 20 runs elect one leader"))
	}
}

package timeslice_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"bullring/des"
	"bullring/internal/golden"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/internal/electiontest"
	"bullring/protocols/election/timeslice"
	"bullring/protocols/rounds"
)

// run elects among identities, listed in the direction of travel; all start.
func run(t *testing.T, ranks []election.Rank, nw electiontest.Network) electiontest.Result {
	t.Helper()
	nw.Topology, nw.Start = netem.Ring(len(ranks)), electiontest.All(len(ranks))
	return electiontest.Run(t, nw, func(id protocols.ID) election.Process[rounds.Stamped[timeslice.Message]] {
		return electiontest.Lockstep(timeslice.New(ranks[id].ID, len(ranks)))
	})
}

// Lynch 1996, section 3.5.1: n messages and n*u_min rounds, for every placement and
// whatever the identities; all know when the token is back.
func TestNMessages(t *testing.T) {
	for n := 1; n <= 6; n++ {
		for placed := range electiontest.Placements(n) {
			for _, least := range []int{1, 2, 7, 1000} {
				ranks := electiontest.Mirror(placed) // 1 at address 0
				for i := range ranks {
					ranks[i].ID += election.Identity(least - 1)
				}
				res := run(t, ranks, electiontest.Network{})
				if res.Total != n {
					t.Fatalf("%v: %d messages, want %d", ranks, res.Total, n)
				}
				if want := electiontest.Hops(n * least); res.Learnt != want || res.Quiet != want {
					t.Fatalf("%v: decided at %v, quiet at %v, want %v", ranks, res.Learnt, res.Quiet, want)
				}
				electiontest.WantLeader(t, res, ranks, nil, 0)
			}
		}
	}
}

// A token that comes early silences all the same.
func TestShorterDelays(t *testing.T) {
	ranks := electiontest.Ranks(2, 4, 3, 5)
	for _, delay := range []des.Distribution{des.Constant(0), des.Uniform(0, electiontest.Unit)} {
		for seed := range uint64(10) {
			res := run(t, ranks, electiontest.Network{Delay: delay, Seed: seed})
			if res.Total != 4 || res.Learnt > electiontest.Hops(8) {
				t.Fatalf("delay %v: %+v", delay, res)
			}
			electiontest.WantLeader(t, res, ranks, nil, 0)
		}
	}
}

// Synchrony is what it takes: with delays above the round, a process breaks the silence
// that is none.
func TestLongerDelays(t *testing.T) {
	res := run(t, electiontest.Ranks(1, 2, 3), electiontest.Network{Delay: des.Constant(4 * electiontest.Unit)})
	if res.Leaders < 2 {
		t.Errorf("%d leaders", res.Leaders)
	}
}

func TestMessage(t *testing.T) {
	m := timeslice.Message{Type: timeslice.Token, Rank: election.Rank{ID: 5}}
	if m.Kind() != 0 || !slices.Equal(m.Kinds(), []string{"TOKEN"}) || m.Bits() != 72 || m.String() != "TOKEN(5)" {
		t.Errorf("%v: kind %d of %v, %d bits", m, m.Kind(), m.Kinds(), m.Bits())
	}
	if forged := m.Forge(func(id int64) int64 { return id + 1 }); forged.Rank.ID != 6 {
		t.Errorf("forged: %v", forged)
	}
}

func TestNoRing(t *testing.T) {
	defer func() {
		if r := recover(); r == nil || !strings.Contains(fmt.Sprint(r), "a ring of 0") {
			t.Errorf("panic %v", r)
		}
	}()
	timeslice.New(1, 0)
}

func TestTrace(t *testing.T) {
	var trace bytes.Buffer
	run(t, electiontest.Ranks(4, 2, 5, 3), electiontest.Network{Trace: &trace})
	golden.Check(t, "ring4.txt", trace.Bytes())
}

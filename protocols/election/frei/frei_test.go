package frei_test

import (
	"bytes"
	"fmt"
	"math/big"
	"math/bits"
	"slices"
	"testing"

	"bullring/internal/golden"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/frei"
	"bullring/protocols/election/internal/electiontest"
)

// terminating runs frei. A pulse at a process that has terminated is an error.
func terminating(t *testing.T, ids []int, nw electiontest.Network) electiontest.Result {
	t.Helper()
	nw.Topology = netem.BiRing(len(ids))
	return electiontest.Run(t, nw, func(p protocols.ID) election.Process[frei.Both] {
		return &strict{frei.New(election.Identity(ids[p])), t}
	})
}

// strict is a process that must get no pulse after its end.
type strict struct {
	*frei.Process
	t *testing.T
}

func (s *strict) Receive(n protocols.Node[frei.Both], from protocols.ID, m frei.Both) {
	if s.Terminated() {
		s.t.Errorf("process %d has terminated, and a pulse arrives", n.ID())
	}
	s.Process.Receive(n, from, m)
}

// oneWay runs freistable, and returns its processes.
func oneWay(t *testing.T, ids []int, nw electiontest.Network) electiontest.Result {
	t.Helper()
	nw.Topology = netem.Ring(len(ids))
	return electiontest.Run(t, nw, func(p protocols.ID) election.Process[frei.One] { return frei.NewStable(election.Identity(ids[p])) })
}

// unoriented runs freiunoriented. The ports of process p are swapped if bit p of the mask is set.
func unoriented(t *testing.T, ids []int, swapped int, nw electiontest.Network) (electiontest.Result, []*frei.Unoriented) {
	t.Helper()
	nw.Topology = netem.BiRing(len(ids))
	all := make([]*frei.Unoriented, len(ids))
	res := electiontest.Run(t, nw, func(p protocols.ID) election.Process[frei.Both] {
		all[p] = frei.NewUnoriented(election.Identity(ids[p]), swapped>>p&1 == 1)
		return all[p]
	})
	return res, all
}

// rings yields every placement of identities on a ring of n, up to rotation: of 1..n and, on rings of up to three, of
// the odd numbers and of some that are far apart. The largest is at address 0.
func rings(n int, yield func(ids []int, largest int)) {
	sets := []func(rank int) int{
		func(rank int) int { return rank },
		func(rank int) int { return 2*rank - 1 },
		func(rank int) int { return rank*rank + 3 },
	}
	if n > 3 {
		sets = sets[:1]
	}
	for _, of := range sets {
		for ranks := range electiontest.Placements(n) {
			ids := make([]int, n)
			for p, r := range ranks {
				ids[p] = of(int(r.ID))
			}
			yield(ids, of(n))
		}
	}
}

// schedules yields constant delays, and random ones with every set of initiators.
func schedules(n int, yield func(electiontest.Network)) {
	yield(electiontest.Network{Start: electiontest.All(n)})
	for set := range electiontest.Subsets(n) {
		for nw := range electiontest.RandomDelays() {
			if nw.Start = set; len(set) > 0 {
				yield(nw)
			}
		}
	}
}

// The warm-up takes nM pulses, whatever the placement, the schedule and the initiators; at rest the process with
// the largest identity is the only leader.
func TestStable(t *testing.T) {
	for n := 1; n <= 4; n++ {
		rings(n, func(ids []int, largest int) {
			schedules(n, func(nw electiontest.Network) {
				res := oneWay(t, ids, nw)
				if want := n * largest; res.Total != want || res.Delivered != want {
					t.Fatalf("%v, %v start: %d pulses, %d delivered, want %d", ids, nw.Start, res.Total, res.Delivered, want)
				}
				wantOnly(t, ids, res)
			})
		})
	}
}

// Over all placements of 1..n, where all start at once and delays are constant, the warm-up takes n H_n delays on average:
// backwards from the last pulse one walks to the next process with an identity of m or more, for m from n to 1, and each of k
// processes is n/k from the next on average. On rings of up to eight it takes 2n-1 at least and n ceil(lg n) - 2^ceil(lg n) + n +
// 1 at most; for larger ones these two are a conjecture.
func TestStableTimes(t *testing.T) {
	for n := 1; n <= 8; n++ {
		var tally electiontest.Tally
		for ranks := range electiontest.Placements(n) {
			ids := make([]int, n)
			for p, r := range ranks {
				ids[p] = int(r.ID)
			}
			res := oneWay(t, ids, electiontest.Network{Start: electiontest.All(n)})
			tally.Add(int(res.Quiet / electiontest.Unit))
		}
		lg := bits.Len(uint(n - 1)) // rounded up
		mean := new(big.Rat).Mul(big.NewRat(int64(n), 1), electiontest.Harmonic(n, 1))
		if tally.Mean().Cmp(mean) != 0 || tally.Min() != 2*n-1 || tally.Max() != n*lg-1<<lg+n+1 {
			t.Errorf("n = %d: %v on average, from %d to %d, want %v", n, tally.Mean(), tally.Min(), tally.Max(), mean)
		}
	}
}

// wantOnly fails the test unless process 0 leads and no other does.
func wantOnly(t *testing.T, ids []int, res electiontest.Result) {
	t.Helper()
	for p, d := range res.Decisions {
		if (p == 0) != (d.Status == election.Leader) || p > 0 && d != (election.Decision{}) {
			t.Fatalf("%v: process %d is %v", ids, p, d)
		}
	}
}

// An election that terminates takes n(2M+1) pulses: nM with the ring, and n(M+1) against it. All know the leader, and no
// pulse arrives at a process that has terminated.
func TestTerminating(t *testing.T) {
	for n := 1; n <= 4; n++ {
		rings(n, func(ids []int, largest int) {
			schedules(n, func(nw electiontest.Network) {
				res := terminating(t, ids, nw)
				if want := []int{n * largest, n * (largest + 1)}; !slices.Equal(res.Sent, want) || res.Delivered != res.Total {
					t.Fatalf("%v, %v start: sent %v, delivered %d, want %v", ids, nw.Start, res.Sent, res.Delivered, want)
				}
				electiontest.WantLeader(t, res, electiontest.Ranks(ids...), nil, 0)
			})
		})
	}
}

// On a ring that is wired in any way the election takes n(2M+1) pulses, M one way and M+1 the other way a process.
// Its processes agree on which way is which: that of more pulses, which leaves the leader by its first port.
func TestUnoriented(t *testing.T) {
	for n := 1; n <= 4; n++ {
		rings(n, func(ids []int, largest int) {
			for swapped := range 1 << n {
				onward := election.Way(swapped & 1) // the port a of process 0
				want := []int{n * largest, n * largest}
				want[onward] += n
				schedules(n, func(nw electiontest.Network) {
					res, all := unoriented(t, ids, swapped, nw)
					if !slices.Equal(res.Sent, want) || res.Delivered != res.Total {
						t.Fatalf("%v, swapped %b, %v start: sent %v, want %v", ids, swapped, nw.Start, res.Sent, want)
					}
					wantOnly(t, ids, res)
					for p, u := range all {
						if u.Onward() != onward {
							t.Fatalf("%v, swapped %b: process %d orients the ring %v", ids, swapped, p, u.Onward())
						}
					}
				})
			}
		})
	}
}

// Before it is over others take themselves for the leader: under some schedule two of three at once.
func TestProvisional(t *testing.T) {
	leaders := 0
	for nw := range electiontest.RandomDelays() {
		nw.Start = electiontest.All(3)
		leaders = max(leaders, oneWay(t, []int{3, 2, 1}, nw).Leaders)
	}
	if leaders != 2 {
		t.Errorf("%d leaders at once at most", leaders)
	}
}

// A process that is awake sends nothing more when it is started again.
func TestStartedTwice(t *testing.T) {
	ids := []int{4, 2, 3, 1}
	again := electiontest.Network{Start: electiontest.All(4), Again: []electiontest.At{{ID: 0, Time: electiontest.Unit}, {ID: 2, Time: electiontest.Hops(1000)}}}
	if res := oneWay(t, ids, again); res.Total != 16 {
		t.Errorf("freistable sends %d", res.Total)
	}
	if res := terminating(t, ids, again); res.Total != 36 {
		t.Errorf("frei sends %d", res.Total)
	}
	if res, _ := unoriented(t, ids, 5, again); res.Total != 36 {
		t.Errorf("freiunoriented sends %d", res.Total)
	}
}

// Pulses have no content: nothing of one can be altered, and none has a bit.
func TestPulse(t *testing.T) {
	other := func(int64) int64 { return 99 }
	for way, text := range []string{"CW", "CCW"} {
		m := frei.Both{Way: election.Way(way)}
		if m.Forge(other) != m || m.Bits() != 0 || m.Kind() != way || fmt.Sprint(m) != text || m.Kinds()[way] != text {
			t.Errorf("%v: %d bits, kind %d", m, m.Bits(), m.Kind())
		}
	}
	if one := (frei.One{}); one.Forge(other) != one || one.Bits() != 0 || !slices.Equal(one.Kinds(), []string{"CW"}) {
		t.Errorf("%v", one)
	}
}

func TestTraces(t *testing.T) {
	ids := []int{3, 1, 2}
	for name, run := range map[string]func(electiontest.Network){
		"stable3.txt":      func(nw electiontest.Network) { oneWay(t, ids, nw) },
		"terminating3.txt": func(nw electiontest.Network) { terminating(t, ids, nw) },
		"unoriented3.txt":  func(nw electiontest.Network) { unoriented(t, ids, 2, nw) },
	} {
		var trace bytes.Buffer
		run(electiontest.Network{Start: electiontest.All(3), Trace: &trace})
		golden.Check(t, name, trace.Bytes())
	}
}

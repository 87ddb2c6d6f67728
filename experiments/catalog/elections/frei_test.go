package elections_test

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/experiments/trial/search"
	"bullring/netem/explore"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/frei"
)

var pulsing = []string{"freistable", "frei", "freiunoriented"}

// The numbers of pulses are exact over all placements, all sets of initiators and all wirings of small rings, under
// constant and random delays, and when pulses overtake each other.
func TestPulsesOverAllPlacements(t *testing.T) {
	c := newChecker(t)
	for n := 1; n <= 5; n++ {
		catalogtest.Permutations(n, func(ids string) {
			for _, algorithm := range pulsing {
				for set := 1; set < 1<<n; set++ {
					if n == 5 && set%5 > 0 {
						continue
					}
					s := trial.Setting{Algorithm: algorithm, IDs: ids, Initiators: catalogtest.Addresses(set, n)}
					c.run(s)
					s.Delay, s.Unordered = "exp(1ms)", true
					c.run(s)
				}
			}
			for wiring := range 1 << n {
				c.run(trial.Setting{Algorithm: "freiunoriented", IDs: ids, Param: fmt.Sprintf("swapped=%0*b", n, wiring)})
			}
		})
	}
	c.Needs("exact", "quiet", "elected")
}

// Times on larger rings, and with identities that are far apart.
func TestTimesOfPulses(t *testing.T) {
	c := newChecker(t)
	for _, algorithm := range pulsing {
		for seed := range uint64(20) {
			c.run(trial.Setting{Algorithm: algorithm, N: 24, Placement: "random", Seed: seed})
		}
		for _, ids := range []string{"40,3,17,5", "2,90,1,89,60", "7,8,9,500"} {
			c.run(trial.Setting{Algorithm: algorithm, IDs: ids})
		}
	}
	c.Needs("exact", "quiet", "elected")
}

// The mean time of the warm-up over all placements is exactly that of its bound: n H_n for the identities 1 to n, and the
// sum over m of n over the number of identities of m or more for others, such as 2, 5, 7, 8.
func TestMeanTimeOfPulses(t *testing.T) {
	c := newChecker(t)
	for n, others := range map[int][]string{3: nil, 4: {"2", "5", "7", "8"}, 6: nil} {
		runs, sum := 0.0, 0.0
		catalogtest.Permutations(n, func(ids string) {
			if others != nil {
				var placed []string
				for word := range strings.SplitSeq(ids, ",") {
					rank, _ := strconv.Atoi(word)
					placed = append(placed, others[rank-1])
				}
				ids = strings.Join(placed, ",")
			}
			time, _ := c.run(trial.Setting{Algorithm: "freistable", IDs: ids}).Metric("time")
			runs, sum = runs+1, sum+time
		})
		want := map[int]float64{3: 5.5, 4: 2*4./4 + 3*4./3 + 2*4./2 + 1*4./1, 6: 14.7}[n]
		if math.Abs(sum/runs-want) > 1e-9 {
			t.Errorf("n = %d: %v on average, want %v", n, sum/runs, want)
		}
		if others != nil {
			continue
		}
		for _, b := range c.run(trial.Setting{Algorithm: "freistable", N: n, Placement: "random"}).Bounds {
			if b.Name == "mean" && math.Abs(b.Value-want) > 1e-9 {
				t.Errorf("n = %d: the bound says %v, want %v", n, b.Value, want)
			}
		}
	}
}

// Messages have no content. A run in which each is altered is the same run; one in which two processes lie sends as
// much, and takes as long. Both are inside the model.
func TestPulsesCannotBeAltered(t *testing.T) {
	c := newChecker(t)
	for _, algorithm := range pulsing {
		s := trial.Setting{Algorithm: algorithm, N: 5, Placement: "random", Delay: "uniform(0,3ms)", Seed: 7}
		plain := c.run(s)
		s.Link = "corrupt 100% altered"
		altered := c.run(s)
		if altered.Fingerprint != plain.Fingerprint || altered.Counters.Altered != plain.Counters.Messages() {
			t.Errorf("%s: %d of %d messages are altered, and the runs are %x and %x", algorithm, altered.Counters.Altered, plain.Counters.Messages(), plain.Fingerprint, altered.Fingerprint)
		}
		s.Link, s.Fault = "", "at 0s lie 1 as 99; at 1ms equivocate 0"
		lies := c.run(s)
		for _, name := range []string{"messages", "time", "elected_time", "decided_time"} {
			want, _ := plain.Metric(name)
			if got, ok := lies.Metric(name); !ok || got != want {
				t.Errorf("%s with liars: %s is %v, want %v", algorithm, name, got, want)
			}
		}
	}
}

// Identities are part of the cost. A run with one of a billion ends at its limit of events, undecided, and says so.
func TestLargeIdentities(t *testing.T) {
	c := newChecker(t)
	for _, algorithm := range pulsing {
		s := trial.Setting{Algorithm: algorithm, IDs: "3,1000000000,7", MaxEvents: 20_000}
		if r := c.Play(s); r.Outcome != trial.Unfinished || r.Checks[1].Verdict != protocols.Undecided {
			t.Errorf("%s: %v, %+v", algorithm, r.Outcome, r.Checks)
		}
	}
	for _, ids := range []string{"0,1,2", "-3,1,2"} {
		if in, err := registry.Instance(trial.Setting{Algorithm: "frei", IDs: ids}); err == nil && len(in.Outside) == 0 {
			t.Errorf("frei takes the identities %s", ids)
		}
	}
}

// Rings of up to four, with every placement and every set of initiators. Whatever the order of events, a placement
// comes to one state; those that are rotations of each other are one.
func TestSmallRingsOfPulses(t *testing.T) {
	placements := uint64(1)
	for n := 1; n <= 4; n++ {
		placements *= uint64(max(1, n-1))
		for _, algorithm := range []string{"freistable", "frei"} {
			if e := catalogtest.Explore(t, registry, of(algorithm, n).EveryWay()); !proven(e) || e.Rests != placements {
				t.Errorf("%s, n = %d: %d states at rest, want %d; %+v", algorithm, n, e.Rests, placements, e.Properties)
			}
		}
	}
}

// Every wiring of rings of up to four, with every placement and every set of initiators: whatever the order of events, a
// placement comes to one state, in which the processes agree on the ways.
func TestEveryWiringProven(t *testing.T) {
	factorial, most := uint64(1), 4
	if testing.Short() {
		most = 3
	}
	for n := 1; n <= most; n++ {
		factorial *= uint64(n)
		for wiring := range 1 << n {
			e := catalogtest.Explore(t, registry, of("freiunoriented", n).EveryWay().With(fmt.Sprintf("swapped=%0*b", n, wiring)))
			if !proven(e) || e.Rests != factorial {
				t.Errorf("n = %d, swapped %0*b: %d states at rest, %+v", n, n, wiring, e.Rests, e.Properties)
			}
		}
	}
}

// proven reports whether every property of an exploration holds in every run.
func proven(e *search.Exploration) bool {
	return e.Complete && len(e.Outside) == 0 && !slices.ContainsFunc(e.Properties, func(p explore.Judged) bool { return p.Verdict != protocols.Holds })
}

// strict is a process of frei that panics if a pulse arrives after its end.
type strict struct{ *frei.Process }

func (s strict) Receive(n protocols.Node[frei.Both], from protocols.ID, m frei.Both) {
	if s.Terminated() {
		panic("a pulse after the end")
	}
	s.Process.Receive(n, from, m)
}

// Termination is quiescent: whatever the order of events, no pulse arrives at a process that has terminated.
func TestQuiescentTermination(t *testing.T) {
	strictly := &trial.Registry{}
	strictly.Register(families.Election(trial.Algorithm{
		Name: "strict", Title: "frei, and a pulse after the end is an error", Variants: [][]string{{"max"}},
		Assumes: trial.Assumptions{Topologies: []string{"biring"}, NoCrash: true, NoRestart: true},
	}, func(*trial.Instance) election.Promise { return election.Promise{} },
		func(in *trial.Instance) func(protocols.ID) election.Process[frei.Both] {
			return func(p protocols.ID) election.Process[frei.Both] { return strict{frei.New(in.Ranks.At(p).ID)} }
		}))
	for n := 1; n <= 4; n++ {
		if e := catalogtest.Explore(t, strictly, of("strict", n).EveryWay()); !proven(e) {
			t.Errorf("n = %d: %+v", n, e.Counterexample)
		}
	}
}

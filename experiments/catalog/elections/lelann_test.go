package elections_test

import (
	"testing"

	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
	"bullring/netem/explore"
	"bullring/protocols"
)

func TestLeLannBoundsOverAllPlacementsAndInitiators(t *testing.T) {
	c := newChecker(t)
	for n := 1; n <= 5; n++ {
		catalogtest.Permutations(n, func(ids string) {
			for set := 1; set < 1<<n; set++ {
				for _, s := range []trial.Setting{{}, {Variant: "min", Delay: "uniform(0,3ms)"}} {
					s.Algorithm, s.IDs, s.Initiators = "lelann", ids, catalogtest.Addresses(set, n)
					if r := c.run(s); !r.Correct {
						t.Errorf("%+v: the best initiator does not lead", s)
					}
				}
			}
		})
	}
	c.Needs("exact", "elected", "quiet")
}

// Links have to be FIFO: else a token overtakes a better one, and two processes lead.
func TestLeLannNeedsFIFO(t *testing.T) {
	for unordered, want := range map[bool]protocols.Verdict{false: protocols.Holds, true: protocols.Violated} {
		e, err := search.Explore(t.Context(), registry, search.Search{
			Setting: trial.Setting{Algorithm: "lelann", N: 3, Unordered: unordered}, Options: explore.Options{Reduce: true},
		})
		if err != nil {
			t.Fatal(err)
		}
		if e1 := e.Properties[1]; e1.Name != "E1" || e1.Verdict != want {
			t.Errorf("unordered %v: %s is %v, want E1 %v", unordered, e1.Name, e1.Verdict, want)
		}
		if e.Counterexample == nil {
			continue
		}
		in, err := registry.Instance(e.Scheduled(e.Counterexample))
		if err != nil {
			t.Fatal(err)
		}
		if r := new(trial.Worker).Run(t.Context(), in, nil); r.Verdict("E1") != protocols.Violated {
			t.Errorf("the counterexample, when played: %v", r.Checks)
		}
	}
}

// If the TOKEN of the maximum is lost after h hops, the n-1-h initiators that it has not
// reached elect the second best, which leads if it is among them.
func TestLeLannTokenOfTheMaximumLost(t *testing.T) {
	for n, want := range map[int]losses{2: {1, 0, 1}, 3: {3, 0, 3}, 4: {12, 0, 12}, 5: {60, 0, 60}, 6: {360, 0, 360}} {
		if n == 6 && testing.Short() {
			continue
		}
		if got := maximumLost(t, trial.Setting{Algorithm: "lelann"}, n); got != want {
			t.Errorf("n=%d: %+v, want %+v", n, got, want)
		}
	}
}

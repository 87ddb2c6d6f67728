package elections_test

import (
	"testing"

	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
)

func TestTelsFormBoundsOverAllPlacementsAndInitiators(t *testing.T) {
	c := newChecker(t)
	for n := 1; n <= 5; n++ {
		catalogtest.Permutations(n, func(ids string) {
			for set := 1; set < 1<<n; set++ {
				for _, s := range []trial.Setting{{Variant: "tel"}, {Variant: "tel,min", Delay: "uniform(0,3ms)"}} {
					s.Algorithm, s.IDs, s.Initiators = "changroberts", ids, catalogtest.Addresses(set, n)
					if r := c.run(s); !r.Correct {
						t.Errorf("%+v: the best initiator does not lead", s)
					}
				}
			}
		})
	}
	c.Needs("exact", "quiet")
}

// Tel: with k initiators at random, N*H_k ELECTION on average.
func TestTelsFormMean(t *testing.T) {
	for k, want := range map[string]float64{"random:1": 1, "random:4": 25. / 12, "random:16": 3.380728993, "all": 4.743890904} {
		meansAre(t, trial.Setting{Algorithm: "changroberts", Variant: "tel", N: 64, Initiators: k}, 64*want+64, 1e-6, 400)
	}
}

// Tel's form comes to the end of Chang and Roberts's: no leader.
func TestTelsFormElectionOfTheMaximumLost(t *testing.T) {
	for n, want := range map[int]losses{2: {2, 0, 0}, 3: {6, 0, 0}, 4: {24, 0, 0}, 5: {120, 0, 0}, 6: {720, 0, 0}} {
		if got := maximumLost(t, trial.Setting{Algorithm: "changroberts", Variant: "tel"}, n); got != want {
			t.Errorf("n=%d: %+v, want %+v", n, got, want)
		}
	}
}

package elections_test

import (
	"math"
	"testing"

	"bullring/experiments/trial"
)

// meansAre runs a setting with so many random placements and holds the mean number of
// messages to what theory says, within four standard errors: to want, and to the
// bound of the algorithm, which may differ from want by no more than rounding.
func meansAre(t *testing.T, s trial.Setting, want, rounding float64, runs int) {
	t.Helper()
	c := newChecker(t)
	s.Placement = "random"
	sum, squares := 0.0, 0.0
	for seed := range uint64(runs) {
		s.Seed = seed
		r := c.run(s)
		x := float64(r.Counters.Messages())
		sum, squares = sum+x, squares+x*x
		for _, b := range r.Bounds {
			if b.Bound.Relation == trial.Mean && math.Abs(b.Value-want) > rounding {
				t.Fatalf("%+v: the mean is to be %v, by the bound %v", s, want, b.Value)
			}
		}
	}
	k := float64(runs)
	mean := sum / k
	if e := math.Sqrt((squares/k - mean*mean) / (k - 1)); math.Abs(mean-want) > 4*e {
		t.Errorf("%+v: mean %v of %d runs, want %v, standard error %v", s, mean, runs, want, e)
	}
}

package elections_test

import (
	"math"
	"testing"

	"bullring/experiments/trial"
)

// TestLCRDistribution holds the recurrence to the number of the 5040 rings of
// n = 8 for each count from 15 to 36, which enumeration gives (THEORY 2.1).
func TestLCRDistribution(t *testing.T) {
	in, err := registry.Instance(trial.Setting{Algorithm: "lcr", N: 8, Placement: "random"})
	if err != nil {
		t.Fatal(err)
	}
	p, ok := in.Algorithm.Distribution(in)
	if !ok {
		t.Fatal("no distribution for 8 processes")
	}
	want := []float64{1, 21, 140, 385, 616, 784, 694, 687, 478, 411, 255, 222, 127, 91, 50, 39, 17, 12, 5, 3, 1, 1}
	for k, x := range p {
		w := 0.0
		if k >= 15 && k <= 36 {
			w = want[k-15]
		}
		if math.Abs(x*5040-w) > 1e-9 {
			t.Errorf("%v of 5040 rings make %d hops; want %v", x*5040, k, w)
		}
	}
}

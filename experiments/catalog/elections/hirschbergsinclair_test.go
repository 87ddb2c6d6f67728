package elections_test

import (
	"testing"

	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
)

func TestHirschbergSinclairBoundsOverAllPlacementsAndInitiators(t *testing.T) {
	c := newChecker(t)
	for n := 1; n <= 6; n++ {
		catalogtest.Permutations(n, func(ids string) {
			for _, v := range []string{"", "all-terminate", "original", "original,all-terminate", "min"} {
				c.run(trial.Setting{Algorithm: "hirschbergsinclair", IDs: ids, Variant: v})
				c.run(trial.Setting{Algorithm: "hirschbergsinclair", IDs: ids, Variant: v, Delay: "exp(1ms)", Initiators: "random:1", Unordered: true})
			}
		})
	}
	for n := 1; n <= 4; n++ {
		catalogtest.Permutations(n, func(ids string) {
			for set := 1; set < 1<<n; set++ {
				for _, v := range []string{"", "original,min"} {
					c.run(trial.Setting{Algorithm: "hirschbergsinclair", IDs: ids, Initiators: catalogtest.Addresses(set, n), Variant: v})
				}
			}
		})
	}
	c.Needs("exact", "elected", "quiet")
}

// The exact mean, over random placements of more processes than can all be placed;
// the values are those of THEORY 2.6.
func TestHirschbergSinclairMean(t *testing.T) {
	for n, want := range map[int]float64{16: 206.398, 32: 509.169, 64: 1215.229, 128: 2828.531, 256: 6457.574} {
		meansAre(t, trial.Setting{Algorithm: "hirschbergsinclair", N: n}, want, 0.0006, 400)
	}
}

// The original sends more than Lynch's form where delays are constant and all start: at
// least n, for the NO of phase 0.
func TestHirschbergSinclairOriginalSendsMore(t *testing.T) {
	c := newChecker(t)
	for n, most := range map[int]int{2: 2, 3: 3, 4: 8, 5: 9, 6: 12} {
		lo, hi := 1<<30, 0
		catalogtest.Permutations(n, func(ids string) {
			lynch := c.run(trial.Setting{Algorithm: "hirschbergsinclair", IDs: ids})
			original := c.run(trial.Setting{Algorithm: "hirschbergsinclair", IDs: ids, Variant: "original"})
			more := int(original.Counters.Messages()) - int(lynch.Counters.Messages())
			lo, hi = min(lo, more), max(hi, more)
		})
		if lo != n || hi != most {
			t.Errorf("n=%d: from %d to %d more, want from %d to %d", n, lo, hi, n, most)
		}
	}
}

// A lost message of the maximum leaves the ring without a leader, unless it is one of
// the 2n of the last phase, in which the other OUT does as well.
func TestHirschbergSinclairMessageOfTheMaximumLost(t *testing.T) {
	for _, variant := range []string{"lynch", "original"} {
		for n, want := range map[int]losses{2: {4, 4, 0}, 3: {24, 12, 0}, 4: {72, 48, 0}, 5: {672, 240, 0}, 6: {3360, 1440, 0}} {
			if n == 6 && testing.Short() {
				continue
			}
			if got := maximumLost(t, trial.Setting{Algorithm: "hirschbergsinclair", Variant: variant}, n); got != want {
				t.Errorf("%s, n=%d: %+v, want %+v", variant, n, got, want)
			}
		}
	}
}

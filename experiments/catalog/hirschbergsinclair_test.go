package catalog_test

import (
	"fmt"
	"testing"

	"bullring/experiments"
)

func TestHirschbergSinclairBoundsOverAllPlacementsAndInitiators(t *testing.T) {
	c := newChecker(t)
	for n := 1; n <= 6; n++ {
		permutations(n, func(ids string) {
			for _, v := range []string{"", "all-terminate", "original", "original,all-terminate", "min"} {
				c.run(experiments.Setting{Algorithm: "hirschbergsinclair", IDs: ids, Variant: v})
				c.run(experiments.Setting{Algorithm: "hirschbergsinclair", IDs: ids, Variant: v, Delay: "exp(1ms)", Initiators: "random:1", Unordered: true})
			}
		})
	}
	for n := 1; n <= 4; n++ {
		permutations(n, func(ids string) {
			for set := 1; set < 1<<n; set++ {
				for _, v := range []string{"", "original,min"} {
					c.run(experiments.Setting{Algorithm: "hirschbergsinclair", IDs: ids, Initiators: addresses(set, n), Variant: v})
				}
			}
		})
	}
	c.needs("exact", "elected", "quiet")
}

// The exact mean, over random placements of more processes than can all be placed;
// the values are those of THEORY 2.6.
func TestHirschbergSinclairMean(t *testing.T) {
	for n, want := range map[int]float64{16: 206.398, 32: 509.169, 64: 1215.229, 128: 2828.531, 256: 6457.574} {
		meansAre(t, experiments.Setting{Algorithm: "hirschbergsinclair", N: n}, want, 0.0006, 400)
	}
}

// The original sends more than Lynch's form, on average and wherever delays are
// constant and all start.
func TestHirschbergSinclairOriginalSendsMore(t *testing.T) {
	c := newChecker(t)
	for n := 2; n <= 6; n++ {
		least, most := 1<<30, 0
		permutations(n, func(ids string) {
			lynch := c.run(experiments.Setting{Algorithm: "hirschbergsinclair", IDs: ids})
			original := c.run(experiments.Setting{Algorithm: "hirschbergsinclair", IDs: ids, Variant: "original"})
			more := int(original.Counters.Messages()) - int(lynch.Counters.Messages())
			least, most = min(least, more), max(most, more)
		})
		fmt.Println(n, least, most)
	}
}

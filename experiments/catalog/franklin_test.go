package catalog_test

import (
	"testing"

	"bullring/experiments"
)

func TestFranklinBoundsOverAllPlacementsAndInitiators(t *testing.T) {
	c := newChecker(t)
	for n := 1; n <= 6; n++ {
		permutations(n, func(ids string) {
			for _, v := range []string{"", "all-terminate", "min"} {
				c.run(experiments.Setting{Algorithm: "franklin", IDs: ids, Variant: v})
				c.run(experiments.Setting{Algorithm: "franklin", IDs: ids, Variant: v, Delay: "exp(1ms)", Initiators: "random:1"})
			}
		})
	}
	for n := 1; n <= 4; n++ {
		permutations(n, func(ids string) {
			for set := 1; set < 1<<n; set++ {
				c.run(experiments.Setting{Algorithm: "franklin", IDs: ids, Initiators: addresses(set, n)})
			}
		})
	}
	c.needs("exact", "elected", "quiet")
}

package catalog_test

import (
	"testing"

	"bullring/experiments"
)

func TestTelsFormBoundsOverAllPlacementsAndInitiators(t *testing.T) {
	c := newChecker(t)
	for n := 1; n <= 5; n++ {
		permutations(n, func(ids string) {
			for set := 1; set < 1<<n; set++ {
				for _, s := range []experiments.Setting{{Variant: "tel"}, {Variant: "tel,min", Delay: "uniform(0,3ms)"}} {
					s.Algorithm, s.IDs, s.Initiators = "changroberts", ids, addresses(set, n)
					if r := c.run(s); !r.Correct {
						t.Errorf("%+v: the best initiator does not lead", s)
					}
				}
			}
		})
	}
	c.needs("exact", "quiet")
}

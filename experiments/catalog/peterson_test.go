package catalog_test

import (
	"testing"

	"bullring/experiments"
)

func TestPetersonsOwnProgramsBoundsOverAllPlacementsAndInitiators(t *testing.T) {
	c := newChecker(t)
	for n := 1; n <= 6; n++ {
		permutations(n, func(ids string) {
			dkr := c.run(experiments.Setting{Algorithm: "peterson", IDs: ids})
			for _, v := range []string{"first", "improved"} {
				for _, s := range []experiments.Setting{{Variant: v}, {Variant: v + ",min"}, {Variant: v, Delay: "exp(1ms)", Initiators: "random:1"}} {
					s.Algorithm, s.IDs = "peterson", ids
					r := c.run(s)
					if v == "first" && s.Variant == v && r.Counters.Messages() > dkr.Counters.Messages() {
						t.Errorf("%s: first sends %d, Dolev, Klawe and Rodeh's %d", ids, r.Counters.Messages(), dkr.Counters.Messages())
					}
				}
			}
		})
	}
	c.needs("exact", "quiet")
}

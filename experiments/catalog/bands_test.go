package catalog_test

import (
	"testing"

	"bullring/experiments/catalog"
	"bullring/experiments/show/history"
	"bullring/experiments/trial"
)

// Each declared band occurs in a run: its function knows the processes of the algorithm, behind
// transformers, too.
func TestBandsOccur(t *testing.T) {
	r := catalog.New()
	for _, a := range r.All() {
		if len(a.Bands) == 0 {
			continue
		}
		seen := map[string]bool{}
		for seed := range uint64(6) {
			s := trial.Setting{Algorithm: a.Name, N: 5, Placement: "random", Seed: seed, MaxEvents: 3000, OutsideModel: true}
			switch {
			case a.Family == "mutex":
				s.Param = "cs=3ms"
			case a.Inputs != nil && seed%3 == 0:
				s.Inputs = "one 0"
			}
			if seed%2 == 1 && a.Name != "itairodeh" {
				s.Transport = "reliable(5ms,3)"
			}
			in, err := r.Instance(s)
			if err != nil {
				t.Fatal(err)
			}
			for _, b := range history.Of(t.Context(), in).Bands {
				seen[b.Name] = true
			}
		}
		for _, b := range a.Bands {
			if !seen[b.Name] {
				t.Errorf("%s: in no run is a process %s", a.Name, b.Name)
			}
		}
	}
}

package catalog_test

import (
	"strings"
	"testing"

	"bullring/experiments"
	"bullring/experiments/catalog"
)

// Every algorithm keeps the rules of a process, with every word of its variants, with crashes and
// without.
func TestConduct(t *testing.T) {
	registry := catalog.New()
	for _, a := range registry.All() {
		words := []string{""}
		for _, group := range a.Variants {
			words = append(words, group[1:]...)
		}
		for _, word := range words {
			for _, fault := range []string{"", "at 1ms crash 1; at 40ms restart 1; at 60ms crash 2"} {
				c, err := experiments.CheckConduct(t.Context(), registry, experiments.Setting{
					Algorithm: a.Name, Variant: word, N: 4, Placement: "random", Delay: "uniform(0,2ms)", Fault: fault,
					Seed: 1, MaxEvents: 1000, OutsideModel: true,
				}, 2)
				if err != nil {
					if word != "" && strings.Contains(err.Error(), "variant") { // the word goes with others only
						continue
					}
					t.Errorf("%s %s %s: %v", a.Name, word, fault, err)
				}
				for _, f := range c.Findings {
					t.Errorf("%s %s %s: %v", a.Name, word, fault, &f)
				}
				if len(c.Findings) == 0 && c.Calls == 0 {
					t.Errorf("%s %s %s: no handler was called", a.Name, word, fault)
				}
			}
		}
	}
}

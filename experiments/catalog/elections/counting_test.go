package elections_test

import (
	"fmt"
	"testing"

	"bullring/experiments/trial"
)

// On graphs that change in every round, and on those that stay, counting takes exactly n rounds and n*n broadcasts.
func TestCounting(t *testing.T) {
	for n := 1; n <= 12; n++ {
		for seed := range uint64(6) {
			s := trial.Setting{Algorithm: "counting", N: n, Placement: "random", Seed: seed, Variant: []string{"max", "min"}[seed%2]}
			if seed < 4 {
				s.Motion = fmt.Sprintf("interval(%d, 2ms, %s)", 1+seed, []string{"random", "worst"}[seed%2])
			} else if n > 2 {
				s.Topology = []string{"biring", "line"}[seed%2]
			}
			in, err := registry.Instance(s)
			if err != nil {
				t.Fatal(err)
			}
			r := new(trial.Worker).Run(t.Context(), in, nil)
			if r.Impossible() != nil || !r.Correct || len(r.Bounds) != 2 {
				t.Errorf("%+v: %v, bounds %+v, %v", s, r.Outcome, r.Bounds, r.Impossible())
			}
		}
	}
}

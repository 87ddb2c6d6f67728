package elections_test

import (
	"fmt"
	"strings"
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

// A message has to arrive before the links of the next round come, three quarters into its own: at that instant they
// come first.
func TestCountingInTime(t *testing.T) {
	s := trial.Setting{Algorithm: "counting", N: 6, Motion: "interval(1, 2ms, worst)", Delay: "1499999ns"}
	in, err := registry.Instance(s)
	if err != nil {
		t.Fatal(err)
	}
	if r := new(trial.Worker).Run(t.Context(), in, nil); !r.Correct || r.Impossible() != nil {
		t.Errorf("%v, %v", r.Outcome, r.Impossible())
	}
	s.Delay = "1500us"
	if _, err := registry.Instance(s); err == nil || !strings.Contains(err.Error(), "the graph of a round may not be connected") {
		t.Errorf("a message that comes with the next links: %v", err)
	}
	s.OutsideModel = true
	if in, err = registry.Instance(s); err != nil {
		t.Fatal(err)
	}
	if r := new(trial.Worker).Run(t.Context(), in, nil); r.Correct {
		t.Error("and nothing is lost")
	}
}

package families_test

import (
	"fmt"
	"strings"
	"testing"

	"bullring/experiments/catalog"
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
	"bullring/netem/explore"
)

// What families say of all runs of a small system: what is not proven is violated.
func TestExploredFamilies(t *testing.T) {
	for _, c := range []struct {
		algorithm, param string
		n                int
		budget           explore.Budget
		want             string
	}{
		{"lcr", "", 3, explore.Budget{}, "E1 holds, E2 holds, rest holds, elected holds"},
		{"lcr", "", 2, explore.Budget{Losses: 1}, "E2 violated"},
		{"bully", "", 2, explore.Budget{Crashes: 1, Restarts: 1}, "E1 holds, E2 holds, rest holds, elected holds"},
		{"centralized", "", 2, explore.Budget{}, "ME1 holds, ME2 holds, rest holds, done holds"},
		{"centralized-failover", "", 2, explore.Budget{Crashes: 1}, "ME1 holds, ME2 holds, rest holds, done holds"},
		{"sequencer", "", 3, explore.Budget{}, "integrity holds, total order holds, validity holds, agreement holds, rest holds, done holds"},
		{"chandylamport", "transfers=1", 2, explore.Budget{}, "consistent holds, conserved holds, complete holds, rest holds, done holds"},
		{"berkeley", "", 3, explore.Budget{}, "adjusted holds, close holds, rest holds, done holds"},
		{"dht", "m=3,k=1", 3, explore.Budget{}, "responsible holds, found holds, rest holds, done holds"},
		{"repelling", "rounds=1,fanout=1", 2, explore.Budget{}, "tokens holds, held holds, promoted holds, rest holds, done holds"},
	} {
		e, err := search.Explore(t.Context(), catalog.New(), search.Search{
			Setting: trial.Setting{Algorithm: c.algorithm, N: c.n, Param: c.param, OutsideModel: true}, Budget: c.budget,
		})
		if err != nil {
			t.Fatal(err)
		}
		var says []string
		for _, p := range e.Properties[1:] { // the first is that no handler panics
			says = append(says, fmt.Sprintf("%s %s", p.Name, p.Verdict))
		}
		got := strings.Join(says, ", ")
		if e.Counterexample != nil {
			got = e.Properties[e.Counterexample.Property].Name + " violated"
		}
		if got != c.want {
			t.Errorf("%s, n=%d, %+v: %s, want %s", c.algorithm, c.n, c.budget, got, c.want)
		}
	}
}

// A search for the run that costs most judges nothing: only time depends on decisions.
func TestCostsOfElections(t *testing.T) {
	for metric, want := range map[string]float64{"messages": 6, "time": 3} {
		w, err := search.FindWorst(t.Context(), catalog.New(), search.Hunt{
			Setting: trial.Setting{Algorithm: "lcr", N: 3}, Metric: metric, Over: []string{search.OverIDs, search.OverSchedule}, Timers: trial.BoundedTimers,
		})
		if err != nil {
			t.Fatal(err)
		}
		if w.Value != want || !w.Proven {
			t.Errorf("%s: %v, proven %v, want %v", metric, w.Value, w.Proven, want)
		}
	}
}

// The picture of tokens has the places of all processes, and of tokens that are not under way.
func TestPictureOfTokens(t *testing.T) {
	for fault, want := range map[string]string{
		"":                 "Clark–Evans index: 1.853 before, 2.067 after; process 8, token at first 3, token at rest 3",
		"drop every TOKEN": "Clark–Evans index: 1.853 before, none after; process 8, token at first 3, token at rest 2",
	} {
		in, err := catalog.New().Instance(trial.Setting{Algorithm: "repelling", N: 8, Param: "tokens=3,rounds=10,reach=30000,threshold=0", Fault: fault, Seed: 1, OutsideModel: true})
		if err != nil {
			t.Fatal(err)
		}
		f := new(trial.Worker).Run(t.Context(), in, nil).Judge.(trial.Picturer).Picture()
		var points []string
		for _, s := range []trial.Places{f.All, f.First, f.Last} {
			points = append(points, fmt.Sprintf("%s %d", s.Label, len(s.At)))
		}
		if got := f.Title + "; " + strings.Join(points, ", "); got != want {
			t.Errorf("%s: %s, want %s", fault, got, want)
		}
	}
}

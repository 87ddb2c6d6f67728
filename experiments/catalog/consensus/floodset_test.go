package consensus_test

import (
	"fmt"
	"strings"
	"testing"

	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/experiments/trial/search"
	"bullring/protocols"
)

// flooded is the exploration of FloodSet with every vector of two inputs.
func flooded(n, f, crashes int, variant string) catalogtest.Search {
	s := catalogtest.Of("floodset", n).Variant(variant).Crashing(crashes)
	s.Setting.F, s.Setting.Inputs = fmt.Sprint(f), search.Every
	return s
}

// With f+1 rounds and f crashes all is proven. With f+1 crashes agreement is violated, if two
// processes are left to disagree. The hasty form agrees with one crash, and not with two: the first
// hides a value, the second process decides for it and crashes.
func TestFloodSetFromBothSides(t *testing.T) {
	catalogtest.Proven(t, registry, testing.Short(), []catalogtest.Proof{
		{Search: flooded(2, 0, 0, "plain").InFull(), States: 56, Transitions: 80},
		{Search: flooded(2, 1, 1, "plain").InFull(), States: 268, Transitions: 576},
		{Search: flooded(3, 0, 0, "plain"), States: 144, Transitions: 176},
		{Search: flooded(3, 1, 1, "plain"), States: 1830, Transitions: 2944},
		{Search: flooded(3, 1, 1, "opt"), States: 1692, Transitions: 2758},
		{Search: flooded(3, 2, 2, "plain"), States: 3988, Transitions: 10260},
		{Search: flooded(4, 1, 1, "opt"), States: 14620, Transitions: 22592},
		{Search: flooded(4, 1, 1, "plain"), States: 14876, Transitions: 22732},
		{Search: flooded(4, 2, 2, "plain"), States: 55766, Transitions: 125552},
		{Search: flooded(5, 1, 1, "plain"), States: 107382, Transitions: 155764},
		{Search: flooded(3, 1, 1, "early"), States: 2032, Transitions: 3134},
		{Search: flooded(3, 2, 2, "early"), States: 3936, Transitions: 9130},
		{Search: flooded(4, 1, 1, "early"), States: 16410, Transitions: 24746},
		{Search: flooded(4, 2, 2, "early"), States: 59666, Transitions: 122246},
		{Search: flooded(3, 1, 1, "hasty"), States: 2214, Transitions: 3322},
	})
	for _, s := range []catalogtest.Search{flooded(3, 0, 1, "plain"), flooded(3, 0, 1, "opt"), flooded(3, 2, 2, "hasty"), flooded(4, 1, 2, "plain"), flooded(4, 1, 2, "opt"), flooded(4, 1, 2, "early")} {
		if testing.Short() && s.Setting.N > 3 {
			continue
		}
		e := catalogtest.Explore(t, registry, s)
		if run := e.Counterexample; run == nil || e.Properties[run.Property].Name != "agreement" || len(e.Outside) != 1 {
			t.Errorf("%v: %+v, outside the model: %q", s, run, e.Outside)
		}
	}
}

// The inputs of instances that are explored together are parts of their states: a decision that is
// right for some inputs is not taken for one that is wrong for others.
func TestInputsAreExploredApart(t *testing.T) {
	for _, inputs := range []string{"0,0", "0,1", "1,0", "1,1", search.Every} {
		s := flooded(2, 1, 1, "plain")
		s.Setting.Inputs = inputs
		for _, p := range catalogtest.Explore(t, registry, s).Properties {
			if p.Verdict != protocols.Holds {
				t.Errorf("inputs %s: %s is %v", inputs, p.Name, p.Verdict)
			}
		}
	}
}

// Runs inside the model agree, whatever the inputs, the crashes and the delays within a round.
func TestFloodSetAgrees(t *testing.T) {
	c := catalogtest.NewChecker(t, registry)
	for seed := range uint64(60) {
		for _, variant := range []string{"plain", "opt", "early"} {
			c.Run(trial.Setting{Algorithm: "floodset", Variant: variant, N: 6, F: "2", Delay: "uniform(0,1ms)", Fault: "random crashes 2 in 0s..3ms", Seed: seed}, families.Agreed)
			c.Run(trial.Setting{Algorithm: "floodset", Variant: variant, N: 5, F: "3", Inputs: "one 1", Dead: "random:2", Seed: seed}, families.Agreed)
			c.Run(trial.Setting{Algorithm: "floodset", Variant: variant, N: 7, F: fmt.Sprint(seed % 7), Seed: seed}, families.Agreed)
		}
	}
	c.Needs("exact", "decided")
	c.NeedsAny("worst", "early")
}

// A chain of crashes, one a round, keeps the early form from deciding for as many rounds as there are
// crashes, and two more: its bound is reached for each number of crashes. The round is the same for any
// delay within the bound.
func TestEarlyTakesARoundACrash(t *testing.T) {
	c := catalogtest.NewChecker(t, registry)
	const f = 5
	var chain []string
	for crashed := range f + 1 {
		for _, delay := range []string{"", "uniform(0,1ms)"} {
			for variant, want := range map[string]int{"plain": f + 1, "early": min(crashed+2, f+1)} {
				r := c.Run(trial.Setting{Algorithm: "floodset", Variant: variant, N: 8, F: fmt.Sprint(f), Delay: delay, Fault: strings.Join(chain, "; ")}, families.Agreed)
				if got, ok := r.Metric("decided_round"); !ok || got != float64(want) {
					t.Errorf("%s, %d crashes, delay %q: decided in round %v, want %d", variant, crashed, delay, got, want)
				}
			}
		}
		chain = append(chain, fmt.Sprintf("crash %d after %d sends", crashed, 7*crashed))
	}
}

package consensus_test

import (
	"fmt"
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
// processes are left to disagree.
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
	})
	for _, s := range []catalogtest.Search{flooded(3, 0, 1, "plain"), flooded(3, 0, 1, "opt"), flooded(4, 1, 2, "plain"), flooded(4, 1, 2, "opt")} {
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
		for _, variant := range []string{"plain", "opt"} {
			c.Run(trial.Setting{Algorithm: "floodset", Variant: variant, N: 6, F: "2", Delay: "uniform(0,1ms)", Fault: "random crashes 2 in 0s..3ms", Seed: seed}, families.Agreed)
			c.Run(trial.Setting{Algorithm: "floodset", Variant: variant, N: 5, F: "3", Inputs: "one 1", Dead: "random:2", Seed: seed}, families.Agreed)
			c.Run(trial.Setting{Algorithm: "floodset", Variant: variant, N: 7, F: fmt.Sprint(seed % 7), Seed: seed}, families.Agreed)
		}
	}
	c.Needs("exact", "decided")
	c.NeedsAny("worst")
}

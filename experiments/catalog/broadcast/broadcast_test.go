package broadcast_test

import (
	"fmt"
	"slices"
	"testing"

	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
)

// asked is the exploration of an algorithm whose process 0 broadcasts, with parameters.
func asked(algorithm string, n, crashes int, param string) catalogtest.Search {
	return catalogtest.Of(algorithm, n).Started("0").Crashing(crashes).With(param)
}

// withF is the exploration with f.
func withF(s catalogtest.Search, f int) catalogtest.Search {
	s.Setting.F = fmt.Sprint(f)
	return s
}

// Each algorithm keeps what it promises, at whatever point of whatever step processes crash.
func TestProven(t *testing.T) {
	catalogtest.Proven(t, registry, testing.Short(), []catalogtest.Proof{
		{Search: asked("besteffort", 3, 2, "").InFull(), States: 41, Transitions: 78},
		{Search: asked("eager", 3, 1, ""), States: 92, Transitions: 287},
		{Search: asked("eager", 3, 2, "").InFull(), States: 122, Transitions: 473},
		{Search: asked("lazy", 3, 2, "").InFull(), States: 57, Transitions: 140},
		{Search: asked("lazy", 4, 2, ""), States: 709, Transitions: 3597},
		{Search: asked("uniform", 3, 1, ""), States: 108, Transitions: 310},
		{Search: asked("uniform", 3, 1, "").Variant("allack"), States: 179, Transitions: 663},
		{Search: asked("uniform", 3, 2, "").Variant("allack"), States: 278, Transitions: 1120},
		{Search: asked("fifo", 3, 0, "requests=2").Unordered(), States: 17, Transitions: 33},
		{Search: asked("fifo", 3, 1, "requests=2").Unordered().Variant("eager"), States: 2192, Transitions: 14347},
		{Search: asked("causal", 3, 0, "reactions=1"), States: 162, Transitions: 337},
		{Search: asked("causal", 3, 0, "reactions=1").Variant("eager"), States: 7434, Transitions: 19477},
		{Search: asked("causal", 3, 1, "reactions=1").Variant("lazy"), States: 1429, Transitions: 2849},
		{Search: asked("gossip", 3, 0, ""), States: 4957, Transitions: 11686},
		{Search: asked("gossip", 3, 1, ""), States: 9090, Transitions: 39559},
		{Search: asked("gossip", 3, 0, "").Variant("coin"), States: 1722, Transitions: 4213},
		{Search: asked("gossip", 3, 1, "").Variant("blind"), States: 1223, Transitions: 3930},
		{Search: asked("gossip", 2, 0, "").Variant("pull"), States: 430, Transitions: 633},
		{Search: asked("gossip", 3, 0, "cycles=2").Variant("pull"), States: 31330, Transitions: 71805},
		{Search: asked("gossip", 3, 0, "cycles=2").Variant("pushpull"), States: 80946, Transitions: 213233},
	})
}

// What an algorithm does not promise does not hold: the smallest runs that show it.
func TestOtherSide(t *testing.T) {
	for _, c := range []struct {
		catalogtest.Search
		violated string
		steps    int
		outside  string
	}{
		{asked("besteffort", 3, 1, "require=agreement"), "agreement", 2, "more is required than is promised: agreement"},
		{asked("eager", 3, 1, "require=uniform"), "uniform agreement", 1, "more is required than is promised: uniform"},
		{asked("lazy", 3, 1, "require=uniform"), "uniform agreement", 1, "more is required than is promised: uniform"},
		{withF(asked("uniform", 2, 1, ""), 1), "validity", 2, "n is 2 and f is 1, and not n > 2f"},
		{withF(asked("uniform", 4, 2, ""), 2), "validity", 5, "n is 4 and f is 2, and not n > 2f"},
		{asked("besteffort", 2, 0, "requests=2,require=fifo").Unordered(), "FIFO order", 2, "more is required than is promised: fifo"},
		{asked("fifo", 3, 0, "reactions=1,require=causal"), "causal order", 3, "more is required than is promised: causal"},
		{asked("causal", 3, 0, "reactions=1").Variant("atonce"), "causal order", 3, "items are delivered when they arrive, in whatever order"},
		{asked("gossip", 3, 0, "k=1,require=agreement").Variant("blind"), "agreement", 11, "more is required than is promised: agreement"},
		{asked("gossip", 3, 0, "k=1,require=agreement"), "agreement", 15, "more is required than is promised: agreement"},
		{asked("causal", 3, 0, "reactions=1").Variant("eager,atonce").Unordered(), "causal order", 3, "items are delivered when they arrive, in whatever order"},
	} {
		e := catalogtest.Explore(t, registry, c.Search)
		run := e.Counterexample
		if run == nil || e.Properties[run.Property].Name != c.violated || len(run.Steps) != c.steps || fmt.Sprint(e.Outside) != "["+c.outside+"]" {
			t.Errorf("%s: %+v, outside the model: %q; want %s in %d steps", c.Setting.Algorithm, run, e.Outside, c.violated, c.steps)
		}
	}
}

// Runs inside the model come out right and cost what theory says, whatever the workload, the delays
// and the crashes.
func TestRunsDeliver(t *testing.T) {
	c := catalogtest.NewChecker(t, registry)
	seeds := uint64(6)
	if testing.Short() {
		seeds = 2
	}
	for seed := range seeds {
		for _, a := range registry.All() {
			for _, variant := range slices.Concat([]string{""}, slices.Concat(a.Variants...)) {
				if variant == "atonce" {
					continue
				}
				for _, param := range []string{"", "requests=3,reactions=2", "requests=3,think=exp(2ms),loop=open"} {
					c.Run(trial.Setting{Algorithm: a.Name, Variant: variant, N: 5, Param: param, Seed: seed}, families.Delivered)
					c.Run(trial.Setting{Algorithm: a.Name, Variant: variant, N: 4, Param: param, Delay: differing(a.Name), Unordered: true, Seed: seed}, families.Delivered)
					c.Run(trial.Setting{Algorithm: a.Name, Variant: variant, N: 5, Param: param, Delay: differing(a.Name), Fault: "random crashes 1 in 0s..3ms", Seed: seed}, families.Delivered)
				}
			}
		}
	}
	c.Needs("exact", "longest", "requests", "blind")
	c.NeedsAny("needed", "least", "most")
}

// differing are delays that differ, with a bound if the algorithm assumes one.
func differing(algorithm string) string {
	if a, err := registry.Find(algorithm); err == nil && a.Assumes.BoundedDelay {
		return "uniform(0,2ms)"
	}
	return "exp(1ms)"
}

// Delivering at once breaks causal order only where an answer can overtake: its share of early items
// grows with the spread of the delays, and waiting has none.
func TestEarly(t *testing.T) {
	early := func(variant, delay string) (sum float64) {
		for seed := range uint64(10) {
			in, err := registry.Instance(trial.Setting{Algorithm: "causal", Variant: variant, N: 6, Param: "reactions=1", Initiators: "0", Delay: delay, Seed: seed, OutsideModel: true})
			if err != nil {
				t.Fatal(err)
			}
			v, ok := new(trial.Worker).Run(t.Context(), in, nil).Metric("early")
			if !ok {
				t.Fatal("no early items are measured")
			}
			sum += v
		}
		return sum
	}
	if a, b := early("atonce", "1ms"), early("waiting", "uniform(0,2ms)"); a != 0 || b != 0 {
		t.Errorf("%v early items with a constant delay, %v with waiting", a, b)
	}
	if a, b := early("atonce", "uniform(750us,1250us)"), early("atonce", "uniform(0,2ms)"); a != 0 || b == 0 {
		t.Errorf("%v early items with little spread, %v with much", a, b)
	}
}

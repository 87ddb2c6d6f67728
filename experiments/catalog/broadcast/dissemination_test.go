package broadcast_test

import (
	"fmt"
	"iter"
	"strings"
	"testing"

	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
)

var disseminationDefects = []catalogtest.Defect{
	{
		Algorithm: "dissemination", Name: "a round too few",
		Says: "there is a round less than are needed",
		File: "dissemination.go",
		Is:   "max(c.Tokens, 1) * (c.Processes - 1)", Becomes: "max(c.Tokens, 1) * (c.Processes - 2)",
	},
	{
		Algorithm: "dissemination", Name: "news alone",
		Says: "a process tells the latest item alone",
		File: "dissemination.go",
		Is:   "	items := p.items\n", Becomes: "	items := p.delivered[max(len(p.delivered)-1, 0):]\n",
	},
	{
		Algorithm: "dissemination", Name: "never done",
		Says: "with tokens, a process tells its least item for ever",
		File: "dissemination.go",
		Is:   "		p.done++\n", Becomes: "",
	},
	{
		Algorithm: "dissemination", Name: "twice",
		Says: "a process delivers an item each time that it comes",
		File: "dissemination.go",
		Is:   "	if known {\n", Becomes: "	if known {\n		p.delivered = append(p.delivered, item)\n",
	},
}

// disseminationRuns are runs on graphs that change in every round.
func disseminationRuns(variant string) iter.Seq[trial.Setting] {
	return func(yield func(trial.Setting) bool) {
		for n := 2; n <= 6; n++ {
			for _, initiators := range []string{"0", "all"} {
				for seed := range uint64(6) {
					motion := fmt.Sprintf("interval(%d, 2ms, %s)", 1+seed/2, []string{"random", "worst"}[seed%2])
					s := trial.Setting{Algorithm: "dissemination", Variant: variant, N: n, Initiators: initiators, Motion: motion, Seed: seed, MaxEvents: 10_000}
					if !yield(s) {
						return
					}
				}
			}
		}
	}
}

// All items reach all processes, and the rounds are those of the bounds, which each run is held to: exactly n-1 for
// one item of process 0 and the worst graphs.
func TestDissemination(t *testing.T) {
	exact := 0
	for _, variant := range []string{"sets", "tokens"} {
		for s := range disseminationRuns(variant) {
			in, err := registry.Instance(s)
			if err != nil {
				t.Fatal(err)
			}
			r := new(trial.Worker).Run(t.Context(), in, nil)
			if r.Impossible() != nil || !r.Correct {
				t.Fatalf("%+v: %v, %v", s, r.Outcome, r.Impossible())
			}
			for _, b := range r.Bounds {
				if b.Name == "worst" && b.Measured == float64(s.N-1) {
					exact++
				}
			}
		}
	}
	if exact == 0 {
		t.Error("no run is held to the exact number of rounds")
	}
}

// All items have to be there at the beginning: what a fault starts later comes too late for the rounds, and is outside
// the model.
func TestDisseminationOfLateItems(t *testing.T) {
	for _, variant := range []string{"sets", "tokens"} {
		s := trial.Setting{Algorithm: "dissemination", Variant: variant, N: 6, Initiators: "0", Motion: "interval(1, 2ms, worst)", Fault: "at 9ms start 5"}
		if _, err := registry.Instance(s); err == nil || !strings.Contains(err.Error(), "a fault starts a client that is no initiator") {
			t.Errorf("%s: %v", variant, err)
		}
		s.OutsideModel = true
		in, err := registry.Instance(s)
		if err != nil {
			t.Fatal(err)
		}
		if r := new(trial.Worker).Run(t.Context(), in, nil); r.Correct {
			t.Errorf("%s: and all deliver it", variant)
		}
		s.Fault, s.OutsideModel = "at 9ms start 0", false // it has started
		if _, err := registry.Instance(s); err != nil {
			t.Errorf("%s: %v", variant, err)
		}
	}
}

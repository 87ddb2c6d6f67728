package broadcast_test

import (
	"fmt"
	"iter"
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

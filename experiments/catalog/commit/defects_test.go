package commit_test

import (
	"fmt"
	"iter"
	"slices"
	"testing"

	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
)

var defects = catalogtest.Defects{
	Section: "commit", Registry: registry, Algorithms: catalogtest.Own(registry),
	Table:    slices.Concat(twoPhaseDefects, threePhaseDefects),
	Searches: catalogtest.Searches("", commitSearches), Runs: runs, Quick: true,
}

func TestDefects(t *testing.T) { defects.Hunted(t, testing.Short()) }

func TestHunt(t *testing.T) { defects.Hunt(t) }

// runs are runs of an algorithm inside its model, without and with crashes.
func runs(algorithm, variant string) iter.Seq[trial.Setting] {
	return func(yield func(trial.Setting) bool) {
		for n := 2; n <= 5; n++ {
			for seed := range uint64(20) {
				s := trial.Setting{Algorithm: algorithm, Variant: variant, N: n, Inputs: trial.RandomInputs, Seed: seed, MaxEvents: 10_000}
				if seed > 9 {
					s.Fault = map[string]string{"twophase": "crash 0 after %d sends for 30ms", "threephase": "crash 0 after %d sends"}[algorithm]
					s.Inputs, s.Fault = "", fmt.Sprintf(s.Fault, seed-9)
				}
				if !yield(s) {
					return
				}
			}
		}
	}
}

var twoPhaseDefects = []catalogtest.Defect{
	{
		Algorithm: "twophase", Name: "first vote",
		Says: "the coordinator commits at the first yes",
		File: "twophase.go",
		Is:   "switch slices.Min(p.votes) {", Becomes: "switch slices.Max(p.votes) {",
	},
	{
		Algorithm: "twophase", Name: "impatient",
		Says: "in doubt, a process that waits in vain aborts",
		File: "twophase.go",
		Is:   "	if p.log == Yes {\n		p.tell(n, DecisionReq)\n	} else {", Becomes: "	if p.log == Yes {\n		p.decide(n, Abort)\n	} else {",
	},
	{
		Algorithm: "twophase", Name: "does not ask again",
		Says: "a process that comes back in doubt does not ask for the decision",
		File: "twophase.go",
		Is:   "		p.tell(n, DecisionReq)\n		return\n", Becomes: "		return\n",
	},
	{
		Algorithm: "twophase", Name: "no log",
		Says: "a process that comes back has forgotten its vote and its decision",
		File: "twophase.go",
		Is:   "{ p.log = crashed.(*Process).log }", Becomes: "{ _ = crashed.(*Process).log }",
	},
	{
		Algorithm: "twophase", Name: "own vote",
		Says: "the coordinator votes yes, whatever it was given",
		File: "twophase.go",
		Is:   "own := No\n", Becomes: "own := Yes\n",
	},
}

var threePhaseDefects = []catalogtest.Defect{
	{
		Algorithm: "threephase", Name: "does not wait",
		Says: "a leader commits right behind PRE-COMMIT, without an ACK",
		File: "threephase.go",
		Is:   "	if !slices.Contains(p.heard, PreCommit) {", Becomes: "	if p.state == Committable {",
	},
	{
		Algorithm: "threephase", Name: "own vote",
		Says: "the coordinator votes yes, whatever it was given",
		File: "threephase.go",
		Is:   "	return p.willing\n", Becomes: "	return true\n",
	},
	{
		Algorithm: "threephase", Name: "one phase more",
		Says: "behind the first leader after the coordinator, no process waits for the next one",
		File: "threephase.go",
		Is:   "	n.SetTimer(unled, 4*p.cfg.Bound)\n", Becomes: "",
	},
	{
		Algorithm: "threephase", Name: "leaves some uncertain",
		Says: "in a later phase a committable leader commits, and the others are uncertain",
		File: "threephase.go",
		Is:   "m == Yes || m == Uncertain", Becomes: "m == Yes",
	},
}

// commitSearches are where the defects are looked for.
var commitSearches = map[string]catalogtest.Explored{
	"twophase": func(add catalogtest.Add) {
		for n := 2; n <= 3; n++ {
			add(0, trial.Setting{N: n, Initiators: "all", Inputs: search.Every})
			add(1, trial.Setting{N: n, Initiators: "all", Inputs: search.Every}).Budget.Restarts = 1
		}
	},
	"threephase": func(add catalogtest.Add) {
		for crashes := range 3 {
			add(crashes, trial.Setting{N: 3, Initiators: "all", Inputs: search.Every})
		}
	},
}

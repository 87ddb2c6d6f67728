package consensus_test

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
	Section: "consensus", Registry: registry, Algorithms: catalogtest.Own(registry),
	Table:    slices.Concat(floodSetDefects, eigDefects, omDefects, phaseKingDefects, asynchronousDefects, paxosDefects),
	Searches: catalogtest.Searches("", floodSetSearches, byzantineSearches, asynchronousSearches, paxosSearches), Runs: runs, Quick: true,
	// With a Byzantine process among five, the state space of the phase king has millions of states in full.
	// That of Ben-Or has no end if processes begin with different values. The values of paxos are inputs
	// whatever else is wrong.
	Spares: func(algorithm, property string) bool {
		return (algorithm == "phaseking" || algorithm == "benor") && property == "agreement" || algorithm == "paxos" && property == "validity"
	},
}

func TestDefects(t *testing.T) { defects.Hunted(t, testing.Short()) }

func TestHunt(t *testing.T) { defects.Hunt(t) }

// runs are runs of an algorithm inside its model, without and with crashes.
func runs(algorithm, variant string) iter.Seq[trial.Setting] {
	if asynchronousSearches[algorithm] != nil {
		return asynchronousRuns(algorithm, 60)
	}
	return func(yield func(trial.Setting) bool) {
		most := map[string]func(n int) int{"eig": third, "om": third, "phaseking": quarter}[algorithm]
		for n := 2; n <= 5; n++ {
			for seed := range uint64(10) {
				f := n - 1
				if most != nil {
					f = most(n)
				}
				s := trial.Setting{Algorithm: algorithm, Variant: variant, N: n, F: fmt.Sprint(int(seed) % (f + 1)), Seed: seed, MaxEvents: 10_000}
				if seed > 4 && f > 0 {
					s.F, s.Fault = "1", "random crashes 1 in 0s..2ms"
				}
				if !yield(s) {
					return
				}
			}
			for seed := range uint64(100) {
				s := trial.Setting{Algorithm: algorithm, N: n, F: "1", Inputs: trial.RandomInputs, Fault: fmt.Sprintf("byzantine %d as random", int(seed)%n), Seed: seed, MaxEvents: 10_000}
				if most != nil && most(n) > 0 && !yield(s) {
					return
				}
			}
		}
	}
}

var floodSetDefects = []catalogtest.Defect{
	{
		Algorithm: "floodset", Name: "always the default",
		Says: "a process decides for 0, also if it has heard of one value alone",
		File: "floodset.go",
		Is:   "	if p.heard.one() {\n", Becomes: "	if p.heard.one() && p.rounds == 0 {\n",
	},
	{
		Algorithm: "floodset", Name: "a round too few",
		Says: "a process decides behind f rounds",
		File: "floodset.go",
		Is:   "p.rounds == p.cfg.Rounds\n", Becomes: "p.rounds >= p.cfg.Rounds-1\n",
	},
	{
		Algorithm: "floodset", Name: "own value",
		Says: "a process with several values decides for its own",
		File: "floodset.go",
		Is:   "	p.decision.Made = true\n", Becomes: "	p.decision.Made, p.decision.Value = true, p.input\n",
	},
	{
		Algorithm: "floodset", Name: "second value not told",
		Says: "optimised, a process does not pass the second value on",
		File: "floodset.go",
		Is:   "		p.news = (p.heard &^ before).least()\n", Becomes: "		p.news = 0\n",
	},
	{
		Algorithm: "floodset", Name: "one neighbour",
		Says: "a process tells its first neighbour, and not all",
		File: "floodset.go",
		Is:   "for port := range n.Degree() {", Becomes: "for port := range min(n.Degree(), 1) {",
	},
}

// floodSetSearches are where the defects are looked for.
var floodSetSearches = map[string]catalogtest.Explored{
	"floodset": func(add catalogtest.Add) {
		for _, variant := range []string{"plain", "opt"} {
			add(0, trial.Setting{N: 2, F: "1", Variant: variant, Initiators: "all", Inputs: search.Every})
			add(1, trial.Setting{N: 3, F: "1", Variant: variant, Initiators: "all", Inputs: search.Every})
		}
	},
}

package elections_test

import (
	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
)

var hirschbergSinclairDefects = []catalogtest.Defect{
	{
		Algorithm: "hirschbergsinclair", Name: "swallows nothing",
		Says: "every OUT is passed on or sent back, a worse one too",
		File: "hirschbergsinclair.go",
		Is:   "case p.cfg.Order.Better(m.Rank, p.rank):", Becomes: "case !p.cfg.Original:",
	},
	{
		Algorithm: "hirschbergsinclair", Name: "never farther",
		Says: "the next phase has the same reach",
		File: "hirschbergsinclair.go",
		Is:   "p.probe(n, 2*p.reach)", Becomes: "p.probe(n, p.reach)",
	},
	{
		Algorithm: "hirschbergsinclair", Name: "one side is enough",
		Says: "a candidate goes on with the first answer and does not wait for the second",
		File: "hirschbergsinclair.go",
		Is:   "p.answers == 2 &&", Becomes: "p.answers == 1 &&",
	},
	{
		Algorithm: "hirschbergsinclair", Name: "turns one hop late",
		Says: "an OUT is sent back when it has no hop left, and not by the last process that it may reach",
		File: "hirschbergsinclair.go",
		Is:   "if m.Hops > 1 {", Becomes: "if m.Hops > 0 {",
	},
}

// hirschbergSinclairSearches are where the defects are looked for.
var hirschbergSinclairSearches = map[string]catalogtest.Explored{"hirschbergsinclair": catalogtest.Sizes(2, 3, trial.Setting{}, trial.Setting{Variant: "all-terminate"})}

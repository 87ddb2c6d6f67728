package elections_test

import (
	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
)

var franklinDefects = []catalogtest.Defect{
	{
		Algorithm: "franklin", Name: "two equal neighbours",
		Says: "a process that hears the same identity from both sides takes it for its own",
		File: "franklin.go",
		Is:   "case before.ID == p.rank.ID || after.ID == p.rank.ID:", Becomes: "case before.ID == after.ID:",
	},
	{
		Algorithm: "franklin", Name: "drops what comes early",
		Says: "who retires does not pass on what has come of the next phase",
		File: "franklin.go",
		Is:   "\t\t\tsend(n, Message{Type: Probe, Way: way, Rank: r})\n", Becomes: "\t\t\t_ = r\n",
	},
	{
		Algorithm: "franklin", Name: "looks at one side",
		Says: "who is better than the active process before it stays active; the one after it is not asked",
		File: "franklin.go",
		Is:   "case p.cfg.Order.Better(p.rank, before) && p.cfg.Order.Better(p.rank, after):", Becomes: "case p.cfg.Order.Better(p.rank, before):",
	},
}

// franklinSearches are where the defects are looked for.
var franklinSearches = map[string]catalogtest.Explored{"franklin": catalogtest.Sizes(2, 3, trial.Setting{}, trial.Setting{Variant: "all-terminate"})}

package elections_test

import (
	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
)

var leLannDefects = []catalogtest.Defect{
	{
		Algorithm: "lelann", Name: "looks at no token",
		Says: "an initiator passes tokens on and does not look whose they are",
		File: "lelann.go",
		Is:   "if p.cfg.Order.Better(m.Rank, p.best) {", Becomes: "if m.Type != Token {",
	},
	{
		Algorithm: "lelann", Name: "keeps the token that wakes it",
		Says: "the first token that reaches a process asleep goes no farther",
		File: "lelann.go",
		Is:   "\t\tp.role = relay\n", Becomes: "\t\tp.role = relay\n\t\treturn\n",
	},
	{
		Algorithm: "lelann", Name: "waits for the best",
		Says: "an initiator has seen all when the best token that it knows comes by, and does not know its own",
		File: "lelann.go",
		Is:   "if m.Rank.ID == p.rank.ID {", Becomes: "if m.Rank.ID == p.best.ID {",
	},
	{
		Algorithm: "lelann", Name: "starts too late",
		Says: "a process that has passed tokens on becomes an initiator all the same",
		File: "lelann.go",
		Is:   "if p.role == asleep {\n\t\tp.role, p.best", Becomes: "if p.role != candidate {\n\t\tp.role, p.best",
	},
}

// leLannSearches are where the defects are looked for.
var leLannSearches = map[string]catalogtest.Explored{"lelann": catalogtest.Sizes(2, 4, trial.Setting{})}

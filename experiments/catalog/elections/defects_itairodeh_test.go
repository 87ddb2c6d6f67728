package elections_test

import (
	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
)

var itaiRodehDefects = []catalogtest.Defect{
	{
		Algorithm: "itairodeh", Name: "keeps the flag",
		Says: "a token that meets an equal draw goes on as if it were unique",
		File: "itairodeh.go",
		Is:   "Message{m.Draw, m.Hop + 1, false}", Becomes: "Message{m.Draw, m.Hop + 1, m.Unique}",
	},
	{
		Algorithm: "itairodeh", Name: "drops equals",
		Says: "a token that meets an equal draw is dropped",
		File: "itairodeh.go",
		Is:   "case p.role == active && m.Draw < p.draw:", Becomes: "case p.role == active && m.Draw <= p.draw:",
	},
	{
		Algorithm: "itairodeh", Name: "does not retire",
		Says: "who passes a larger draw on stays active, with its own",
		File: "itairodeh.go",
		Is:   "\t\tp.role, p.draw = passive, 0\n", Becomes: "\t\tif p.role == idle {\n\t\t\tp.role = passive\n\t\t}\n",
	},
	{
		Algorithm: "itairodeh", Name: "takes silence for success",
		Says: "in rounds: a phase without candidates is the last",
		File: "synchronous/synchronous.go",
		Is:   "case p.count == 1:", Becomes: "case p.count <= 1:",
	},
}

// itaiRodehSearches are where the defects are looked for.
var itaiRodehSearches = map[string]catalogtest.Explored{"itairodeh": catalogtest.Sizes(2, 3, trial.Setting{}, trial.Setting{Initiators: "all", Variant: "sync"})}

package elections_test

import (
	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
)

var countingDefects = []catalogtest.Defect{
	{
		Algorithm: "counting", Name: "a round too few",
		Says: "a process that knows one rank more than there were rounds stops",
		File: "counting.go",
		Is:   "len(p.known) <= p.rounds {", Becomes: "len(p.known) <= p.rounds+1 {",
	},
	{
		Algorithm: "counting", Name: "its own alone",
		Says: "a process tells its own rank, and not what it has heard",
		File: "counting.go",
		Is:   "Message(p.known))", Becomes: "Message{p.rank})",
	},
	{
		Algorithm: "counting", Name: "forgets",
		Says: "a process knows itself and those that it hears in the round",
		File: "counting.go",
		Is:   "slices.Clone(p.known)", Becomes: "[]election.Rank{p.rank}",
	},
	{
		Algorithm: "counting", Name: "modest",
		Says: "the best process follows itself and does not lead",
		File: "counting.go",
		Is:   "election.Decide(p.rank.ID, p.best().ID)", Becomes: "election.Decision{Status: election.Follower, Leader: p.best().ID}",
	},
}

// countingSearches are where the defects are looked for.
var countingSearches = map[string]catalogtest.Explored{
	"counting": func(add catalogtest.Add) {
		catalogtest.Sizes(2, 4, trial.Setting{Initiators: "all", Topology: "biring"}, trial.Setting{Initiators: "all", Topology: "line"})(add)
	},
}

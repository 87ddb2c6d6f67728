package mutex_test

import (
	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
)

var maekawaDefects = []catalogtest.Defect{
	{
		Algorithm: "maekawa", Name: "enters with one vote too few",
		Says: "the last vote is not waited for",
		File: "maekawa.go",
		Is:   "l.inside = l.votes() >= l.cfg.Votes", Becomes: "l.inside = l.votes() >= l.cfg.Votes-1",
	},
	{
		Algorithm: "maekawa", Name: "INQUIRE is not answered",
		Says: "a process that may hope still forgets that it was asked for its vote",
		File: "maekawa.go",
		Is:   "\tcase l.answers[voter] == locked:\n\t\tl.answers[voter] = inquired\n", Becomes: "",
	},
	{
		Algorithm: "maekawa", Name: "no FAILED for the overtaken",
		Says: "a request that could hope is not told that another has been put before it (Sanders 1987)",
		File: "maekawa.go",
		Is:   "if len(l.queue) > 1 && compare(l.queue[1], l.vote) < 0 {", Becomes: "if len(l.queue) > len(l.answers) {",
	},
}

// maekawaSearches are where the defects are looked for.
var maekawaSearches = map[string]catalogtest.Explored{
	"maekawa": func(add catalogtest.Add) {
		exploredRequests(add)
		// The smallest quorums in which a request can be overtaken.
		add(0, trial.Setting{N: 4, Initiators: "all", Param: "quorums=majority"})
	},
}

package elections_test

import (
	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
)

var petersonDefects = []catalogtest.Defect{
	{
		Algorithm: "peterson first", Name: "a relay does not look",
		Says: "only an active process recognises its own identity",
		File: "first.go",
		Is:   "case m.Rank.ID == p.rank.ID:", Becomes: "case m.Rank.ID == p.rank.ID && p.role == active:",
	},
	{
		Algorithm: "peterson first", Name: "keeps what it holds",
		Says: "an active process goes on with the rank that it held, not with the one that won",
		File: "first.go",
		Is:   "p.stand(n, p.neighbour)", Becomes: "p.stand(n, p.held)",
	},
	{
		Algorithm: "peterson first", Name: "passes on what came",
		Says: "the TWO is what came as ONE, and not the better of that and what the process stands for",
		File: "first.go",
		Is:   "Message{Type: Two, Rank: p.better(p.held, m.Rank)}", Becomes: "Message{Type: Two, Rank: m.Rank}",
	},
	{
		Algorithm: "peterson improved", Name: "keeps what it holds",
		Says: "who is beaten in an odd round goes on with what it held",
		File: "improved.go",
		Is:   "\t\tp.held = m.Rank\n", Becomes: "",
	},
	{
		Algorithm: "peterson improved", Name: "waits for its own identity",
		Says: "the last active process looks for its own identity, not for the one that it stands for",
		File: "improved.go",
		Is:   "case m.Rank.ID == p.held.ID:", Becomes: "case m.Rank.ID == p.rank.ID:",
	},
	{
		Algorithm: "peterson improved", Name: "no odd rounds",
		Says: "in the odd rounds, too, who beats what comes stays active",
		File: "improved.go",
		Is:   "case m.Type == One && wins:\n\t\tp.held = m.Rank\n", Becomes: "case m.Type == One && !wins:\n",
	},
}

// petersonSearches are where the defects are looked for.
var petersonSearches = map[string]catalogtest.Explored{"peterson": catalogtest.Sizes(2, 4, trial.Setting{})}

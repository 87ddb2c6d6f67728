package elections_test

import (
	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
)

// raftDefects are those of Raft's leader election.
var raftDefects = []catalogtest.Defect{
	{
		Algorithm: "raft", Name: "half is a majority",
		Says: "a candidate with the votes of half of the processes leads",
		File: "raft.go",
		Is:   "	if votes > len(p.votes)/2 {", Becomes: "	if votes >= len(p.votes)/2 {",
	},
	{
		Algorithm: "raft", Name: "votes more than once",
		Says: "a process votes for whoever asks, as often as it is asked in its term",
		File: "raft.go",
		Is:   "granted := m.Term == p.term && (!p.voted || p.votedFor == m.ID)", Becomes: "granted := m.Term == p.term && p.role == follower",
	},
	{
		Algorithm: "raft", Name: "vote not on stable storage",
		Says: "a process that comes back has its term and has forgotten for whom it voted in it",
		File: "raft.go",
		Is:   "	p.term, p.voted, p.votedFor = was.term, was.voted, was.votedFor\n", Becomes: "	p.term = was.term\n",
	},
	{
		Algorithm: "raft", Name: "waits once",
		Says: "a candidate does not wait for the next term, however the vote comes out",
		File: "raft.go",
		Is:   "	p.votes[n.ID()] = true\n	p.wait(n)\n", Becomes: "	p.votes[n.ID()] = true\n",
	},
}

// raftSearches are where the defects are looked for. Identities are compared for equality only, and terms have
// to end.
var raftSearches = map[string]catalogtest.Explored{
	"raft": func(add catalogtest.Add) {
		add(0, trial.Setting{N: 2, Param: "terms=2"})
		add(0, trial.Setting{N: 3, Param: "terms=1"})
		last := add(1, trial.Setting{N: 3, Initiators: "0,2", Param: "terms=1"})
		last.Budget.Restarts, last.Setting.Placement = 1, ""
	},
}

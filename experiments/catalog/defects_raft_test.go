package catalog_test

func init() { defects = append(defects, raftDefects...) }

// raftDefects are those of Raft's leader election.
var raftDefects = []defect{
	{
		algorithm: "raft", name: "half is a majority",
		says: "a candidate with the votes of half of the processes leads",
		file: "raft.go",
		is:   "	if votes > len(p.votes)/2 {", becomes: "	if votes >= len(p.votes)/2 {",
	},
	{
		algorithm: "raft", name: "votes more than once",
		says: "a process votes for whoever asks, as often as it is asked in its term",
		file: "raft.go",
		is:   "granted := m.Term == p.term && (!p.voted || p.votedFor == m.ID)", becomes: "granted := m.Term == p.term && p.role == follower",
	},
	{
		algorithm: "raft", name: "vote not on stable storage",
		says: "a process that comes back has its term and has forgotten for whom it voted in it",
		file: "raft.go",
		is:   "	p.term, p.voted, p.votedFor = was.term, was.voted, was.votedFor\n", becomes: "	p.term = was.term\n",
	},
	{
		algorithm: "raft", name: "waits once",
		says: "a candidate does not wait for the next term, however the vote comes out",
		file: "raft.go",
		is:   "	p.votes[n.ID()] = true\n	p.wait(n)\n", becomes: "	p.votes[n.ID()] = true\n",
	},
}

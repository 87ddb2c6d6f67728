package catalog_test

func init() {
	defects = append(defects,
		defect{
			algorithm: "peterson first", name: "a relay does not look",
			says: "only an active process recognises its own identity",
			file: "first.go",
			is:   "case m.Rank.ID == p.rank.ID:", becomes: "case m.Rank.ID == p.rank.ID && p.role == Active:",
		},
		defect{
			algorithm: "peterson first", name: "keeps what it holds",
			says: "an active process goes on with the rank that it held, not with the one that won",
			file: "first.go",
			is:   "p.stand(n, p.neighbour)", becomes: "p.stand(n, p.held)",
		},
		defect{
			algorithm: "peterson first", name: "passes on what came",
			says: "the TWO is what came as ONE, and not the better of that and what the process stands for",
			file: "first.go",
			is:   "Message{Type: Two, Rank: p.better(p.held, m.Rank)}", becomes: "Message{Type: Two, Rank: m.Rank}",
		},
		defect{
			algorithm: "peterson improved", name: "keeps what it holds",
			says: "who is beaten in an odd round goes on with what it held",
			file: "improved.go",
			is:   "\t\tp.held = m.Rank\n", becomes: "",
		},
		defect{
			algorithm: "peterson improved", name: "waits for its own identity",
			says: "the last active process looks for its own identity, not for the one that it stands for",
			file: "improved.go",
			is:   "case m.Rank.ID == p.held.ID:", becomes: "case m.Rank.ID == p.rank.ID:",
		},
		defect{
			algorithm: "peterson improved", name: "no odd rounds",
			says: "in the odd rounds, too, who beats what comes stays active",
			file: "improved.go",
			is:   "case m.Type == One && wins:\n\t\tp.held = m.Rank\n", becomes: "case m.Type == One && !wins:\n",
		},
	)
}

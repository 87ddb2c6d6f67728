package catalog_test

func init() {
	defects = append(defects,
		defect{
			algorithm: "lelann", name: "looks at no token",
			says: "an initiator passes tokens on and does not look whose they are",
			file: "lelann.go",
			is:   "if p.cfg.Order.Better(m.Rank, p.best) {", becomes: "if m.Type != Token {",
		},
		defect{
			algorithm: "lelann", name: "keeps the token that wakes it",
			says: "the first token that reaches a process asleep goes no farther",
			file: "lelann.go",
			is:   "\t\tp.role = Relay\n", becomes: "\t\tp.role = Relay\n\t\treturn\n",
		},
		defect{
			algorithm: "lelann", name: "waits for the best",
			says: "an initiator has seen all when the best token that it knows comes by, and does not know its own",
			file: "lelann.go",
			is:   "if m.Rank.ID == p.rank.ID {", becomes: "if m.Rank.ID == p.best.ID {",
		},
		defect{
			algorithm: "lelann", name: "starts too late",
			says: "a process that has passed tokens on becomes an initiator all the same",
			file: "lelann.go",
			is:   "if p.role == Asleep {\n\t\tp.role, p.best", becomes: "if p.role != Candidate {\n\t\tp.role, p.best",
		},
	)
}

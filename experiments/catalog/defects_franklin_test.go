package catalog_test

func init() {
	defects = append(defects,
		defect{
			algorithm: "franklin", name: "two equal neighbours",
			says: "a process that hears the same identity from both sides takes it for its own",
			file: "franklin.go",
			is:   "case before.ID == p.rank.ID || after.ID == p.rank.ID:", becomes: "case before.ID == after.ID:",
		},
		defect{
			algorithm: "franklin", name: "drops what comes early",
			says: "who retires does not pass on what has come of the next phase",
			file: "franklin.go",
			is:   "\t\t\tsend(n, Message{Probe, way, r})\n", becomes: "\t\t\t_ = r\n",
		},
		defect{
			algorithm: "franklin", name: "looks at one side",
			says: "who is better than the active process before it stays active; the one after it is not asked",
			file: "franklin.go",
			is:   "case p.cfg.Order.Better(p.rank, before) && p.cfg.Order.Better(p.rank, after):", becomes: "case p.cfg.Order.Better(p.rank, before):",
		},
	)
}

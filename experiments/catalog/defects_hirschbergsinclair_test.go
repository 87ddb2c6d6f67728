package catalog_test

func init() {
	defects = append(defects,
		defect{
			algorithm: "hirschbergsinclair", name: "swallows nothing",
			says: "every OUT is passed on or sent back, a worse one too",
			file: "hirschbergsinclair.go",
			is:   "case p.cfg.Order.Better(m.Rank, p.rank):", becomes: "case !p.cfg.Original:",
		},
		defect{
			algorithm: "hirschbergsinclair", name: "never farther",
			says: "the next phase has the same reach",
			file: "hirschbergsinclair.go",
			is:   "p.probe(n, 2*p.reach)", becomes: "p.probe(n, p.reach)",
		},
		defect{
			algorithm: "hirschbergsinclair", name: "one side is enough",
			says: "a candidate goes on with the first answer and does not wait for the second",
			file: "hirschbergsinclair.go",
			is:   "p.answers == 2 &&", becomes: "p.answers == 1 &&",
		},
		defect{
			algorithm: "hirschbergsinclair", name: "turns one hop late",
			says: "an OUT is sent back when it has no hop left, and not by the last process that it may reach",
			file: "hirschbergsinclair.go",
			is:   "if m.Hops > 1 {", becomes: "if m.Hops > 0 {",
		},
	)
}

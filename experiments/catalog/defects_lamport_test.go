package catalog_test

func init() {
	defects = append(defects,
		defect{
			algorithm: "lamport", name: "waits for nobody",
			says: "a process whose request is the first that it knows of enters, whatever it has not heard of yet",
			file: "lamport.go",
			is:   " || !before(own, l.id, l.heard[p], p)", becomes: "",
		},
		defect{
			algorithm: "lamport", name: "no tie-break",
			says: "of two requests of the same time each is before the other",
			file: "lamport.go",
			is:   "return t1 < t2 || t1 == t2 && p1 < p2", becomes: "return p1 != p2 && t1 <= t2",
		},
		defect{
			algorithm: "lamport", name: "the clock runs on its own",
			says: "what a message says of the time is not taken over",
			file: "lamport.go",
			is:   "l.clock = max(l.clock, m.Time) + 1", becomes: "l.clock++",
		},
	)
}

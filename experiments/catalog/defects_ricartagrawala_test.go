package catalog_test

func init() {
	defects = append(defects,
		defect{
			algorithm: "ricartagrawala", name: "permits while inside",
			says: "who is inside answers at once",
			file: "ricartagrawala.go",
			is:   "if l.inside || l.waiting && l.first", becomes: "if l.waiting && l.first",
		},
		defect{
			algorithm: "ricartagrawala", name: "no tie-break",
			says: "of two requests with the same number each is before the other",
			file: "ricartagrawala.go",
			is:   "return l.number < number || l.number == number && l.id < other", becomes: "return l.number <= number",
		},
		defect{
			algorithm: "ricartagrawala", name: "numbers of its own",
			says: "a process does not take over the sequence numbers that it sees",
			file: "ricartagrawala.go",
			is:   "\tl.highest = max(l.highest, m.Number)\n", becomes: "",
		},
	)
}

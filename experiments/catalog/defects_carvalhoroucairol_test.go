package catalog_test

func init() {
	defects = append(defects,
		defect{
			algorithm: "carvalhoroucairol", name: "permits while inside",
			says: "who is inside answers at once",
			file: "carvalhoroucairol.go",
			is:   "if l.inside || l.waiting && l.first", becomes: "if l.waiting && l.first",
		},
		defect{
			algorithm: "carvalhoroucairol", name: "does not ask again",
			says: "who waits and has to give back a permission does not ask for it",
			file: "carvalhoroucairol.go",
			is:   "if l.waiting && had {", becomes: "if l.inside && had {",
		},
		defect{
			algorithm: "carvalhoroucairol", name: "keeps what it gives",
			says: "who gives permission believes to have that of the other still",
			file: "carvalhoroucairol.go",
			is:   "\tl.permitted[to] = false\n", becomes: "",
		},
	)
}

package catalog_test

func init() {
	defects = append(defects,
		defect{
			algorithm: "centralized", name: "nobody waits in line",
			says: "the coordinator lets everybody in who asks",
			file: "centralized.go",
			is:   "if l.holder != nobody || l.heard != nil {", becomes: "if l.holder == who {",
		},
		defect{
			algorithm: "centralized", name: "the last in line is forgotten",
			says: "who has the permission back does not look whether a single process waits",
			file: "centralized.go",
			is:   "if len(l.queue) > 0 && l.heard == nil {", becomes: "if len(l.queue) > 1 {",
		},
		defect{
			algorithm: "centralized", name: "no note of the next",
			says: "the coordinator does not note who got the permission after a RELEASE",
			file: "centralized.go",
			is:   "\t\tl.tell(n, l.holder, Grant)\n\t}", becomes: "\t\tl.tell(n, l.holder, Grant)\n\t\tl.holder = nobody\n\t}",
		},
	)
}

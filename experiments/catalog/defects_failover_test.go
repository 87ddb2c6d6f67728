package catalog_test

func init() {
	const lock = "../centralized/centralized.go"
	defects = append(defects,
		defect{
			algorithm: "centralized-failover", name: "lets in before it has heard of all",
			says: "a new coordinator does not wait until it knows how far those are who live",
			file: lock,
			is:   "if q := protocols.ID(q); !heard && q != l.id && !protocols.Suspects(n, q) {", becomes: "if q := protocols.ID(q); !heard && q == l.id {",
		},
		defect{
			algorithm: "centralized-failover", name: "who is inside does not say so",
			says: "a process that is inside shows a new coordinator a RELEASE, as if it were not",
			file: lock,
			is:   "\tcase l.granted:\n\t\tl.tell(n, l.coordinator, Grant)\n", becomes: "",
		},
		defect{
			algorithm: "centralized-failover", name: "the dead keep the permission",
			says: "the coordinator does not look whether who is inside lives",
			file: lock,
			is:   "\tcase l.holder != nobody && protocols.Suspects(n, l.holder):\n\t\tl.next(n)\n", becomes: "",
		},
		defect{
			algorithm: "centralized-failover", name: "nobody looks for the coordinator",
			says: "a process that waits does not find the coordinator dead",
			file: "../../failover/failover.go",
			is:   "\tcase protocols.Suspects(n, p.coordinator):\n\t\tp.begin(n)\n", becomes: "",
		},
	)
}

package catalog_test

func init() {
	const order = "../sequencer/sequencer.go"
	defects = append(defects,
		defect{
			algorithm: "sequencer-failover", name: "numbers before it has heard of all",
			says: "a new sequencer does not wait until it knows what those have delivered who live",
			file: order,
			is:   "if !a.given && !protocols.Suspects(n, protocols.ID(q)) {", becomes: "if !a.given && protocols.ID(q) == p.self {",
		},
		defect{
			algorithm: "sequencer-failover", name: "asks once",
			says: "what was not ordered is not requested of a new sequencer",
			file: order,
			is:   "\tfor _, item := range p.pending {\n\t\tp.request(n, item)\n\t}\n", becomes: "",
		},
		defect{
			algorithm: "sequencer-failover", name: "nobody waits for the end of a change",
			says: "a process whose items are delivered does not look whether a new sequencer lives",
			file: order,
			is:   "len(p.pending) > 0 || p.changing", becomes: "len(p.pending) > 0 || p.asked != nil",
		},
		defect{
			algorithm: "sequencer-failover", name: "nobody looks for the sequencer",
			says: "a process that waits does not find the sequencer dead",
			file: "../../failover/failover.go",
			is:   "\tcase protocols.Suspects(n, p.coordinator):\n\t\tp.begin(n)\n", becomes: "",
		},
	)
}

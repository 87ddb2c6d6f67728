package catalog_test

import (
	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
)

const order = "../sequencer/sequencer.go"

var sequencerFailoverDefects = []catalogtest.Defect{
	{
		Algorithm: "sequencer-failover", Name: "numbers before it has heard of all",
		Says: "a new sequencer does not wait until it knows what those have delivered who live",
		File: order,
		Is:   "if !a.given && !n.Suspects(protocols.ID(q)) {", Becomes: "if !a.given && protocols.ID(q) == p.self {",
	},
	{
		Algorithm: "sequencer-failover", Name: "asks once",
		Says: "what was not ordered is not requested of a new sequencer",
		File: order,
		Is:   "\tfor _, item := range p.pending {\n\t\tp.request(n, item)\n\t}\n", Becomes: "",
	},
	{
		Algorithm: "sequencer-failover", Name: "nobody waits for the end of a change",
		Says: "a process whose items are delivered does not look whether a new sequencer lives",
		File: order,
		Is:   "len(p.pending) > 0 || p.changing", Becomes: "len(p.pending) > 0 || p.asked != nil",
	},
	{
		Algorithm: "sequencer-failover", Name: "nobody looks for the sequencer",
		Says: "a process that waits does not find the sequencer dead",
		File: "../../failover/failover.go",
		Is:   "\tcase n.Suspects(p.coordinator):\n\t\tp.begin(n)\n", Becomes: "",
	},
}

// sequencerFailoverSearches are where the defects are looked for.
var sequencerFailoverSearches = map[string]catalogtest.Explored{
	"sequencer-failover": func(add catalogtest.Add) {
		for _, election := range []string{"bully", "lcr"} {
			add(1, trial.Setting{N: 3, Initiators: "all", Param: "election=" + election})
		}
		add(2, trial.Setting{N: 4, Initiators: "last", Param: "election=bully"})
	},
}

package catalog_test

import (
	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
)

const lock = "../centralized/centralized.go"

var failoverDefects = []catalogtest.Defect{
	{
		Algorithm: "centralized-failover", Name: "lets in before it has heard of all",
		Says: "a new coordinator does not wait until it knows how far those are who live",
		File: lock,
		Is:   "if q := protocols.ID(q); !heard && q != l.id && !n.Suspects(q) {", Becomes: "if q := protocols.ID(q); !heard && q == l.id {",
	},
	{
		Algorithm: "centralized-failover", Name: "who is inside does not say so",
		Says: "a process that is inside shows a new coordinator a RELEASE, as if it were not",
		File: lock,
		Is:   "\tcase l.granted:\n\t\tl.tell(n, l.coordinator, Grant)\n", Becomes: "",
	},
	{
		Algorithm: "centralized-failover", Name: "the dead keep the permission",
		Says: "the coordinator does not look whether who is inside lives",
		File: lock,
		Is:   "\tcase l.holder != nobody && n.Suspects(l.holder):\n\t\tl.next(n)\n", Becomes: "",
	},
	{
		Algorithm: "centralized-failover", Name: "nobody looks for the coordinator",
		Says: "a process that waits does not find the coordinator dead",
		File: "../../failover/failover.go",
		Is:   "\tcase n.Suspects(p.coordinator):\n\t\tp.begin(n)\n", Becomes: "",
	},
}

// failoverSearches are where the defects are looked for.
var failoverSearches = map[string]catalogtest.Explored{
	"centralized-failover": func(add catalogtest.Add) {
		for _, election := range []string{"bully", "lcr"} {
			add(1, trial.Setting{N: 2, Param: "election=" + election})
			add(1, trial.Setting{N: 3, Initiators: "all", Param: "cs=3ms,election=" + election})
		}
	},
}

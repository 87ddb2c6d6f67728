package elections_test

import (
	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
)

var topologyAwareDefects = []catalogtest.Defect{
	{
		Algorithm: "topologyaware", Name: "no leader at the beginning",
		Says: "a process begins with identity 0 as its leader, and not as its own leader",
		File: "topologyaware.go",
		Is:   "cfg: cfg, leader: rank.ID}", Becomes: "cfg: cfg}",
	},
	{
		Algorithm: "topologyaware", Name: "says nothing to whom it meets",
		Says: "a process whose link has come up does not send KNOWN",
		File: "topologyaware.go",
		Is:   "\town.Near = with(own.Near, q)\n\tp.tell(n, Message{Type: Known, Views: slices.Clone(p.known)})\n", Becomes: "\town.Near = with(own.Near, q)\n",
	},
	{
		Algorithm: "topologyaware", Name: "keeps a loss to itself",
		Says: "a process that has lost a neighbour makes no update of it",
		File: "topologyaware.go",
		Is:   "\town.lose(lost)\n\tp.later(n, lost)\n", Becomes: "\town.lose(lost)\n",
	},
	{
		Algorithm: "topologyaware", Name: "old views count",
		Says: "a process takes each view that differs from its own, and not later ones only",
		File: "topologyaware.go",
		Is:   "found && u.Clock <= p.known[i].Clock", Becomes: "found && u.Clock == p.known[i].Clock",
	},
	{
		Algorithm: "topologyaware", Name: "news goes one hop",
		Says: "a process does not pass on what it has learnt",
		File: "topologyaware.go",
		Is:   "\tp.later(n, u)\n\treturn true\n", Becomes: "\treturn true\n",
	},
}

// topologyAwareSearches are where the defects are looked for.
var topologyAwareSearches = map[string]catalogtest.Explored{"topologyaware": func(add catalogtest.Add) {
	for changes := range 3 {
		add(0, trial.Setting{N: 2, Initiators: "all"}).Budget.LinkChanges = changes
	}
	for changes := range 2 {
		add(0, trial.Setting{N: 3, Topology: "line", Initiators: "all"}).Budget.LinkChanges = changes
	}
}}

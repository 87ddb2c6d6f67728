package elections_test

import (
	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
)

var vktDefects = []catalogtest.Defect{
	{
		Algorithm: "vktlinks", Name: "a lost child may still lead",
		Says: "a process whose best child is lost before the election is over announces it, or has announced it",
		File: "../vkt/vkt.go",
		Is:   "case !d.open, d.through == q && !d.watched:", Becomes: "case !d.open:",
	},
	{
		Algorithm: "vktlinks", Name: "an orphan waits",
		Says: "a process that has sent its ACK waits for LEADER even if its parent is lost",
		File: "../vkt/vkt.go",
		Is:   "if d.parent == q {", Becomes: "if d.parent == q && (d.watched || !d.reported) {",
	},
	{
		Algorithm: "vktlinks", Name: "the later election is ignored",
		Says: "a process in an election does not mind the leader of a later one, whose processes ignore its own",
		File: "../vkt/vkt.go",
		Is:   "case d.open && c > 0:", Becomes: "case d.open && c > 0 && d.watched:",
	},
	{
		Algorithm: "vktlinks", Name: "says nothing to whom it meets",
		Says: "a process tells a new neighbour neither of its election nor of its leader",
		File: "../vkt/vkt.go",
		Is:   "if d.open || d.led {", Becomes: "if d.watched && (d.open || d.led) {",
	},

	{
		Algorithm: "vkt", Name: "nobody misses the leader",
		Says: "a process that has heard no heartbeat for too long does nothing",
		File: "beacons.go",
		Is:   "\tdefault:\n\t\tp.begin(n, 0)\n", Becomes: "",
	},
	{
		Algorithm: "vkt", Name: "the parent is not probed",
		Says: "a process that has sent its ACK waits for LEADER in silence",
		File: "beacons.go",
		Is:   "if p.reported {", Becomes: "if p.reported && p.parent == nobody {",
	},
	{
		Algorithm: "vkt", Name: "heartbeats go one hop",
		Says: "a heartbeat is not passed on",
		File: "beacons.go",
		Is:   "\tp.led, p.leader, p.silent, p.beat = true, m.Best, 0, m.Beat\n\tp.beats(n)\n", Becomes: "\tp.led, p.leader, p.silent, p.beat = true, m.Best, 0, m.Beat\n",
	},
	{
		Algorithm: "vkt", Name: "a neighbour for ever",
		Says: "a process that is silent remains a neighbour a hundred times as long",
		File: "beacons.go",
		Is:   "return age > p.cfg.Misses", Becomes: "return age > 100*p.cfg.Misses",
	},
}

// vktSearches are where the defects of vktlinks are looked for. Those of vkt show in runs alone: it has
// infinitely many states.
var vktSearches = map[string]catalogtest.Explored{"vktlinks": func(add catalogtest.Add) {
	for changes := range 4 {
		add(0, trial.Setting{N: 2, Initiators: "all"}).Budget.LinkChanges = changes
	}
	for changes := range 3 {
		add(0, trial.Setting{N: 3, Topology: "line", Initiators: "all"}).Budget.LinkChanges = changes
	}
	for changes := range 2 {
		add(0, trial.Setting{N: 3, Initiators: "all"}).Budget.LinkChanges = changes
	}
}}

package mutex_test

import (
	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
)

var lamportDefects = []catalogtest.Defect{
	{
		Algorithm: "lamport", Name: "waits for nobody",
		Says: "a process whose request is the first that it knows of enters, whatever it has not heard of yet",
		File: "lamport.go",
		Is:   " || !before(own, l.id, l.heard[p], p)", Becomes: "",
	},
	{
		Algorithm: "lamport", Name: "no tie-break",
		Says: "of two requests of the same time each is before the other",
		File: "lamport.go",
		Is:   "return t1 < t2 || t1 == t2 && p1 < p2", Becomes: "return p1 != p2 && t1 <= t2",
	},
	{
		Algorithm: "lamport", Name: "the clock runs on its own",
		Says: "what a message says of the time is not taken over",
		File: "lamport.go",
		Is:   "l.clock = max(l.clock, m.Time) + 1", Becomes: "l.clock++",
	},
}

// lamportSearches are where the defects are looked for.
var lamportSearches = map[string]catalogtest.Explored{
	"lamport": func(add catalogtest.Add) {
		add(0, trial.Setting{N: 2, Param: "requests=2"})
		add(0, trial.Setting{N: 3, Initiators: "all"})
	},
}

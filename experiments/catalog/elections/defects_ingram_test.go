package elections_test

import (
	"fmt"

	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
)

var ingramDefects = []catalogtest.Defect{
	{
		Algorithm: "ingram", Name: "no leader at the beginning",
		Says: "a process begins with the leader pair (0, 0), and not as its own leader",
		File: "ingram.go",
		Is:   "Height{Leader: id, ID: id}", Becomes: "Height{ID: id}",
	},
	{
		Algorithm: "ingram", Name: "alone and without a leader",
		Says: "a process that has lost its last link does not elect itself",
		File: "ingram.go",
		Is:   "\tcase !p.formed():\n\t\tp.electSelf()\n", Becomes: "\tcase !p.formed():\n",
	},
	{
		Algorithm: "ingram", Name: "says nothing to whom it meets",
		Says: "a process sends no UPDATE to a neighbour whose link has come up",
		File: "ingram.go",
		Is:   "\tn.Send(q, p.update())\n}", Becomes: "}",
	},
	{
		Algorithm: "ingram", Name: "reflects nothing",
		Says: "a process from which a search has no way on starts a new one",
		File: "ingram.go",
		Is:   "\t\tp.reflect(m.Height.Level)\n", Becomes: "\t\tp.startNewLevel()\n",
	},
}

// ingramSearches are where the defects are looked for.
var ingramSearches = map[string]catalogtest.Explored{"ingram": func(add catalogtest.Add) {
	for changes := range 3 {
		add(0, trial.Setting{N: 2, Initiators: "all"}).Budget.LinkChanges = changes
	}
	add(0, trial.Setting{N: 3, Topology: "line", Initiators: "all"}).Budget.LinkChanges = 1
}}

// changing yields a setting in which each link goes down at each half of a delay, for good or until the
// search for another leader is under way, on a line and on a complete graph.
func changing(s trial.Setting, n int, yield func(trial.Setting) bool) bool {
	for _, s.Topology = range []string{"line", "complete"} {
		for p := range n {
			for half := 1; half <= 4*n; half++ {
				down := fmt.Sprintf("at %dus down %d<->*", 500*half, p)
				for _, s.Fault = range []string{down, fmt.Sprintf("%s; at %dus up %d<->*", down, 500*half+2500, p)} {
					if !yield(s) {
						return false
					}
				}
			}
		}
	}
	return true
}

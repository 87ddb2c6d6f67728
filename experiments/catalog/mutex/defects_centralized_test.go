package mutex_test

import (
	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
)

var centralizedDefects = []catalogtest.Defect{
	{
		Algorithm: "centralized", Name: "nobody waits in line",
		Says: "the coordinator lets everybody in who asks",
		File: "centralized.go",
		Is:   "if l.holder != nobody || l.heard != nil {", Becomes: "if l.holder == who {",
	},
	{
		Algorithm: "centralized", Name: "the last in line is forgotten",
		Says: "who has the permission back does not look whether a single process waits",
		File: "centralized.go",
		Is:   "if len(l.queue) > 0 && l.heard == nil {", Becomes: "if len(l.queue) > 1 {",
	},
	{
		Algorithm: "centralized", Name: "no note of the next",
		Says: "the coordinator does not note who got the permission after a RELEASE",
		File: "centralized.go",
		Is:   "\t\tl.tell(n, l.holder, Grant)\n\t}", Becomes: "\t\tl.tell(n, l.holder, Grant)\n\t\tl.holder = nobody\n\t}",
	},
}

// centralizedSearches are where the defects are looked for.
var centralizedSearches = map[string]catalogtest.Explored{"centralized": exploredRequests}

// exploredRequests are one request and two of each of few clients.
func exploredRequests(add catalogtest.Add) {
	catalogtest.Sizes(2, 3, trial.Setting{}, trial.Setting{Param: "requests=2"})(add)
	add(0, trial.Setting{N: 3, Initiators: "all", Param: "requests=2,think=1ms"})
}

package mutex_test

import "bullring/experiments/catalog/internal/catalogtest"

var carvalhoRoucairolDefects = []catalogtest.Defect{
	{
		Algorithm: "carvalhoroucairol", Name: "permits while inside",
		Says: "who is inside answers at once",
		File: "carvalhoroucairol.go",
		Is:   "if l.inside || l.waiting && l.first", Becomes: "if l.waiting && l.first",
	},
	{
		Algorithm: "carvalhoroucairol", Name: "does not ask again",
		Says: "who waits and has to give back a permission does not ask for it",
		File: "carvalhoroucairol.go",
		Is:   "if l.waiting && had {", Becomes: "if l.inside && had {",
	},
	{
		Algorithm: "carvalhoroucairol", Name: "keeps what it gives",
		Says: "who gives permission believes to have that of the other still",
		File: "carvalhoroucairol.go",
		Is:   "\tl.permitted[to] = false\n", Becomes: "",
	},
}

// carvalhoRoucairolSearches are where the defects are looked for.
var carvalhoRoucairolSearches = map[string]catalogtest.Explored{"carvalhoroucairol": exploredRequests}

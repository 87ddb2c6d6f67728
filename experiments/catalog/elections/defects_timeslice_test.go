package elections_test

import (
	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
)

var timeSliceDefects = []catalogtest.Defect{
	{
		Algorithm: "timeslice", Name: "impatient",
		Says: "a phase takes a round, and not n",
		File: "timeslice.go",
		Is:   "return int(p.id-1) * p.n", Becomes: "return int(p.id - 1)",
	},
	{
		Algorithm: "timeslice", Name: "keeps the token",
		Says: "nobody passes the token on",
		File: "timeslice.go",
		Is:   "p.passes = p.token != p.id", Becomes: "p.passes = false",
	},
	{
		Algorithm: "timeslice", Name: "two begin",
		Says: "the second identity takes the first phase for its own as well",
		File: "timeslice.go",
		Is:   "if p.id <= 1 {", Becomes: "if p.id <= 2 {",
	},
}

// timeSliceSearches are where the defects are looked for.
var timeSliceSearches = map[string]catalogtest.Explored{"timeslice": catalogtest.Sizes(2, 4, trial.Setting{Initiators: "all"})}

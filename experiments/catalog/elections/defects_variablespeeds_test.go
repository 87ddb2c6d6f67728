package elections_test

import (
	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
)

var variableSpeedsDefects = []catalogtest.Defect{
	{
		Algorithm: "variablespeeds", Name: "keeps the larger",
		Says: "a smaller token is dropped, and a larger one kept",
		File: "variablespeeds.go",
		Is:   "case id < p.least:", Becomes: "case id > p.least:",
	},
	{
		Algorithm: "variablespeeds", Name: "own token not recognised",
		Says: "a token that has come home is dropped like any that is not smaller",
		File: "variablespeeds.go",
		Is:   "case id == p.id:", Becomes: "case id == p.id && p.keeps:",
	},
	{
		Algorithm: "variablespeeds", Name: "one speed",
		Says: "every token takes two rounds a hop",
		File: "variablespeeds.go",
		Is:   "return 1<<min(max(p.least, 1), slowest) - 1", Becomes: "return min(slowest, 1)",
	},
}

// variableSpeedsSearches are where the defects are looked for.
var variableSpeedsSearches = map[string]catalogtest.Explored{"variablespeeds": catalogtest.Sizes(2, 4, trial.Setting{Initiators: "all"})}

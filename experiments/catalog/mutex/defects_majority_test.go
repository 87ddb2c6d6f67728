package mutex_test

import (
	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
)

var majorityDefects = []catalogtest.Defect{
	{
		Algorithm: "majority", Name: "half is enough",
		Says: "half of the votes let a process in",
		File: "majority.go",
		Is:   "n/2 + 1", Becomes: "n / 2",
	},
	{
		Algorithm: "majority", Name: "nobody asks for votes back",
		Says: "votes stay where they are until their owner leaves",
		File: "majority.go",
		Is:   "Votes: votes}", Becomes: "Votes: votes, Naive: true}",
	},
	{
		Algorithm: "majority", Name: "asks a majority only",
		Says: "no more are asked than votes are needed",
		File: "majority.go",
		Is:   "maekawa.Everybody(n)[id]", Becomes: "maekawa.Everybody(n)[id][:votes]",
	},
}

// majoritySearches are where the defects are looked for.
var majoritySearches = map[string]catalogtest.Explored{"majority": catalogtest.Sizes(2, 3, trial.Setting{})}

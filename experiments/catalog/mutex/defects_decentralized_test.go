package mutex_test

import (
	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
)

var decentralizedDefects = []catalogtest.Defect{
	{
		Algorithm: "decentralized", Name: "votes cannot be had back",
		Says: "a coordinator does not recognise the vote that it gets back",
		File: "decentralized.go",
		Is:   "if l.votedFor == from {", Becomes: "if l.votedFor == nobody {",
	},
	{
		Algorithm: "decentralized", Name: "votes more than once",
		Says: "a coordinator denies its vote to the process that has it, and to no other",
		File: "decentralized.go",
		Is:   "if l.votedFor != nobody {", Becomes: "if l.votedFor == p {",
	},
	{
		Algorithm: "decentralized", Name: "one DENY does not matter",
		Says: "the last answer of an attempt is taken for a GRANT",
		File: "decentralized.go",
		Is:   "\tif granted {", Becomes: "\tif granted || l.open == 1 {",
	},
	{
		Algorithm: "decentralized", Name: "votes of failed attempts are kept",
		Says: "who tries again later does not give back what it has",
		File: "decentralized.go",
		Is:   "\tl.giveBack(n)\n\tn.SetTimer", Becomes: "\tn.SetTimer",
	},
}

// decentralizedSearches are where the defects are looked for.
var decentralizedSearches = map[string]catalogtest.Explored{
	"decentralized": func(add catalogtest.Add) {
		add(0, trial.Setting{N: 3, Initiators: "0", Param: "requests=2,slots=1"})
	},
}

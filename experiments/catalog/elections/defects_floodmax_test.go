package elections_test

import (
	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
)

var floodMaxDefects = []catalogtest.Defect{
	{
		Algorithm: "floodmax", Name: "a round too few",
		Says: "a process decides behind D-1 rounds",
		File: "floodmax.go",
		Is:   "if p.rounds == p.cfg.Diameter {", Becomes: "if p.rounds >= p.cfg.Diameter-1 {",
	},
	{
		Algorithm: "floodmax", Name: "counts news",
		Says: "rounds in which nothing new was heard do not count",
		File: "floodmax.go",
		Is:   "\tp.rounds++\n", Becomes: "\tif p.news {\n\t\tp.rounds++\n\t}\n",
	},
	{
		Algorithm: "floodmax", Name: "old news",
		Says: "optimised, a process does not pass on what it hears",
		File: "floodmax.go",
		Is:   "p.best, p.news = a.Message.Rank, true", Becomes: "p.best = a.Message.Rank",
	},
	{
		Algorithm: "floodmax", Name: "one neighbour",
		Says: "a process tells its first neighbour, and not all",
		File: "floodmax.go",
		Is:   "for port := range n.Degree() {", Becomes: "for port := range min(n.Degree(), 1) {",
	},
	{
		Algorithm: "floodmax", Name: "no ACK",
		Says: "behind alpha nobody acknowledges",
		File: "../../rounds/alpha.go",
		Is:   "\t\tn.Send(from, AlphaMessage[M]{Type: Ack, Odd: m.Odd})\n", Becomes: "",
	},
}

// floodMaxSearches are where the defects are looked for.
var floodMaxSearches = map[string]catalogtest.Explored{
	"floodmax": func(add catalogtest.Add) {
		catalogtest.Sizes(2, 3, trial.Setting{Initiators: "all"}, trial.Setting{Initiators: "all", Variant: "opt"}, trial.Setting{Initiators: "all", Topology: "complete"})(add)
		add(0, trial.Setting{N: 2, Variant: "alpha"})
	},
}

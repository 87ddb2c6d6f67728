package elections_test

import (
	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
)

var freiDefects = []catalogtest.Defect{
	{
		Algorithm: "freistable", Name: "swallows the first",
		Says: "each process swallows the first pulse that arrives, whatever its identity",
		File: "../frei/stable.go",
		Is:   "if p.arrived++; p.arrived != p.id {", Becomes: "if p.arrived++; p.arrived > 1 {",
	},
	{
		Algorithm: "freistable", Name: "swallows nothing",
		Says: "a process passes on the pulse whose number is its identity, too",
		File: "../frei/stable.go",
		Is:   "if p.arrived++; p.arrived != p.id {", Becomes: "if p.arrived++; p.arrived > 0 {",
	},
	{
		Algorithm: "freistable", Name: "leads for good",
		Says: "a process that has swallowed a pulse leads, whatever arrives later",
		File: "../frei/stable.go",
		Is:   "if p.arrived == p.id {", Becomes: "if p.arrived >= p.id {",
	},
	{
		Algorithm: "freistable", Name: "sleeps on",
		Says: "a pulse does not wake a process, which passes it on all the same",
		File: "../frei/stable.go",
		Is:   "\tp.Start(n)\n", Becomes: "",
	},

	{
		Algorithm: "frei", Name: "does not lag",
		Says: "a process takes part in the second election as soon as one pulse of the first has come",
		File: "frei.go",
		Is:   "\tif p.first >= p.id {", Becomes: "\tif p.first >= 1 {",
	},
	{
		Algorithm: "frei", Name: "one election is enough",
		Says: "who swallows its pulse in the second election leads, whatever it has counted in the first",
		File: "frei.go",
		Is:   "case p.first == p.id:", Becomes: "case p.first >= p.id:",
	},
	{
		Algorithm: "frei", Name: "ends too early",
		Says: "a process terminates when it has counted as many pulses in the second election as in the first",
		File: "frei.go",
		Is:   "last := p.second > p.first", Becomes: "last := p.second >= p.first",
	},
	{
		Algorithm: "frei", Name: "forgets what comes early",
		Says: "pulses of the second election that come before a process takes part in it are lost",
		File: "frei.go",
		Is:   "\t\tp.unread++\n", Becomes: "\t\tif p.begun {\n\t\t\tp.unread++\n\t\t}\n",
	},
	{
		Algorithm: "frei", Name: "the end goes on",
		Says:    "the leader passes on the pulse that has told all others that it is over",
		File:    "frei.go",
		Is:      "\tcase last && p.decision.Status == election.Leader:\n\t\tp.over = true\n",
		Becomes: "\tcase last && p.decision.Status == election.Leader:\n\t\tp.over = true\n\t\tpulse(n, election.Against)\n",
	},

	{
		Algorithm: "freiunoriented", Name: "one number for both ways",
		Says: "a process swallows the pulse with the same number at both ports, so that the ways do not differ",
		File: "../frei/unoriented.go",
		Is:   "{ return p.id + election.Identity(port) }", Becomes: "{ return p.id + 0*election.Identity(port) }",
	},
	{
		Algorithm: "freiunoriented", Name: "looks at one port",
		Says: "a process leads if it has swallowed the last pulse that has come at its second port, whatever has come at the first",
		File: "../frei/unoriented.go",
		Is:   "if p.arrived[b] == p.own(b) && p.arrived[a] <= p.own(a) {", Becomes: "if p.arrived[b] == p.own(b) {",
	},
	{
		Algorithm: "freiunoriented", Name: "turns round",
		Says: "a process sends a pulse back to where it has come from",
		File: "../frei/unoriented.go",
		Is:   "pulse(n, p.way(to))", Becomes: "pulse(n, p.way(from))\n\t\t_ = to",
	},
	{
		Algorithm: "freiunoriented", Name: "begins one way",
		Says: "a process that wakes up sends a pulse by its first port alone",
		File: "../frei/unoriented.go",
		Is:   "\t\tpulse(n, p.way(a))\n\t\tpulse(n, p.way(b))\n", Becomes: "\t\tpulse(n, p.way(a))\n",
	},
}

// freiSearches are where the defects are looked for.
var freiSearches = map[string]catalogtest.Explored{
	"freistable":     catalogtest.Sizes(2, 3, trial.Setting{}),
	"frei":           catalogtest.Sizes(2, 4, trial.Setting{}),
	"freiunoriented": catalogtest.Sizes(2, 3, trial.Setting{}, trial.Setting{Param: "swapped=none"}),
}

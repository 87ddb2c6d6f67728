package elections_test

import (
	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
)

// defectsOnGraphs are those of the elections on graphs.
var defectsOnGraphs = []catalogtest.Defect{
	{
		Algorithm: "echo", Name: "one token early",
		Says: "a process answers, or is the leader, when all its neighbours but one have sent a token",
		File: "echo.go",
		Is:   "case p.received != len(p.neighbors):", Becomes: "case p.received < len(p.neighbors)-1:",
	},
	{
		Algorithm: "echo", Name: "the old count",
		Says: "who joins a better wave goes on counting with the tokens of the one before",
		File: "echo.go",
		Is:   "p.awake, p.wave, p.father, p.received = true, wave, father, 0", Becomes: "p.awake, p.wave, p.father = true, wave, father",
	},
	{
		Algorithm: "echo", Name: "no extinction",
		Says: "a process joins every wave that is another one",
		File: "echo.go",
		Is:   "if !p.awake || p.cfg.Order.Better(wave, p.wave) {", Becomes: "if !p.awake || wave != p.wave {",
	},

	{
		Algorithm: "electiontree", Name: "a broken tree is believed",
		Says: "the root announces the best that it has heard of although somebody died before its subtree was done",
		File: "electiontree.go",
		Is:   "case p.broken:", Becomes: "case p.broken && p.parent != nobody:",
	},
	{
		Algorithm: "electiontree", Name: "an orphan waits",
		Says: "who has reported waits for LEADER even if its parent has died",
		File: "electiontree.go",
		Is:   "if p.parent != nobody && n.Suspects(p.parent) {", Becomes: "if p.parent != nobody && len(p.waiting) > 0 && n.Suspects(p.parent) {",
	},
	{
		Algorithm: "electiontree", Name: "the worst of the subtree",
		Says: "the comparison in the search for the best is the wrong way round",
		File: "electiontree.go",
		Is:   "if p.cfg.Order.Better(m.Best, p.best) {", Becomes: "if p.cfg.Order.Better(p.best, m.Best) {",
	},
	{
		Algorithm: "electiontree", Name: "no ACK at once",
		Says: "an ELECTION that comes to a process that is in the tree is not answered",
		File: "electiontree.go",
		Is:   "\t\t\tn.Send(from, Message{Type: Ack, Index: m.Index})\n", Becomes: "",
	},

	{
		Algorithm: "ghs", Name: "both ends of the core lead",
		Says: "the two processes that know that it is over do not compare themselves",
		File: "ghs.go",
		Is:   "if p.cfg.Order.Better(p.rank, p.core) {", Becomes: "if p.rank != p.core {",
	},
	{
		Algorithm: "ghs", Name: "answers too early",
		Says: "a TEST of the next level is answered by a process that may join the fragment itself",
		File: "ghs.go",
		Is:   "case m.Level > p.level:", Becomes: "case m.Level > p.level+1:",
	},
	{
		Algorithm: "ghs", Name: "joins at once",
		Says: "a CONNECT of the same level is accepted although this is not the lightest edge",
		File: "ghs.go",
		Is:   "case p.edges[j].state == basic:", Becomes: "case p.edges[j].state == rejected:",
	},
	{
		Algorithm: "ghs", Name: "a report comes too early",
		Says: "the other side's REPORT is compared before the own search is over",
		File: "ghs.go",
		Is:   "case p.phase == find:\n\t\treturn false", Becomes: "case p.phase == sleeping:\n\t\treturn false",
	},

	{
		Algorithm: "afekgafni", Name: "no tie-break",
		Says: "of two claims of one level neither is the stronger",
		File: "afekgafni.go",
		Is:   "return p.cfg.Order.Better(a.Rank, b.Rank)", Becomes: "return false",
	},
	{
		Algorithm: "afekgafni", Name: "captured and goes on",
		Says: "a candidate whose own process is captured remains one",
		File: "afekgafni.go",
		Is:   "\t\tp.running = false\n\t\tp.fall(n)\n", Becomes: "\t\tp.fall(n)\n",
	},
	{
		Algorithm: "afekgafni", Name: "every ACCEPT counts",
		Says: "a candidate that has given up takes an ACCEPT that was under way, and goes on",
		File: "afekgafni.go",
		Is:   "if p.running && m.Claim == p.own() {", Becomes: "if m.Claim == p.own() {",
	},

	{
		Algorithm: "afekgafnisync", Name: "candidates accept nobody",
		Says: "a process that is a candidate turns down every other one, a better one too",
		File: "afekgafnisync.go",
		Is:   "if p.wanted && !(p.running && p.cfg.Order.Better(p.rank, p.claimant)) {", Becomes: "if p.wanted && !p.running {",
	},
	{
		Algorithm: "afekgafnisync", Name: "equals are refused",
		Says: "a process accepts a candidate only if that is not better than itself",
		File: "afekgafnisync.go",
		Is:   "p.cfg.Order.Better(p.rank, p.claimant)", Becomes: "p.cfg.Order.Better(p.claimant, p.rank)",
	},
	{
		Algorithm: "afekgafnisync", Name: "all but one",
		Says: "a candidate goes on if all that it asked but one have accepted it",
		File: "afekgafnisync.go",
		Is:   "if p.accepted < p.asked {", Becomes: "if p.accepted+1 < p.asked {",
	},
}

// searchesOnGraphs are where the defects are looked for.
var searchesOnGraphs = map[string]catalogtest.Explored{
	"echo":          exploredOnLines,
	"ghs":           exploredOnLines,
	"afekgafni":     catalogtest.Sizes(2, 4, trial.Setting{}),
	"afekgafnisync": catalogtest.Sizes(2, 3, trial.Setting{Initiators: "all"}),
	"electiontree": func(add catalogtest.Add) {
		add(0, trial.Setting{N: 2})
		add(0, trial.Setting{N: 3, Topology: "line"})
		add(0, trial.Setting{N: 3, Initiators: "0"})
		add(1, trial.Setting{N: 2})
		add(1, trial.Setting{N: 3, Initiators: "0"})
	},
}

func exploredOnLines(add catalogtest.Add) {
	add(0, trial.Setting{N: 2})
	add(0, trial.Setting{N: 3, Topology: "line"})
	add(0, trial.Setting{N: 3})
}

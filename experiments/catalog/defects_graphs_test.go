package catalog_test

func init() { defects = append(defects, defectsOnGraphs...) }

// defectsOnGraphs are those of the elections on graphs.
var defectsOnGraphs = []defect{
	{
		algorithm: "echo", name: "one token early",
		says: "a process answers, or is the leader, when all its neighbours but one have sent a token",
		file: "echo.go",
		is:   "case p.received != len(p.neighbors):", becomes: "case p.received < len(p.neighbors)-1:",
	},
	{
		algorithm: "echo", name: "the old count",
		says: "who joins a better wave goes on counting with the tokens of the one before",
		file: "echo.go",
		is:   "p.awake, p.wave, p.father, p.received = true, wave, father, 0", becomes: "p.awake, p.wave, p.father = true, wave, father",
	},
	{
		algorithm: "echo", name: "no extinction",
		says: "a process joins every wave that is another one",
		file: "echo.go",
		is:   "if !p.awake || p.cfg.Order.Better(wave, p.wave) {", becomes: "if !p.awake || wave != p.wave {",
	},

	{
		algorithm: "electiontree", name: "a broken tree is believed",
		says: "the root announces the best that it has heard of although somebody died before its subtree was done",
		file: "electiontree.go",
		is:   "case p.broken:", becomes: "case p.broken && p.parent != nobody:",
	},
	{
		algorithm: "electiontree", name: "an orphan waits",
		says: "who has reported waits for LEADER even if its parent has died",
		file: "electiontree.go",
		is:   "if p.parent != nobody && protocols.Suspects(n, p.parent) {", becomes: "if p.parent != nobody && len(p.waiting) > 0 && protocols.Suspects(n, p.parent) {",
	},
	{
		algorithm: "electiontree", name: "the worst of the subtree",
		says: "the comparison in the search for the best is the wrong way round",
		file: "electiontree.go",
		is:   "if p.cfg.Order.Better(m.Best, p.best) {", becomes: "if p.cfg.Order.Better(p.best, m.Best) {",
	},
	{
		algorithm: "electiontree", name: "no ACK at once",
		says: "an ELECTION that comes to a process that is in the tree is not answered",
		file: "electiontree.go",
		is:   "\t\t\tn.Send(from, Message{Type: Ack, Index: m.Index})\n", becomes: "",
	},

	{
		algorithm: "ghs", name: "both ends of the core lead",
		says: "the two processes that know that it is over do not compare themselves",
		file: "ghs.go",
		is:   "if p.cfg.Order.Better(p.rank, p.core) {", becomes: "if p.rank != p.core {",
	},
	{
		algorithm: "ghs", name: "answers too early",
		says: "a TEST of the next level is answered by a process that may join the fragment itself",
		file: "ghs.go",
		is:   "case m.Level > p.level:", becomes: "case m.Level > p.level+1:",
	},
	{
		algorithm: "ghs", name: "joins at once",
		says: "a CONNECT of the same level is accepted although this is not the lightest edge",
		file: "ghs.go",
		is:   "case p.edges[j].state == basic:", becomes: "case p.edges[j].state == rejected:",
	},
	{
		algorithm: "ghs", name: "a report comes too early",
		says: "the other side's REPORT is compared before the own search is over",
		file: "ghs.go",
		is:   "case p.phase == find:\n\t\treturn false", becomes: "case p.phase == sleeping:\n\t\treturn false",
	},

	{
		algorithm: "afekgafni", name: "no tie-break",
		says: "of two claims of one level neither is the stronger",
		file: "afekgafni.go",
		is:   "return p.cfg.Order.Better(a.Rank, b.Rank)", becomes: "return false",
	},
	{
		algorithm: "afekgafni", name: "captured and goes on",
		says: "a candidate whose own process is captured remains one",
		file: "afekgafni.go",
		is: `		p.running = false // its claim was its own process's
`,
		becomes: "",
	},
	{
		algorithm: "afekgafni", name: "every ACCEPT counts",
		says: "a candidate that has given up takes an ACCEPT that was under way, and goes on",
		file: "afekgafni.go",
		is:   "if p.running && m.Claim == p.own() {", becomes: "if m.Claim == p.own() {",
	},

	{
		algorithm: "afekgafnisync", name: "candidates accept nobody",
		says: "a process that is a candidate turns down every other one, a better one too",
		file: "afekgafnisync.go",
		is:   "if p.wanted && !(p.running && p.cfg.Order.Better(p.rank, p.claimant)) {", becomes: "if p.wanted && !p.running {",
	},
	{
		algorithm: "afekgafnisync", name: "equals are refused",
		says: "a process accepts a candidate only if that is not better than itself",
		file: "afekgafnisync.go",
		is:   "p.cfg.Order.Better(p.rank, p.claimant)", becomes: "p.cfg.Order.Better(p.claimant, p.rank)",
	},
	{
		algorithm: "afekgafnisync", name: "all but one",
		says: "a candidate goes on if all that it asked but one have accepted it",
		file: "afekgafnisync.go",
		is:   "if p.accepted < p.asked {", becomes: "if p.accepted+1 < p.asked {",
	},
}

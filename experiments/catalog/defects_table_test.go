package catalog_test

// defect is a small programming error: a change of the source of an algorithm.
type defect struct {
	algorithm   string
	name        string // unique within the algorithm
	says        string // what is wrong, in words
	file        string // of the algorithm's package
	is, becomes string // the text that stands there once, and what takes its place
}

// defects are the errors that explorations and runs are held to. Those of an
// algorithm stand together, the one that is hunted in every test first.
var defects = []defect{
	{
		algorithm: "lcr", name: "no tie-break",
		says: "attributes are compared, and not the identities on ties",
		file: "lcr.go",
		is:   "case p.cfg.Order.Better(m.Rank, p.rank):", becomes: "case m.Rank.Attr > p.rank.Attr:",
	},
	{
		algorithm: "lcr", name: "forwards what it swallows",
		says: "a PROBE that loses against the process is passed on as well",
		file: "lcr.go",
		is:   "\t\t\tp.lead(n)\n",
		becomes: `			p.lead(n)
		default:
			n.Send(n.Neighbor(0), m)
`,
	},
	{
		algorithm: "lcr", name: "own identity not recognised",
		says: "what is not worse is forwarded, the process's own identity included",
		file: "lcr.go",
		is:   "case p.cfg.Order.Better(m.Rank, p.rank):", becomes: "case !p.cfg.Order.Better(p.rank, m.Rank):",
	},
	{
		algorithm: "lcr", name: "announces uninvited",
		says: "the leader announces itself although the leader alone is to decide",
		file: "lcr.go",
		is: `	if p.cfg.Announce {
		n.Send(n.Neighbor(0), Message{Announce, p.rank})
	}`,
		becomes: "	n.Send(n.Neighbor(0), Message{Announce, p.rank})",
	},
	{
		algorithm: "lcr", name: "answers with its own identity",
		says: "instead of a PROBE that it swallows the process sends its own once more",
		file: "lcr.go",
		is:   "\t\t\tp.lead(n)\n",
		becomes: `			p.lead(n)
		default:
			n.Send(n.Neighbor(0), Message{Probe, p.rank})
`,
	},

	{
		algorithm: "changroberts", name: "participants discard everything",
		says: "a participant discards every ELECTION, a better one too",
		file: "changroberts.go",
		is:   "case m.Type == Election && p.cfg.Order.Better(m.Rank, p.rank):", becomes: "case m.Type == Election && !p.participant && p.cfg.Order.Better(m.Rank, p.rank):",
	},
	{
		algorithm: "changroberts", name: "forwards what it swallows",
		says: "a participant passes on the ELECTION that loses against it",
		file: "changroberts.go",
		is:   "\t\t// Discarded: this process has already sent something better.\n", becomes: "\t\tp.elect(n, m.Rank)\n",
	},
	{
		algorithm: "changroberts", name: "participant flag never set",
		says: "who sends an ELECTION does not become a participant",
		file: "changroberts.go",
		is: `	p.participant = true
`,
		becomes: "",
	},
	{
		algorithm: "changroberts", name: "ELECTED not absorbed",
		says: "whatever bears the process's own identity is taken for its ELECTION, its ELECTED too",
		file: "changroberts.go",
		is:   "case m.Type == Election && own:", becomes: "case own:",
	},
	{
		algorithm: "changroberts", name: "participant flag never reset",
		says: "a process stays a participant when the election is over",
		file: "changroberts.go",
		is: `	p.participant = false
`,
		becomes: "",
	},

	{
		algorithm: "peterson", name: "a relay does not read",
		says: "a relay passes WINNER on like everything else, and does not learn it",
		file: "peterson.go",
		is:   "case m.Type == Winner:", becomes: "case m.Type == Winner && p.role != Relay:",
	},
	{
		algorithm: "peterson", name: "keeps what it holds",
		says: "an active process goes on with the rank that it held, not with the one that won",
		file: "peterson.go",
		is:   "p.stand(n, p.neighbour)", becomes: "p.stand(n, p.held)",
	},
	{
		algorithm: "peterson", name: "looks at one neighbour",
		says: "a rank goes on if it is better than that of the active process behind it; the one before is not asked",
		file: "peterson.go",
		is:   "if p.cfg.Order.Better(p.neighbour, p.held) && p.cfg.Order.Better(p.neighbour, two) {", becomes: "if p.cfg.Order.Better(p.neighbour, p.held) {",
	},
	{
		algorithm: "peterson", name: "waits for its own identity",
		says: "the last active process looks for its own identity, not for the one that it stands for",
		file: "peterson.go",
		is:   "if one.ID == p.held.ID {", becomes: "if one.ID == p.rank.ID {",
	},
	{
		algorithm: "peterson", name: "one type too few",
		says: "the check for unknown messages is off by one",
		file: "peterson.go",
		is:   "case m.Type > Winner:", becomes: "case m.Type >= Winner:",
	},

	{
		algorithm: "ringlist", name: "polls the dead again",
		says: "when the polled process is dead it is polled again, and not the next one",
		file: "ringlist.go",
		is:   "p.pass(n, q.m, q.port+1)", becomes: "p.pass(n, q.m, q.port)",
	},
	{
		algorithm: "ringlist", name: "the worst of the list",
		says: "the comparison in the search for the best is the wrong way round",
		file: "ringlist.go",
		is:   "if p.cfg.Order.Better(r, best) {", becomes: "if p.cfg.Order.Better(best, r) {",
	},
	{
		algorithm: "ringlist", name: "COORDINATOR not forwarded",
		says: "who learns the winner keeps the news",
		file: "ringlist.go",
		is: `		p.decision = election.Decide(p.rank.ID, m.Winner.ID)
		p.pass(n, m, 0)
`,
		becomes: "		p.decision = election.Decide(p.rank.ID, m.Winner.ID)\n",
	},
	{
		algorithm: "ringlist", name: "one poll at a time",
		says: "a process remembers only the last message of which it does not know whether it arrived",
		file: "ringlist.go",
		is:   "label := slices.IndexFunc(p.polls, func(q poll) bool { return !q.open })\n\tif label < 0 {\n\t\tlabel = len(p.polls)\n",
		becomes: `label := 0
	if len(p.polls) == 0 {
`,
	},
	{
		algorithm: "ringlist", name: "remembers uninvited",
		says: "the dead are remembered without the variant that is to do so",
		file: "ringlist.go",
		is:   "if p.cfg.Memory && !slices.Contains(p.dead, polled) {", becomes: "if !slices.Contains(p.dead, polled) {",
	},

	{
		algorithm: "modifiedring", name: "never begins anew",
		says: "the limit on elections that are begun anew is compared the wrong way round",
		file: "watchdog.go",
		is:   "if p.repeats < n.Degree() {", becomes: "if p.repeats > n.Degree() {",
	},
	{
		algorithm: "modifiedring", name: "the worst of the list",
		says: "the comparison in the search for the best is the wrong way round",
		file: "modifiedring.go",
		is:   "if p.cfg.Order.Better(m.Rank, best.Rank) {", becomes: "if p.cfg.Order.Better(best.Rank, m.Rank) {",
	},
	{
		algorithm: "modifiedring", name: "all watchdogs at once",
		says: "the watchdog does not wait the longer the farther it is from the initiator",
		file: "watchdog.go",
		is:   "time.Duration(size(n)+distance)", becomes: "time.Duration(size(n))",
	},
	{
		algorithm: "modifiedring", name: "old messages go on",
		says: "nobody notes which messages have been by, so that those of a dead initiator go round for ever",
		file: "modifiedring.go",
		is:   "if home && m.Round != p.round || !p.advances(m) {", becomes: "if home && m.Round != p.round {",
	},
	{
		algorithm: "modifiedring", name: "the second list is not read",
		says: "the initiator does not look whether the winner lived to hear of it",
		file: "modifiedring.go",
		is:   "if !slices.ContainsFunc(m.List, func(l Member) bool { return l.Address == m.Winner.Address }) {", becomes: "if len(m.List) == 0 {",
	},

	{
		algorithm: "bully", name: "announces too early",
		says: "who has sent ELECTION waits for one message time only, until it is there, and not until the ANSWER is back",
		file: "bully.go",
		is:   "p.enter(n, electing, p.cfg.T())", becomes: "p.enter(n, electing, p.cfg.Transmission)",
	},
	{
		algorithm: "bully", name: "answers and does nothing",
		says: "who answers does not take the election over",
		file: "bully.go",
		is: `		p.enter(n, delaying, p.cfg.Transmission)
	default:
		p.elect(n, nobody)
`,
		becomes: `		p.enter(n, delaying, p.cfg.Transmission)
`,
	},
	{
		algorithm: "bully", name: "waits, and takes over",
		says: "who has waited for the COORDINATOR in vain announces itself instead of asking again",
		file: "bully.go",
		is: `	case delaying, waiting: // it is time, or the one who answered has died too
`,
		becomes: `	case waiting:
		p.announce(n)
	case delaying:
`,
	},
	{
		algorithm: "bully", name: "waits once",
		says: "nothing happens when the COORDINATOR does not come",
		file: "bully.go",
		is:   "case delaying, waiting: // it is time, or the one who answered has died too\n",
		becomes: `case waiting:
	case delaying:
`,
	},
	{
		algorithm: "bully", name: "a run is over at once",
		says: "who has learnt the coordinator takes a late ELECTION for a new one",
		file: "bully.go",
		is: `	p.enter(n, settled, p.cfg.T())
`,
		becomes: `	p.phase = idle
	n.StopTimer(runTimer)
`,
	},
}

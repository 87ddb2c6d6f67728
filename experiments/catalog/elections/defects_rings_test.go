package elections_test

import (
	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
)

// ringDefects are those of the elections that came first.
var ringDefects = []catalogtest.Defect{
	{
		Algorithm: "lcr", Name: "no tie-break",
		Says: "attributes are compared, and not the identities on ties",
		File: "lcr.go",
		Is:   "case p.cfg.Order.Better(m.Rank, p.rank):", Becomes: "case m.Rank.Attr > p.rank.Attr:",
	},
	{
		Algorithm: "lcr", Name: "forwards what it swallows",
		Says: "a PROBE that loses against the process is passed on as well",
		File: "lcr.go",
		Is:   "\t\t\tp.lead(n)\n",
		Becomes: `			p.lead(n)
		default:
			n.Send(n.Neighbor(0), m)
`,
	},
	{
		Algorithm: "lcr", Name: "own identity not recognised",
		Says: "what is not worse is forwarded, the process's own identity included",
		File: "lcr.go",
		Is:   "case p.cfg.Order.Better(m.Rank, p.rank):", Becomes: "case !p.cfg.Order.Better(p.rank, m.Rank):",
	},
	{
		Algorithm: "lcr", Name: "announces uninvited",
		Says: "the leader announces itself although the leader alone is to decide",
		File: "lcr.go",
		Is: `	if p.cfg.Announce {
		n.Send(n.Neighbor(0), Message{Type: Announce, Rank: p.rank})
	}`,
		Becomes: "	n.Send(n.Neighbor(0), Message{Type: Announce, Rank: p.rank})",
	},
	{
		Algorithm: "lcr", Name: "answers with its own identity",
		Says: "instead of a PROBE that it swallows the process sends its own once more",
		File: "lcr.go",
		Is:   "\t\t\tp.lead(n)\n",
		Becomes: `			p.lead(n)
		default:
			n.Send(n.Neighbor(0), Message{Type: Probe, Rank: p.rank})
`,
	},

	{
		Algorithm: "changroberts", Name: "participants discard everything",
		Says: "a participant discards every ELECTION, a better one too",
		File: "changroberts.go",
		Is:   "case m.Type == Election && p.cfg.Order.Better(m.Rank, p.rank):", Becomes: "case m.Type == Election && !p.participant && p.cfg.Order.Better(m.Rank, p.rank):",
	},
	{
		Algorithm: "changroberts", Name: "forwards what it swallows",
		Says: "a participant passes on the ELECTION that loses against it",
		File: "changroberts.go",
		Is:   "case m.Type == Election:\n", Becomes: "case m.Type == Election:\n\t\tp.elect(n, m.Rank)\n",
	},
	{
		Algorithm: "changroberts", Name: "participant flag never set",
		Says: "who sends an ELECTION does not become a participant",
		File: "changroberts.go",
		Is: `	p.participant = true
`,
		Becomes: "",
	},
	{
		Algorithm: "changroberts", Name: "ELECTED not absorbed",
		Says: "whatever bears the process's own identity is taken for its ELECTION, its ELECTED too",
		File: "changroberts.go",
		Is:   "case m.Type == Election && own:", Becomes: "case own:",
	},
	{
		Algorithm: "changroberts", Name: "participant flag never reset",
		Says: "a process stays a participant when the election is over",
		File: "changroberts.go",
		Is: `	p.participant = false
`,
		Becomes: "",
	},

	{
		Algorithm: "peterson", Name: "a relay does not read",
		Says: "a relay passes WINNER on like everything else, and does not learn it",
		File: "peterson.go",
		Is:   "case m.Type == Winner:", Becomes: "case m.Type == Winner && p.role != relay:",
	},
	{
		Algorithm: "peterson", Name: "keeps what it holds",
		Says: "an active process goes on with the rank that it held, not with the one that won",
		File: "peterson.go",
		Is:   "p.stand(n, p.neighbour)", Becomes: "p.stand(n, p.held)",
	},
	{
		Algorithm: "peterson", Name: "looks at one neighbour",
		Says: "a rank goes on if it is better than that of the active process behind it; the one before is not asked",
		File: "peterson.go",
		Is:   "if p.cfg.Order.Better(p.neighbour, p.held) && p.cfg.Order.Better(p.neighbour, two) {", Becomes: "if p.cfg.Order.Better(p.neighbour, p.held) {",
	},
	{
		Algorithm: "peterson", Name: "waits for its own identity",
		Says: "the last active process looks for its own identity, not for the one that it stands for",
		File: "peterson.go",
		Is:   "if one.ID == p.held.ID {", Becomes: "if one.ID == p.rank.ID {",
	},
	{
		Algorithm: "peterson", Name: "one type too few",
		Says: "the check for unknown messages is off by one",
		File: "peterson.go",
		Is:   "case m.Type > Winner:", Becomes: "case m.Type >= Winner:",
	},

	{
		Algorithm: "ringlist", Name: "polls the dead again",
		Says: "when the polled process is dead it is polled again, and not the next one",
		File: "ringlist.go",
		Is:   "p.pass(n, q.m, q.port+1)", Becomes: "p.pass(n, q.m, q.port)",
	},
	{
		Algorithm: "ringlist", Name: "the worst of the list",
		Says: "the comparison in the search for the best is the wrong way round",
		File: "ringlist.go",
		Is:   "if p.cfg.Order.Better(r, best) {", Becomes: "if p.cfg.Order.Better(best, r) {",
	},
	{
		Algorithm: "ringlist", Name: "COORDINATOR not forwarded",
		Says: "who learns the winner keeps the news",
		File: "ringlist.go",
		Is: `		p.decision = election.Decide(p.rank.ID, m.Winner.ID)
		p.pass(n, m, 0)
`,
		Becomes: "		p.decision = election.Decide(p.rank.ID, m.Winner.ID)\n",
	},
	{
		Algorithm: "ringlist", Name: "one poll at a time",
		Says: "a process remembers only the last message of which it does not know whether it arrived",
		File: "ringlist.go",
		Is:   "label := slices.IndexFunc(p.polls, func(q poll) bool { return !q.open })\n\tif label < 0 {\n\t\tlabel = len(p.polls)\n",
		Becomes: `label := 0
	if len(p.polls) == 0 {
`,
	},
	{
		Algorithm: "ringlist", Name: "remembers uninvited",
		Says: "the dead are remembered without the variant that is to do so",
		File: "ringlist.go",
		Is:   "if p.cfg.Memory && !slices.Contains(p.dead, polled) {", Becomes: "if !slices.Contains(p.dead, polled) {",
	},

	{
		Algorithm: "modifiedring", Name: "never begins anew",
		Says: "the limit on elections that are begun anew is compared the wrong way round",
		File: "watchdog.go",
		Is:   "if p.repeats < n.Degree() {", Becomes: "if p.repeats > n.Degree() {",
	},
	{
		Algorithm: "modifiedring", Name: "the worst of the list",
		Says: "the comparison in the search for the best is the wrong way round",
		File: "modifiedring.go",
		Is:   "if p.cfg.Order.Better(m.Rank, best.Rank) {", Becomes: "if p.cfg.Order.Better(best.Rank, m.Rank) {",
	},
	{
		Algorithm: "modifiedring", Name: "all watchdogs at once",
		Says: "the watchdog does not wait the longer the farther it is from the initiator",
		File: "watchdog.go",
		Is:   "time.Duration(size(n)+distance)", Becomes: "time.Duration(size(n))",
	},
	{
		Algorithm: "modifiedring", Name: "old messages go on",
		Says: "nobody notes which messages have been by, so that those of a dead initiator go round for ever",
		File: "modifiedring.go",
		Is:   "if home && m.Round != p.round || !p.advances(m) {", Becomes: "if home && m.Round != p.round {",
	},
	{
		Algorithm: "modifiedring", Name: "the second list is not read",
		Says: "the initiator does not look whether the winner lived to hear of it",
		File: "modifiedring.go",
		Is:   "if !slices.ContainsFunc(m.List, func(l Member) bool { return l.Address == m.Winner.Address }) {", Becomes: "if len(m.List) == 0 {",
	},

	{
		Algorithm: "bully", Name: "announces too early",
		Says: "who has sent ELECTION waits for one message time only, until it is there, and not until the ANSWER is back",
		File: "bully.go",
		Is:   "p.enter(n, electing, p.cfg.T())", Becomes: "p.enter(n, electing, p.cfg.Transmission)",
	},
	{
		Algorithm: "bully", Name: "answers and does nothing",
		Says: "who answers does not take the election over",
		File: "bully.go",
		Is: `		p.enter(n, delaying, p.cfg.Transmission)
	default:
		p.elect(n, nobody)
`,
		Becomes: `		p.enter(n, delaying, p.cfg.Transmission)
`,
	},
	{
		Algorithm: "bully", Name: "waits, and takes over",
		Says: "who has waited for the COORDINATOR in vain announces itself instead of asking again",
		File: "bully.go",
		Is: `	case delaying, waiting:
`,
		Becomes: `	case waiting:
		p.announce(n)
	case delaying:
`,
	},
	{
		Algorithm: "bully", Name: "waits once",
		Says: "nothing happens when the COORDINATOR does not come",
		File: "bully.go",
		Is:   "case delaying, waiting:\n",
		Becomes: `case waiting:
	case delaying:
`,
	},
	{
		Algorithm: "bully", Name: "a run is over at once",
		Says: "who has learnt the coordinator takes a late ELECTION for a new one",
		File: "bully.go",
		Is: `	p.enter(n, settled, p.cfg.T())
`,
		Becomes: `	p.phase = idle
	n.StopTimer(runTimer)
`,
	},
}

// ringSearches are where the defects are looked for.
var ringSearches = map[string]catalogtest.Explored{
	"lcr":          catalogtest.Sizes(2, 4, trial.Setting{Initiators: "all"}, trial.Setting{Initiators: "all", Variant: "all-terminate"}),
	"changroberts": catalogtest.Sizes(2, 4, trial.Setting{}),
	"ringlist": func(add catalogtest.Add) {
		add(0, trial.Setting{N: 2})
		add(0, trial.Setting{N: 3, Initiators: "0"})
		for _, v := range []string{"", "remember"} {
			add(0, trial.Setting{N: 3, Dead: "1", Variant: v})
		}
		add(0, trial.Setting{N: 4, Initiators: "0", Dead: "1"})
	},
	"modifiedring": func(add catalogtest.Add) {
		for crashes := range 2 {
			add(crashes, trial.Setting{N: 2})
			add(crashes, trial.Setting{N: 3, Initiators: "0"})
		}
		add(1, trial.Setting{N: 3, Initiators: "0", Variant: "memory"})
		add(1, trial.Setting{N: 3, Initiators: "0", Variant: "no-watchdog"})
	},
	"bully": func(add catalogtest.Add) {
		for crashes := range 2 {
			for n := 2; n <= 3; n++ {
				add(crashes, trial.Setting{N: n})
				add(crashes, trial.Setting{N: n, Variant: "start-after-answer"})
			}
		}
		add(1, trial.Setting{N: 4, Dead: "3"})
	},
}

package mutex_test

import (
	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
)

// tokenDefects are those of mutual exclusion by token.
var tokenDefects = []catalogtest.Defect{
	{
		Algorithm: "tokenring", Name: "departs twice",
		Says: "the token that the holder has kept and passed on at the start departs once more",
		File: "tokenring.go",
		Is:   "if l.token && !l.wants {", Becomes: "if !l.wants {",
	},
	{
		Algorithm: "tokenring", Name: "keeps a copy",
		Says: "who passes the token on has it still",
		File: "tokenring.go",
		Is:   "	l.token = false\n	n.Send(", Becomes: "	n.Send(",
	},
	{
		Algorithm: "tokenring", Name: "keeps it idle",
		Says: "who does not want in keeps the token that arrives",
		File: "tokenring.go",
		Is: `	l.token = true
	if !l.wants {
		l.pass(n)
	}
`,
		Becomes: `	l.token = true
`,
	},

	{
		Algorithm: "regeneratingring", Name: "swears nothing off",
		Says: "who lets a claim pass takes older tokens still",
		File: "regeneratingring.go",
		Is:   "case m.Type == Token && m.Generation < l.generation:", Becomes: "case m.Type == Token && m.Generation < 0:",
	},
	{
		Algorithm: "regeneratingring", Name: "the holder lets claims pass",
		Says: "a claim does not end where the token is",
		File: "regeneratingring.go",
		Is:   "\tcase l.token:\n\t\treturn\n\tcase l.wants:\n", Becomes: "\tcase l.wants:\n",
	},
	{
		Algorithm: "regeneratingring", Name: "claims once",
		Says: "who has claimed in vain does not claim again",
		File: "regeneratingring.go",
		Is:   "	l.claiming = true\n	n.SetTimer(watch, l.cfg.Timeout)\n", Becomes: "	l.claiming = true\n",
	},

	{
		Algorithm: "suzukikasami", Name: "the token leaves the critical section",
		Says: "who is inside hands the token to who asks",
		File: "suzukikasami.go",
		Is:   "if l.token && !l.wants && l.open(from) {", Becomes: "if l.token && l.open(from) {",
	},
	{
		Algorithm: "suzukikasami", Name: "keeps a copy",
		Says: "who passes the token on has it still",
		File: "suzukikasami.go",
		Is:   "	l.token, l.served, l.queue = false, nil, nil\n", Becomes: "	l.served, l.queue = slices.Clone(l.served), nil\n",
	},
	{
		Algorithm: "suzukikasami", Name: "does not tell what was served",
		Says: "who leaves does not note in the token that its request was granted",
		File: "suzukikasami.go",
		Is:   "	l.served[n.ID()] = l.requested[n.ID()]\n", Becomes: "",
	},
	{
		Algorithm: "suzukikasami", Name: "forgets the last",
		Says: "who leaves keeps the token if no more than one waits",
		File: "suzukikasami.go",
		Is:   "	if len(l.queue) > 0 {", Becomes: "	if len(l.queue) > 1 {",
	},

	{
		Algorithm: "raymond", Name: "the token leaves the critical section",
		Says: "who is inside passes the token on",
		File: "raymond.go",
		Is:   "if l.holder != n.ID() || l.using || len(l.queue) == 0 {", Becomes: "if l.holder != n.ID() || len(l.queue) == 0 {",
	},
	{
		Algorithm: "raymond", Name: "does not ask again",
		Says: "who passes the token on with others in its queue does not ask for it",
		File: "raymond.go",
		Is:   "	l.asked = false\n	if l.holder == n.ID() {", Becomes: "	l.asked = len(l.queue) > 0\n	if l.holder == n.ID() {",
	},
	{
		Algorithm: "raymond", Name: "last come, first served",
		Says: "the token goes to the last of the queue, and the others are forgotten",
		File: "raymond.go",
		Is:   "	l.holder, l.queue = l.queue[0], l.queue[1:]\n", Becomes: "	l.holder, l.queue = l.queue[len(l.queue)-1], nil\n",
	},

	{
		Algorithm: "reverselink", Name: "keeps a copy",
		Says: "who passes the token on has it still",
		File: "reverselink.go",
		Is:   "	l.token = false\n", Becomes: "",
	},
	{
		Algorithm: "reverselink", Name: "reverses nothing",
		Says: "a process that has lost its last way down does not raise its height",
		File: "reverselink.go",
		Is:   "		l.raise()\n		l.tell(n)\n		l.askAgain(n)\n", Becomes: "",
	},
	{
		Algorithm: "reverselink", Name: "does not ask again",
		Says: "who has asked over a link that has gone down asks no other neighbour",
		File: "reverselink.go",
		Is:   "	case !l.leads(l.next):\n		l.askAgain(n)\n", Becomes: "",
	},
	{
		Algorithm: "reverselink", Name: "tells no height",
		Says: "who gets the token does not tell its neighbours its height",
		File: "reverselink.go",
		Is:   "h.below(n.ID())\n	l.tell(n)\n", Becomes: "h.below(n.ID())\n",
	},
}

// tokenSearches are where the defects are looked for.
var tokenSearches = map[string]catalogtest.Explored{
	"tokenring": catalogtest.Sizes(2, 3, trial.Setting{Param: "requests=2"}, trial.Setting{Param: "requests=2,think=1ms"}),
	"regeneratingring": func(add catalogtest.Add) {
		for crashes := range 2 {
			for n := 2; n <= 3; n++ {
				add(crashes, trial.Setting{N: n, Param: "requests=2"})
				// The shorter timeout has claims made in vain.
				add(crashes, trial.Setting{N: n, Param: "requests=2,cs=4ms,timeout=3ms"})
			}
		}
	},
	"suzukikasami": catalogtest.Sizes(2, 3, trial.Setting{Param: "requests=2"}),
	"raymond":      catalogtest.Sizes(2, 3, trial.Setting{Param: "requests=2"}),
	"reverselink": func(add catalogtest.Add) {
		add(0, trial.Setting{N: 2, Param: "requests=2"})
		add(0, trial.Setting{N: 3, Topology: "complete"}).Budget.LinkChanges = 1
	},
}

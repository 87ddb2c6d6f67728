package catalog_test

func init() { defects = append(defects, tokenDefects...) }

// tokenDefects are those of mutual exclusion by token.
var tokenDefects = []defect{
	{
		algorithm: "tokenring", name: "departs twice",
		says: "the token that the holder has kept and passed on at the start departs once more",
		file: "tokenring.go",
		is:   "if l.token && !l.wants {", becomes: "if !l.wants {",
	},
	{
		algorithm: "tokenring", name: "keeps a copy",
		says: "who passes the token on has it still",
		file: "tokenring.go",
		is:   "	l.token = false\n	n.Send(", becomes: "	n.Send(",
	},
	{
		algorithm: "tokenring", name: "keeps it idle",
		says: "who does not want in keeps the token that arrives",
		file: "tokenring.go",
		is: `	l.token = true
	if !l.wants {
		l.pass(n)
	}
`,
		becomes: `	l.token = true
`,
	},

	{
		algorithm: "regeneratingring", name: "swears nothing off",
		says: "who lets a claim pass takes older tokens still",
		file: "regeneratingring.go",
		is:   "case m.Type == Token && m.Generation < l.generation:", becomes: "case m.Type == Token && m.Generation < 0:",
	},
	{
		algorithm: "regeneratingring", name: "the holder lets claims pass",
		says: "a claim does not end where the token is",
		file: "regeneratingring.go",
		is: `	case l.token: // it goes on under the generation that others have let pass
		return
`,
		becomes: "",
	},
	{
		algorithm: "regeneratingring", name: "claims once",
		says: "who has claimed in vain does not claim again",
		file: "regeneratingring.go",
		is:   "	l.claiming = true\n	n.SetTimer(watch, l.cfg.Timeout)\n", becomes: "	l.claiming = true\n",
	},

	{
		algorithm: "suzukikasami", name: "the token leaves the critical section",
		says: "who is inside hands the token to who asks",
		file: "suzukikasami.go",
		is:   "if l.token && !l.wants && l.open(from) {", becomes: "if l.token && l.open(from) {",
	},
	{
		algorithm: "suzukikasami", name: "keeps a copy",
		says: "who passes the token on has it still",
		file: "suzukikasami.go",
		is:   "	l.token, l.served, l.queue = false, nil, nil\n", becomes: "	l.served, l.queue = slices.Clone(l.served), nil\n",
	},
	{
		algorithm: "suzukikasami", name: "does not tell what was served",
		says: "who leaves does not note in the token that its request was granted",
		file: "suzukikasami.go",
		is:   "	l.served[n.ID()] = l.requested[n.ID()]\n", becomes: "",
	},
	{
		algorithm: "suzukikasami", name: "forgets the last",
		says: "who leaves keeps the token if no more than one waits",
		file: "suzukikasami.go",
		is:   "	if len(l.queue) > 0 {", becomes: "	if len(l.queue) > 1 {",
	},

	{
		algorithm: "raymond", name: "the token leaves the critical section",
		says: "who is inside passes the token on",
		file: "raymond.go",
		is:   "if l.holder != n.ID() || l.using || len(l.queue) == 0 {", becomes: "if l.holder != n.ID() || len(l.queue) == 0 {",
	},
	{
		algorithm: "raymond", name: "does not ask again",
		says: "who passes the token on with others in its queue does not ask for it",
		file: "raymond.go",
		is:   "	l.asked = false\n	if l.holder == n.ID() {", becomes: "	l.asked = len(l.queue) > 0\n	if l.holder == n.ID() {",
	},
	{
		algorithm: "raymond", name: "last come, first served",
		says: "the token goes to the last of the queue, and the others are forgotten",
		file: "raymond.go",
		is:   "	l.holder, l.queue = l.queue[0], l.queue[1:]\n", becomes: "	l.holder, l.queue = l.queue[len(l.queue)-1], nil\n",
	},
}

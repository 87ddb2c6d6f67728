package judge_test

import "bullring/experiments/trial"

// port is a program of docs/nodes with the seeded defects of the algorithm in Go that it plays.
type port struct {
	Program string        // the file without its ending
	Go      string        // the algorithm in the tables of docs/defects.md
	Setting trial.Setting // what is judged; all but the program
	Defects []ported
}

// ported is a defect of docs/defects.md in a program: a text that occurs once, and what stands in its place.
type ported struct{ Name, Is, Becomes string }

// ports are the programs, elections first.
var ports = []port{
	{
		Program: "lcr", Go: "lcr", Setting: trial.Setting{Algorithm: "lcr"},
		Defects: []ported{
			{"no tie-break", `if m["rank"] > self.rank:`, `if False:`}, // no process has an attribute
			{"forwards what it swallows", "elected=True)\n", "elected=True)\n        else:\n            self.send(self.neighbors[0], **m)\n"},
			{"own identity not recognised", `m["rank"] > self.rank`, `m["rank"] >= self.rank`},
			{"announces uninvited", "elected=True)\n", "elected=True)\n            self.send(self.neighbors[0], \"announce\", rank=self.rank)\n"},
			{"answers with its own identity", "elected=True)\n", "elected=True)\n        else:\n            self.on_start(source, m)\n"},
		},
	},
	{
		Program: "changroberts", Go: "changroberts", Setting: trial.Setting{Algorithm: "changroberts"},
		Defects: []ported{
			{"participants discard everything", `elif m["rank"] > self.rank:`, `elif m["rank"] > self.rank and not self.participant:`},
			{"forwards what it swallows", "elif not self.participant:\n            self.elect(self.rank)\n", "elif not self.participant:\n            self.elect(self.rank)\n        else:\n            self.elect(m[\"rank\"])\n"},
			{"participant flag never set", "        self.participant = True\n", ""},
			{"ELECTED not absorbed", `if m["rank"] != self.rank:`, `if True:`},
		},
	},
	{
		Program: "changroberts", Go: "changroberts", Setting: trial.Setting{Algorithm: "changroberts", Fault: "at 20ms start 0"}, // a second election
		Defects: []ported{{"participant flag never reset", "        self.participant = False\n", ""}},
	},
	{
		Program: "lelann", Go: "lelann", Setting: trial.Setting{Algorithm: "lelann"},
		Defects: []ported{
			{"looks at no token", `self.best = max(self.best, m["rank"])`, `pass`},
			{"keeps the token that wakes it", "self.role = \"relay\"\n", "self.role = \"relay\"\n            return\n"},
			{"waits for the best", `if m["rank"] == self.rank:`, `if m["rank"] == self.best:`},
			{"starts too late", "if self.role == \"asleep\":\n            self.role, self.best", "if self.role != \"candidate\":\n            self.role, self.best"},
		},
	},
	{
		Program: "hirschbergsinclair", Go: "hirschbergsinclair", Setting: trial.Setting{Algorithm: "hirschbergsinclair"},
		Defects: []ported{
			{"swallows nothing", `elif m["rank"] > self.rank:`, `else:`},
			{"never farther", `self.probe(2 * self.reach)`, `self.probe(self.reach)`},
			{"one side is enough", `self.answers == 2`, `self.answers == 1`},
			{"turns one hop late", `if m["hops"] > 1:`, `if m["hops"] > 0:`},
		},
	},
	{
		Program: "franklin", Go: "franklin", Setting: trial.Setting{Algorithm: "franklin"},
		Defects: []ported{
			{"two equal neighbours", `if before == self.rank or after == self.rank:`, `if before == after:`},
			{"drops what comes early", `self.send(self.neighbors[way], "probe", way=way, rank=rank)`, `pass`},
			{"looks at one side", `self.rank > before and self.rank > after`, `self.rank > before`},
		},
	},
	{
		Program: "peterson", Go: "peterson", Setting: trial.Setting{Algorithm: "peterson"},
		Defects: []ported{
			{"a relay does not read", "def on_winner(self, source, m):\n", "def on_winner(self, source, m):\n        if self.role == \"relay\":\n            return self.send(self.neighbors[0], **m)\n"},
			{"keeps what it holds", `self.stand(self.before)`, `self.stand(self.held)`},
			{"looks at one neighbour", `self.before > self.held and self.before > m["rank"]`, `self.before > self.held`},
			{"waits for its own identity", `m["rank"] == self.held`, `m["rank"] == self.rank`},
			{"one type too few", `def on_winner`, `def on_winners`},
		},
	},
	{
		Program: "petersonfirst", Go: "peterson first", Setting: trial.Setting{Algorithm: "peterson", Variant: "first"},
		Defects: []ported{
			{"passes on what came", `rank=max(self.held, m["rank"])`, `rank=m["rank"]`},
			{"a relay does not look", `if m["rank"] == self.rank:`, `if m["rank"] == self.rank and self.role == "active":`},
			{"keeps what it holds", `self.stand(self.before)`, `self.stand(self.held)`},
		},
	},
	{
		Program: "petersonimproved", Go: "peterson improved", Setting: trial.Setting{Algorithm: "peterson", Variant: "improved"},
		Defects: []ported{
			{"keeps what it holds", "            self.held = m[\"rank\"]\n", ""},
			{"waits for its own identity", `m["rank"] == self.held`, `m["rank"] == self.rank`},
			{"no odd rounds", "if m[\"rank\"] > self.held:\n            self.held = m[\"rank\"]\n", "if m[\"rank\"] < self.held:\n"},
		},
	},
	{
		Program: "itairodeh", Go: "itairodeh", Setting: trial.Setting{Algorithm: "itairodeh"},
		Defects: []ported{
			{"keeps the flag", `unique=False`, `unique=m["unique"]`},
			{"drops equals", `elif m["draw"] == self.draw:`, `elif False:`},
			{"does not retire", "self.role, self.draw = \"passive\", 0\n", "self.role = \"passive\" if self.role == \"idle\" else self.role\n"},
		},
	},
	{
		Program: "itairodehsync", Go: "itairodeh", Setting: trial.Setting{Algorithm: "itairodeh", Variant: "sync", Initiators: "all"},
		Defects: []ported{{"takes silence for success", `self.count == 1`, `self.count <= 1`}},
	},
	{
		Program: "timeslice", Go: "timeslice", Setting: trial.Setting{Algorithm: "timeslice"},
		Defects: []ported{
			{"impatient", `(self.rank - 1) * len(self.names)`, `self.rank - 1`},
			{"keeps the token", "                self.pass_on(token)\n", "                pass\n"},
			{"two begin", `self.rank <= 1`, `self.rank <= 2`},
		},
	},
	{
		Program: "variablespeeds", Go: "variablespeeds", Setting: trial.Setting{Algorithm: "variablespeeds"},
		Defects: []ported{
			{"keeps the larger", `token < self.least`, `token > self.least`},
			{"own token not recognised", `if token == self.rank:`, `if token == self.rank and self.keeps:`},
			{"one speed", `2 ** min(max(token, 1), 15) - 1`, `1`},
		},
	},
	{
		Program: "ringlist", Go: "ringlist", Setting: trial.Setting{Algorithm: "ringlist"},
		Defects: []ported{
			{"the worst of the list", `winner = max(`, `winner = min(`},
			{"COORDINATOR not forwarded", "            self.pass_on(m, 0)\n", ""},
			{"one poll at a time", `self.polls.index(None) if None in self.polls else len(self.polls)`, `0`},
			{"remembers uninvited", "and polled != message[\"initiator\"]:\n            self.pass_on(message, port + 1)", ":\n            self.ahead = [q for q in self.ahead if q != polled]\n            if polled != message[\"initiator\"]:\n                self.pass_on(message, port)"},
		},
	},
	{
		Program: "ringlist", Go: "ringlist", Setting: trial.Setting{Algorithm: "ringlist", Dead: "last"},
		Defects: []ported{{"polls the dead again", `self.pass_on(message, port + 1)`, `self.pass_on(message, port)`}},
	},
	{
		Program: "modifiedring", Go: "modifiedring", Setting: trial.Setting{Algorithm: "modifiedring"},
		Defects: []ported{
			{"the worst of the list", `"winner": max(`, `"winner": min(`},
			{"never begins anew", `self.repeats < len(self.neighbors)`, `self.repeats > len(self.neighbors)`},
			{"the second list is not read", `elif m["winner"] in m["list"]:`, `elif m["list"]:`}, // the watchdog repeats the election
		},
	},
	{
		Program: "modifiedring", Go: "modifiedring", Setting: trial.Setting{Algorithm: "modifiedring", Initiators: "0", Fault: "at 5500us crash 2"},
		Defects: []ported{{"all watchdogs at once", `(len(self.names) + distance)`, `len(self.names)`}},
	},
	{
		Program: "modifiedring", Go: "modifiedring", Setting: trial.Setting{Algorithm: "modifiedring", Placement: "increasing", Initiators: "0"},
		Defects: []ported{{"old messages go on", ` or now <= self.seen.get(m["initiator"], [])`, ``}},
	},
	{
		Program: "bully", Go: "bully", Setting: trial.Setting{Algorithm: "bully", Placement: "increasing"},
		Defects: []ported{
			{"announces too early", `self.enter("electing", 2 * self.bound)`, `self.enter("electing", self.bound)`},
			{"answers and does nothing", "        if self.phase == \"idle\":\n            self.elect(self.higher)\n", ""},
			{"waits, and takes over", "self.elect(self.higher)\n        else:", "self.announce()\n        else:"},
			{"a run is over at once", `self.enter("settled", 2 * self.bound)`, "self.phase = \"idle\"\n        self.stop_timer(0)"},
		},
	},
	{
		Program: "bully", Go: "bully", Setting: trial.Setting{Algorithm: "bully", Placement: "increasing", Initiators: "0", Dead: "last", Fault: "at 1500us crash 1; at 200ms start 0"},
		Defects: []ported{{"waits once", "self.elect(self.higher)\n        else:", "pass\n        else:"}},
	},
	{
		Program: "floodmax", Go: "floodmax", Setting: trial.Setting{Algorithm: "floodmax", Topology: "ring"},
		Defects: []ported{
			{"a round too few", `self.rounds == (self.params["diameter"] or len(self.names) - 1)`, `self.rounds >= (self.params["diameter"] or len(self.names) - 1) - 1`},
			{
				"counts news",
				"        self.rounds += 1\n        self.best = max([self.best] + [rank for round, _, rank in self.inbox if round == self.rounds])\n        self.inbox = [sent for sent in self.inbox if sent[0] > self.rounds]\n",
				"        before, self.best = self.best, max([self.best] + [rank for _, _, rank in self.inbox])\n        self.rounds, self.inbox = self.rounds + (self.best > before), []\n",
			},
		},
	},
	{
		Program: "floodmax", Go: "floodmax", Setting: trial.Setting{Algorithm: "floodmax", Topology: "complete", Param: "diameter=1"},
		Defects: []ported{{"one neighbour", `for q in self.neighbors:`, `for q in self.neighbors[:1]:`}},
	},
	{
		Program: "optfloodmax", Go: "floodmax", Setting: trial.Setting{Algorithm: "floodmax", Variant: "opt", Topology: "ring"},
		Defects: []ported{{"old news", `self.news = self.best > before`, `pass`}},
	},
	{
		Program: "echo", Go: "echo", Setting: trial.Setting{Algorithm: "echo"},
		Defects: []ported{
			{"one token early", `self.received != len(self.near)`, `self.received < len(self.near) - 1`},
			{"the old count", `self.wave, self.father, self.received = wave, father, 0`, `self.wave, self.father, self.received = wave, father, getattr(self, "received", 0)`},
			{"no extinction", `m["rank"] > self.wave`, `m["rank"] != self.wave`},
		},
	},
	{
		Program: "electiontree", Go: "electiontree", Setting: trial.Setting{Algorithm: "electiontree"},
		Defects: []ported{
			{"the worst of the subtree", `max(self.best, m["best"])`, `min(self.best, m["best"])`},
			{"an orphan waits", `if self.parent is not None and self.suspects`, `if self.parent is not None and self.waiting and self.suspects`},
			{"no ACK at once", `self.send(source, "ack", index=m["index"])`, `pass`},
		},
	},
	{
		Program: "electiontree", Go: "electiontree", Setting: trial.Setting{Algorithm: "electiontree", Initiators: "0"},
		Defects: []ported{{"a broken tree is believed", `elif self.broken:`, `elif False:`}},
	},
	{
		Program: "afekgafni", Go: "afekgafni", Setting: trial.Setting{Algorithm: "afekgafni"},
		Defects: []ported{
			{"no tie-break", `return claim > other`, `return claim[0] > other[0]`},
			{"captured and goes on", "            self.running = False\n            self.fall()\n", "            self.fall()\n"},
			{"every ACCEPT counts", `if self.running and m["claim"] == self.own():`, `if m["claim"] == self.own():`},
		},
	},
	{
		Program: "afekgafnisync", Go: "afekgafnisync", Setting: trial.Setting{Algorithm: "afekgafnisync"},
		Defects: []ported{
			{"candidates accept nobody", `(self.running and self.rank > self.best[0])`, `self.running`},
			{"equals are refused", `self.rank > self.best[0]`, `self.rank < self.best[0]`},
			{"all but one", `self.accepted < self.asked`, `self.accepted + 1 < self.asked`},
		},
	},
	{
		Program: "raft", Go: "raft", Setting: trial.Setting{Algorithm: "raft", Param: "base=10ms,width=0s,terms=2"},
		Defects: []ported{
			{"half is a majority", `2 * len(self.votes) > len(self.names)`, `2 * len(self.votes) >= len(self.names)`},
			{"waits once", "[self.name]\n        self.wait()\n", "[self.name]\n"},
		},
	},
	{
		Program: "raft", Go: "raft", Setting: trial.Setting{Algorithm: "raft", Param: "base=10ms,width=0s,terms=1"},
		Defects: []ported{{"votes more than once", `self.vote in (None, m["rank"])`, `self.role == "follower"`}},
	},
	{
		Program: "raft", Go: "raft", Setting: trial.Setting{Algorithm: "raft", Param: "base=10ms,width=0s,terms=1", Placement: "increasing", Initiators: "0,2"},
		Defects: []ported{{"vote not on stable storage", `self.stored.get("vote")`, `None`}},
	},
	{
		Program: "ingram", Go: "ingram", Setting: trial.Setting{Algorithm: "ingram"},
		Defects: []ported{
			{"no leader at the beginning", `[0, 0, 0, 0, 0, self.rank, self.rank]`, `[0, 0, 0, 0, 0, 0, self.rank]`},
			{
				"alone and without a leader",
				"        if not self.formed():\n            self.elect_self()\n            self.tell()\n        elif self.sink():\n",
				"        if self.formed() and self.sink():\n",
			},
			{"says nothing to whom it meets", `        self.send(m["node"], "update", height=self.height, clock=self.clock)`, `        pass`},
			{"reflects nothing", `self.move([its[0], its[1], 1], 0)  # the search is reflected`, `self.search()`},
		},
	},
	{
		Program: "ricartagrawala", Go: "ricartagrawala", Setting: trial.Setting{Algorithm: "ricartagrawala", Param: "requests=2"},
		Defects: []ported{
			{"permits while inside", `if self.mine is not None and`, `if self.mine is not None and self.missing and`},
			{"no tie-break", `self.mine < (m["number"], self.names.index(source))`, `self.mine[0] <= m["number"]`},
		},
	},
	{
		Program: "ricartagrawala", Go: "ricartagrawala", Setting: trial.Setting{Algorithm: "ricartagrawala", Initiators: "all", Param: "requests=2,think=1ms"},
		Defects: []ported{{"numbers of its own", `self.highest = max(self.highest, m["number"])`, `pass`}},
	},
	{
		Program: "suzukikasami", Go: "suzukikasami", Setting: trial.Setting{Algorithm: "suzukikasami", Param: "requests=2"},
		Defects: []ported{
			{"the token leaves the critical section", `and not self.wants and self.open(source)`, `and self.open(source)`},
			{"keeps a copy", `token, self.token = self.token, None`, `token = self.token`},
			{"does not tell what was served", `self.token["served"][self.name] = self.requested[self.name]`, `pass`},
			{"forgets the last", `if queue:`, `if len(queue) > 1:`},
		},
	},
}

// unported are the defects of these algorithms that no program has, and why.
var unported = map[string]string{
	"floodmax: no ACK": "it lies in the synchronizer alpha, which no program has",
}

// withoutProgram are the elections that no program plays, and why.
var withoutProgram = map[string]string{
	"ghs":            "a program is not told the weights of its links",
	"counting":       "broadcasts of programs in lock-step are not ported yet",
	"frei":           "it has not been ported",
	"freistable":     "it has not been ported",
	"freiunoriented": "it has not been ported",
	"vkt":            "it has not been ported",
	"vktlinks":       "it has not been ported",
	"topologyaware":  "it has not been ported",
}

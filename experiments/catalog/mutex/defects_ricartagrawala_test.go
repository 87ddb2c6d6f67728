package mutex_test

import "bullring/experiments/catalog/internal/catalogtest"

var ricartAgrawalaDefects = []catalogtest.Defect{
	{
		Algorithm: "ricartagrawala", Name: "permits while inside",
		Says: "who is inside answers at once",
		File: "ricartagrawala.go",
		Is:   "if l.inside || l.waiting && l.first", Becomes: "if l.waiting && l.first",
	},
	{
		Algorithm: "ricartagrawala", Name: "no tie-break",
		Says: "of two requests with the same number each is before the other",
		File: "ricartagrawala.go",
		Is:   "return l.number < number || l.number == number && l.id < other", Becomes: "return l.number <= number",
	},
	{
		Algorithm: "ricartagrawala", Name: "numbers of its own",
		Says: "a process does not take over the sequence numbers that it sees",
		File: "ricartagrawala.go",
		Is:   "\tl.highest = max(l.highest, m.Number)\n", Becomes: "",
	},
}

// ricartAgrawalaSearches are where the defects are looked for.
var ricartAgrawalaSearches = map[string]catalogtest.Explored{"ricartagrawala": exploredRequests}

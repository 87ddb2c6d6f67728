package termination_test

import (
	"fmt"
	"iter"
	"slices"
	"testing"

	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
)

var defects = catalogtest.Defects{
	Section: "termination", Registry: registry, Algorithms: catalogtest.Own(registry),
	Table:    slices.Concat(scholtenDefects, safraDefects, matternDefects, huangDefects),
	Searches: catalogtest.Searches("", terminationSearches()), Runs: runs, Quick: true,
}

func TestDefects(t *testing.T) { defects.Hunted(t, testing.Short()) }

func TestHunt(t *testing.T) { defects.Hunt(t) }

// runs are runs of an algorithm inside its model.
func runs(algorithm, variant string) iter.Seq[trial.Setting] {
	return func(yield func(trial.Setting) bool) {
		for seed := range uint64(200) {
			s := trial.Setting{
				Algorithm: algorithm, Variant: variant, N: 2 + int(seed%4), Initiators: "0", Param: fmt.Sprintf("work=3,busy=%dms", seed%2),
				Delay: "exp(1ms)", Seed: seed, MaxEvents: 10_000,
			}
			if !yield(s) {
				return
			}
		}
	}
}

// terminationSearches are where the defects are looked for.
func terminationSearches() map[string]catalogtest.Explored {
	all := map[string]catalogtest.Explored{}
	for _, a := range registry.All() {
		all[a.Name] = searches
	}
	return all
}

func searches(add catalogtest.Add) {
	for _, s := range []trial.Setting{{N: 2}, {N: 2, Param: "busy=1ms"}, {N: 3, Param: "work=1"}, {N: 3, Param: "work=1,busy=1ms"}, {N: 3}} {
		s.Initiators = "0"
		add(0, s)
	}
}

var scholtenDefects = []catalogtest.Defect{
	{
		Algorithm: "scholten", Name: "deficit ignored",
		Says: "a passive process signals its parent whatever it waits for",
		File: "scholten.go",
		Is:   "case !p.Passive() || p.deficit > 0:", Becomes: "case !p.Passive():",
	},
	{
		Algorithm: "scholten", Name: "never signalled",
		Says: "a process that is engaged does not signal other work messages",
		File: "scholten.go",
		Is:   "		n.Send(from, Signal)\n", Becomes: "		_ = from\n",
	},
	{
		Algorithm: "scholten", Name: "still engaged",
		Says: "a process that has left the tree signals later work messages at once",
		File: "scholten.go",
		Is:   "		p.parent = none\n", Becomes: "",
	},
	{
		Algorithm: "scholten", Name: "root with a parent",
		Says: "the first work message to the root makes its sender the parent of the root",
		File: "scholten.go",
		Is:   "case p.root || p.parent != none:", Becomes: "case p.parent != none:",
	},
}

var safraDefects = []catalogtest.Defect{
	{
		Algorithm: "safra", Name: "does not blacken",
		Says: "a process stays white when it receives a work message",
		File: "safra.go",
		Is:   "p.black = !p.cfg.White", Becomes: "p.black = false",
	},
	{
		Algorithm: "safra", Name: "receipt not counted",
		Says: "a process counts the work messages that it sends alone",
		File: "safra.go",
		Is:   "		p.count--\n", Becomes: "",
	},
	{
		Algorithm: "safra", Name: "black for ever",
		Says: "a process that has handed on the token stays black",
		File: "safra.go",
		Is:   "p.holds, p.black, p.token = false, false, Message{}", Becomes: "p.holds, p.token = false, Message{}",
	},
	{
		Algorithm: "safra", Name: "active and handed on",
		Says: "a process hands on the token also while it is active",
		File: "safra.go",
		Is:   "if !p.holds || !p.Passive() || p.Announced() {", Becomes: "if !p.holds || p.Announced() {",
	},
}

var matternDefects = []catalogtest.Defect{
	{
		Algorithm: "mattern", Name: "one wave",
		Says: "the leader compares what was sent and received in one wave",
		File: "mattern.go",
		Is:   "	if p.oneWave {", Becomes: "	if p.begun {",
	},
	{
		Algorithm: "mattern", Name: "sent twice the same",
		Says: "the leader is content if as many messages had been sent in both waves",
		File: "mattern.go",
		Is:   "	p.received = p.sum.Received\n", Becomes: "	p.received = p.sum.Sent\n",
	},
	{
		Algorithm: "mattern", Name: "leader not counted",
		Says: "the leader leaves its own messages out",
		File: "mattern.go",
		Is:   "	p.add(p.counts)\n	before", Becomes: "	before",
	},
	{
		Algorithm: "mattern", Name: "answers while active",
		Says: "a process answers at once",
		File: "mattern.go",
		Is:   "	case !p.Passive():\n", Becomes: "	case p.leader && !p.Passive():\n",
	},
}

var huangDefects = []catalogtest.Defect{
	{
		Algorithm: "huang", Name: "any single power",
		Says: "the agent takes any power of 1/2 for the whole",
		File: "huang.go",
		Is:   "len(w) == 1 && w[0] == 0", Becomes: "len(w) == 1",
	},
	{
		Algorithm: "huang", Name: "weight made",
		Says: "a sender keeps the weight that it gives away",
		File: "huang.go",
		Is:   "	w[len(w)-1]++\n	return w, w[len(w)-1]", Becomes: "	return w, w[len(w)-1] + 1",
	},
	{
		Algorithm: "huang", Name: "no carry",
		Says: "of two equal powers one is lost",
		File: "huang.go",
		Is:   "		w, e = slices.Delete(w, i, i+1), e-1\n", Becomes: "		return w\n",
	},
	{
		Algorithm: "huang", Name: "returned while active",
		Says: "a process returns its weight also while it is active",
		File: "huang.go",
		Is:   "	case !p.Passive():\n	case n.ID() == p.agent:", Becomes: "	case n.ID() == p.agent && !p.Passive():\n	case n.ID() == p.agent:",
	},
}

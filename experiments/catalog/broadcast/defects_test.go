package broadcast_test

import (
	"fmt"
	"iter"
	"slices"
	"testing"

	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
)

var defects = catalogtest.Defects{
	Section: "broadcast", Registry: registry, Algorithms: catalogtest.Own(registry),
	Table:    slices.Concat(bestEffortDefects, eagerDefects, lazyDefects, uniformDefects, fifoDefects, causalDefects, totalOrderDefects, brachaDefects, gossipDefects, disseminationDefects),
	Searches: catalogtest.Searches("", searches), Runs: runs, Lowest: "besteffort",
	Spares: func(algorithm, property string) bool { return algorithm == "gossip" && property == "validity" },
}

func TestDefects(t *testing.T) { defects.Hunted(t, testing.Short()) }

func TestHunt(t *testing.T) { defects.Hunt(t) }

// runs are runs of an algorithm inside its model, without and with crashes.
func runs(algorithm, variant string) iter.Seq[trial.Setting] {
	switch algorithm {
	case "bracha":
		return brachaRuns
	case "dissemination":
		return disseminationRuns(variant)
	}
	return func(yield func(trial.Setting) bool) {
		for n := 2; n <= 5; n++ {
			for seed := range uint64(20) {
				s := trial.Setting{Algorithm: algorithm, Variant: variant, N: n, Initiators: "all", Param: "requests=2,reactions=1", Delay: differing(algorithm), Unordered: seed%2 == 1, Seed: seed, MaxEvents: 10_000}
				if seed > 9 && n > 2 && algorithm != "causal" { // of two none may crash if f is bounded
					s.Fault = fmt.Sprintf("random crashes 1 in 0s..%dms", n)
				}
				if !yield(s) {
					return
				}
			}
		}
	}
}

// twice is the exploration of n processes of which the first broadcasts two items.
func twice(n int) trial.Setting {
	return trial.Setting{N: n, Initiators: "0", Param: "requests=2"}
}

// searches are where the defects are looked for.
var searches = map[string]catalogtest.Explored{
	"besteffort": func(add catalogtest.Add) { add(0, twice(2)) },
	"eager": func(add catalogtest.Add) {
		add(0, twice(2))
		add(1, trial.Setting{N: 3, Initiators: "0"})
	},
	"lazy": func(add catalogtest.Add) {
		add(0, twice(2))
		add(1, trial.Setting{N: 3, Initiators: "0"})
	},
	"uniform": func(add catalogtest.Add) {
		for _, variant := range []string{"majority", "allack"} {
			add(0, trial.Setting{N: 2, Initiators: "0", Variant: variant})
			add(1, trial.Setting{N: 3, Initiators: "0", Variant: variant})
		}
		add(0, twice(2))
	},
	"fifo": func(add catalogtest.Add) {
		s := twice(2)
		s.Unordered = true
		add(0, s)
	},
	"causal": func(add catalogtest.Add) {
		s := twice(2)
		s.Unordered = true
		add(0, s)
		add(0, trial.Setting{N: 3, Initiators: "0", Param: "reactions=1"})
	},
	"totalorder": func(add catalogtest.Add) {
		add(0, trial.Setting{N: 2, Initiators: "all"})
		add(0, trial.Setting{N: 3, Initiators: "0", Variant: "lazy"})
		add(1, trial.Setting{N: 3, Initiators: "0"})
		add(0, trial.Setting{N: 3, Initiators: "0,1", Variant: "lazy"})
	},
	"bracha": brachaSearches,
	"dissemination": func(add catalogtest.Add) {
		for _, variant := range []string{"sets", "tokens"} {
			add(0, trial.Setting{N: 3, Initiators: "0", Variant: variant, Topology: "line"})
			add(0, trial.Setting{N: 3, Initiators: "all", Variant: variant, Topology: "line"})
		}
	},
	"gossip": func(add catalogtest.Add) {
		for _, variant := range []string{"push", "blind", "pull"} {
			add(0, trial.Setting{N: 2, Initiators: "0", Variant: variant})
		}
		add(0, trial.Setting{N: 3, Initiators: "0"})
	},
}

var bestEffortDefects = []catalogtest.Defect{
	{
		Algorithm: "besteffort", Name: "one too few",
		Says: "a process does not send to its last neighbour",
		File: "besteffort.go",
		Is:   "range n.Degree() {", Becomes: "range n.Degree() - 1 {",
	},
	{
		Algorithm: "besteffort", Name: "not its own",
		Says: "a process does not deliver what it broadcasts",
		File: "besteffort.go",
		Is:   "	n.Indicate(n.ID(), d)\n", Becomes: "",
	},
	{
		Algorithm: "besteffort", Name: "once more",
		Says: "a process delivers what arrives twice",
		File: "besteffort.go",
		Is:   "	n.Indicate(from, d)\n", Becomes: "	n.Indicate(from, d)\n	n.Indicate(from, d)\n",
	},
}

var eagerDefects = []catalogtest.Defect{
	{
		Algorithm: "eager", Name: "idle",
		Says: "a process delivers what arrives, and does not pass it on",
		File: "eager.go",
		Is:   "		p.passOn(n, d)\n", Becomes: "		p.delivered[d.Key()] = true\n		h, inner := d.Popped()\n		n.Indicate(h.By, inner)\n",
	},
	{
		Algorithm: "eager", Name: "twice",
		Says: "a process delivers an item before it passes it on, and afterwards",
		File: "eager.go",
		Is:   "	n.Request(d)\n", Becomes: "	n.Request(d)\n	n.Indicate(h.By, inner)\n",
	},
	{
		Algorithm: "eager", Name: "one item of each",
		Says: "a process takes all items of an origin for one",
		File: "eager.go",
		Is:   "!p.delivered[d.Key()] {", Becomes: "d.Number == 1 && !p.delivered[d.Key()] {",
	},
}

var lazyDefects = []catalogtest.Defect{
	{
		Algorithm: "lazy", Name: "no help",
		Says: "a process does not pass on the item of an origin that has crashed",
		File: "lazy.go",
		Is:   "n.Suspects(h.By) {", Becomes: "h.By < 0 {",
	},
	{
		Algorithm: "lazy", Name: "twice",
		Says: "a process delivers each item twice",
		File: "lazy.go",
		Is:   "	n.Indicate(h.By, inner)\n", Becomes: "	n.Indicate(h.By, inner)\n	n.Indicate(h.By, inner)\n",
	},
	{
		Algorithm: "lazy", Name: "one item of each",
		Says: "a process delivers the first item of an origin alone",
		File: "lazy.go",
		Is:   "if p.delivered[d.Key()] {", Becomes: "if p.delivered[d.Key()] || d.Number > 1 {",
	},
}

var uniformDefects = []catalogtest.Defect{
	{
		Algorithm: "uniform", Name: "one too few",
		Says: "a process takes one process less than a majority for enough",
		File: "uniform.go",
		Is:   "2*len(by) > n.Degree()+1", Becomes: "2*len(by)+2 > n.Degree()+1",
	},
	{
		Algorithm: "uniform", Name: "not noted",
		Says: "a process forgets what it has delivered",
		File: "uniform.go",
		Is:   "		p.delivered[w.data.Key()] = true\n", Becomes: "",
	},
	{
		Algorithm: "uniform", Name: "waits for the dead",
		Says: "with allack, a process waits for those that have crashed, too",
		File: "uniform.go",
		Is:   "!slices.Contains(by, q) && !n.Suspects(q) {", Becomes: "!slices.Contains(by, q) {",
	},
	{
		Algorithm: "uniform", Name: "never looks",
		Says: "with allack, a process does not ask the detector again",
		File: "uniform.go",
		Is:   "	p.deliver(n)\n}\n\nfunc (p *Process) TimerName", Becomes: "}\n\nfunc (p *Process) TimerName",
	},
	{
		Algorithm: "uniform", Name: "keeps it",
		Says: "a process does not pass on what arrives",
		File: "uniform.go",
		Is:   "	n.Request(d)\n", Becomes: "	if d.Origin == n.ID() {\n		n.Request(d)\n	}\n",
	},
}

var fifoDefects = []catalogtest.Defect{
	{
		Algorithm: "fifo", Name: "as they come",
		Says: "a process delivers items in the order in which they arrive",
		File: "fifo.go",
		Is:   "h.Number == p.delivered[h.By]+1", Becomes: "h.Number > 0",
	},
	{
		Algorithm: "fifo", Name: "one at a time",
		Says: "a process that has delivered an item does not look whether another one waited for it",
		File: "fifo.go",
		Is:   "		n.Indicate(h.By, inner)\n", Becomes: "		n.Indicate(h.By, inner)\n		return\n",
	},
	{
		Algorithm: "fifo", Name: "first twice",
		Says: "a process delivers the first item of an origin twice",
		File: "fifo.go",
		Is:   "		p.delivered[h.By]++\n", Becomes: "		p.delivered[h.By]++\n		if h.Number == 1 {\n			n.Indicate(h.By, inner)\n		}\n",
	},
}

var causalDefects = []catalogtest.Defect{
	{
		Algorithm: "causal", Name: "own items uncounted",
		Says: "the vector of an item does not count those that its origin broadcast before",
		File: "causal.go",
		Is:   "	after[n.ID()] = p.broadcasts\n", Becomes: "	after[n.ID()] = 0\n",
	},
	{
		Algorithm: "causal", Name: "FIFO alone",
		Says: "the vector of an item counts its origin's items alone",
		File: "causal.go",
		Is:   "	after := slices.Clone(p.delivered)\n", Becomes: "	after := make([]int, len(p.delivered))\n",
	},
	{
		Algorithm: "causal", Name: "strictly more",
		Says: "a process waits until it has delivered more than the vector says",
		File: "causal.go",
		Is:   "p.delivered[q] < number {", Becomes: "p.delivered[q] <= number {",
	},
	{
		Algorithm: "causal", Name: "twice",
		Says: "a process delivers its first item twice",
		File: "causal.go",
		Is:   "		p.delivered[h.By]++\n", Becomes: "		p.delivered[h.By]++\n		if h.By == n.ID() && p.delivered[h.By] == 1 {\n			n.Indicate(h.By, inner)\n		}\n",
	},
}

var totalOrderDefects = []catalogtest.Defect{
	{
		Algorithm: "totalorder", Name: "own items at once",
		Says: "a process delivers its own items when it broadcasts them",
		File: "totalorder.go",
		Is:   "	if p.cfg.AtOnce {\n", Becomes: "	if p.cfg.AtOnce || item.Origin == p.id {\n",
	},
	{
		Algorithm: "totalorder", Name: "still waiting",
		Says: "a process proposes what is delivered once more",
		File: "totalorder.go",
		Is:   "			p.waiting = slices.Delete(p.waiting, i, i+1)\n", Becomes: "			_ = i\n",
	},
	{
		Algorithm: "totalorder", Name: "forgets what was ahead",
		Says: "a process proposes an item that it delivered before the broadcast below did",
		File: "totalorder.go",
		Is:   "			p.ahead = append(p.ahead, item)\n", Becomes: "",
	},
	{
		Algorithm: "totalorder", Name: "one consensus",
		Says: "a process takes what is said of a later batch for the next one",
		File: "totalorder.go",
		Is:   "		p.instance(m.Batch).Receive(", Becomes: "		p.instance(p.batch + 1).Receive(",
	},
	{
		Algorithm: "totalorder", Name: "one proposal",
		Says: "a process proposes for the first batch alone",
		File: "totalorder.go",
		Is:   "	p.proposed, p.instances = false, slices", Becomes: "	p.instances = slices",
	},
}

var gossipDefects = []catalogtest.Defect{
	{
		Algorithm: "gossip", Name: "forgets what it knows",
		Says: "a process that has lost interest in an item delivers it again",
		File: "gossip.go",
		Is:   "		if !p.knows[m.Item] {\n", Becomes: "		if p.rumour(m.Item) == nil {\n",
	},
	{
		Algorithm: "gossip", Name: "always in need",
		Says: "a process says that it needed an item whenever it gets one",
		File: "gossip.go",
		Is:   "r == nil || !r.fresh {\n			return\n", Becomes: "r == nil || !r.fresh {\n			n.Send(from, Message{needed, m.Item})\n			return\n",
	},
	{
		Algorithm: "gossip", Name: "pulls for ever",
		Says: "a process does not count the cycles in which it pulls",
		File: "gossip.go",
		Is:   "		p.left--\n", Becomes: "",
	},
	{
		Algorithm: "gossip", Name: "one too few",
		Says: "a process loses interest after k-1 unnecessary cycles",
		File: "gossip.go",
		Is:   "after.unnecessary < p.cfg.K", Becomes: "after.unnecessary < p.cfg.K-1",
	},
	{
		Algorithm: "gossip", Name: "no thanks",
		Says: "a process never says that it needed an item",
		File: "gossip.go",
		Is:   "		if !p.cfg.Blind {\n", Becomes: "		if p.cfg.K < 0 {\n",
	},
}

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
	Table:    slices.Concat(bestEffortDefects, eagerDefects),
	Searches: catalogtest.Searches("", searches), Runs: runs, Quick: true,
	Lowest: "besteffort",
}

func TestDefects(t *testing.T) { defects.Hunted(t, testing.Short()) }

func TestHunt(t *testing.T) { defects.Hunt(t) }

// runs are runs of an algorithm inside its model, without and with crashes.
func runs(algorithm, variant string) iter.Seq[trial.Setting] {
	return func(yield func(trial.Setting) bool) {
		for n := 2; n <= 5; n++ {
			for seed := range uint64(20) {
				s := trial.Setting{Algorithm: algorithm, Variant: variant, N: n, Param: "requests=2,reactions=1", Delay: "exp(1ms)", Seed: seed, MaxEvents: 10_000}
				if seed > 9 {
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
		Algorithm: "eager", Name: "lazy",
		Says: "a process delivers what arrives, and does not pass it on",
		File: "eager.go",
		Is:   "		p.passOn(n, d)\n", Becomes: "		p.delivered[d.Key()] = true\n		n.Indicate(d.Popped())\n",
	},
	{
		Algorithm: "eager", Name: "forgetful",
		Says: "a process does not note what it delivers of others",
		File: "eager.go",
		Is:   "	p.delivered[d.Key()] = true\n", Becomes: "	p.delivered[d.Key()] = d.Origin == n.ID()\n",
	},
	{
		Algorithm: "eager", Name: "one item of each",
		Says: "a process takes all items of an origin for one",
		File: "eager.go",
		Is:   "!p.delivered[d.Key()] {", Becomes: "d.Number == 1 && !p.delivered[d.Key()] {",
	},
}

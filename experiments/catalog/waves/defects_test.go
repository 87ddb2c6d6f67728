package waves_test

import (
	"iter"
	"testing"

	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
)

var defects = catalogtest.Defects{
	Section: "waves", Registry: registry, Algorithms: catalogtest.Own(registry),
	Table: waveDefects, Searches: catalogtest.Searches("", waveSearches), Runs: runs, Quick: true,
}

func TestDefects(t *testing.T) { defects.Hunted(t, testing.Short()) }

func TestHunt(t *testing.T) { defects.Hunt(t) }

// runs are runs of an algorithm inside its model, with constant delays and with random ones.
func runs(algorithm, variant string) iter.Seq[trial.Setting] {
	return func(yield func(trial.Setting) bool) {
		for n := 2; n <= 6; n++ {
			for seed := range uint64(10) {
				s := trial.Setting{Algorithm: algorithm, Variant: variant, N: n, Seed: seed, MaxEvents: 10_000}
				if seed > 0 {
					s.Delay = "uniform(0,2ms)"
				}
				if !yield(s) {
					return
				}
			}
		}
	}
}

// waveSearches are where the defects are looked for.
var waveSearches = map[string]catalogtest.Explored{
	"tree": func(add catalogtest.Add) {
		add(0, trial.Setting{N: 3, Topology: "line", Initiators: "all"})
		add(0, trial.Setting{N: 4, Topology: "star", Initiators: "all"})
	},
	"phase":    catalogtest.Sizes(2, 3, trial.Setting{Topology: "line"}),
	"finn":     catalogtest.Sizes(2, 3, trial.Setting{Topology: "line"}),
	"tarry":    toured,
	"dfs":      toured,
	"awerbuch": toured,
	"cidon": func(add catalogtest.Add) {
		toured(add)
		add(0, trial.Setting{N: 3, Topology: "line", Unordered: true})
		add(0, trial.Setting{N: 3, Unordered: true})
	},
}

// toured explores a line, a triangle, and every way of the token through four processes.
func toured(add catalogtest.Add) {
	add(0, trial.Setting{N: 3, Topology: "line", Initiators: search.Every})
	add(0, trial.Setting{N: 3, Initiators: "0"})
	add(0, trial.Setting{N: 4, Initiators: "0", Variant: "random"})
}

var waveDefects = []catalogtest.Defect{
	{
		Algorithm: "tree", Name: "a neighbour too early",
		Says: "a process decides when it tells the last neighbour, and does not wait for that one",
		File: "tree.go",
		Is:   "p.decided = len(p.silent) == 0", Becomes: "p.decided = len(p.silent) == 0 || p.told",
	},
	{
		Algorithm: "tree", Name: "two may be silent",
		Says: "a process tells one neighbour while another has not been heard either",
		File: "tree.go",
		Is:   "len(p.silent) == 1 && !p.told", Becomes: "len(p.silent) > 0 && len(p.silent) < 3 && !p.told",
	},
	{
		Algorithm: "tree", Name: "tells the first neighbour",
		Says: "a process tells its first neighbour, and not the silent one",
		File: "tree.go",
		Is:   "n.Send(p.silent[0], ", Becomes: "n.Send(n.Neighbor(0), ",
	},
	{
		Algorithm: "tree", Name: "leaves do not begin",
		Says: "a process waits for a message before it tells anybody",
		File: "tree.go",
		Is:   "Start(n protocols.Node[Message]) {\n\tp.tell(n)\n\tp.decide()\n", Becomes: "Start(n protocols.Node[Message]) {\n",
	},

	{
		Algorithm: "phase", Name: "a phase too few",
		Says: "a process decides behind D - 1 phases",
		File: "phase.go",
		Is:   "p.decided = over == p.cfg.Phases", Becomes: "p.decided = over >= p.cfg.Phases-1",
	},
	{
		Algorithm: "phase", Name: "one neighbour is enough",
		Says: "a phase is over when one neighbour has sent its token",
		File: "phase.go",
		Is:   "slices.Min(p.got)", Becomes: "slices.Max(p.got)",
	},
	{
		Algorithm: "phase", Name: "begins a phase late",
		Says: "a process sends its first token when a phase is over, and none is",
		File: "phase.go",
		Is:   "p.sent <= over", Becomes: "p.sent < over",
	},

	{
		Algorithm: "finn", Name: "nobody is waited for",
		Says: "a process takes itself to have heard from all its neighbours at once",
		File: "finn.go",
		Is:   "if len(p.silent) == 0 {", Becomes: "if len(p.silent) >= 0 {",
	},
	{
		Algorithm: "finn", Name: "half of the news",
		Says: "a process does not pass on that the second set has grown",
		File: "finn.go",
		Is:   "if p.sets == before ||", Becomes: "if p.sets.Reached == before.Reached ||",
	},
	{
		Algorithm: "finn", Name: "leaves itself out",
		Says: "a process does not count itself among those that have been reached",
		File: "finn.go",
		Is:   "before.Reached.With(n.ID())", Becomes: "before.Reached",
	},

	{
		Algorithm: "tarry", Name: "home at once",
		Says: "a process sends the token back at its first visit, although other links are left",
		File: "tarry.go",
		Is:   "\t\tp.Visit(n, from)\n", Becomes: "\t\tp.Visit(n, from)\n\t\tn.Send(from, Message{Type: Token})\n\t\treturn\n",
	},
	{
		Algorithm: "tarry", Name: "no father",
		Says: "a process does not note from whom the token came first",
		File: "tarry.go",
		Is:   "p.Visit(n, from)", Becomes: "p.Visit(n, wave.Nobody)",
	},
	{
		Algorithm: "tarry", Name: "the second visit is the last",
		Says: "a process keeps a token that comes back",
		File: "tarry.go",
		Is:   "\tif !p.Visited() {\n\t\tp.Visit(n, from)\n\t}\n", Becomes: "\tif p.Says().Father != wave.Nobody {\n\t\treturn\n\t}\n\tif !p.Visited() {\n\t\tp.Visit(n, from)\n\t}\n",
	},

	{
		Algorithm: "dfs", Name: "without rule R3",
		Says: "a process passes the token on where it should send it back, as Tarry's do",
		File: "dfs.go",
		Is:   "if p.Close(n, from) {", Becomes: "if from == n.ID() {",
	},
	{
		Algorithm: "dfs", Name: "back on the wrong link",
		Says: "a process closes the link over which the token came, and sends it over another one",
		File: "dfs.go",
		Is:   "\t\tn.Send(from, Message{Type: Token})\n", Becomes: "\t\tp.forward(n)\n",
	},
	{
		Algorithm: "dfs", Name: "back to the father",
		Says: "a process sends the token back to its father, too, although other links are left",
		File: "dfs.go",
		Is:   "if p.Close(n, from) {", Becomes: "if p.Close(n, from) || from == p.Says().Father {",
	},
	{
		Algorithm: "dfs", Name: "every sender is the father",
		Says: "a process takes whoever sends it the token for its father",
		File: "dfs.go",
		Is:   "\tif !p.Visited() {\n\t\tp.Visit(n, from)\n\t}\n", Becomes: "\tp.Visit(n, from)\n",
	},

	{
		Algorithm: "awerbuch", Name: "does not wait",
		Says: "a process passes the token on before its neighbours know of the visit",
		File: "awerbuch.go",
		Is:   "p.unsure = len(others)", Becomes: "p.unsure = 0",
	},
	{
		Algorithm: "awerbuch", Name: "tells one",
		Says: "a process tells one neighbour of the visit, and waits for all",
		File: "awerbuch.go",
		Is:   "range others {", Becomes: "range others[:min(1, len(others))] {",
	},
	{
		Algorithm: "awerbuch", Name: "forgets what it is told",
		Says: "a process answers a neighbour that tells of a visit, and sends it the token all the same",
		File: "awerbuch.go",
		Is:   "\t\tp.Close(n, from)\n", Becomes: "",
	},
	{
		Algorithm: "awerbuch", Name: "home at once",
		Says: "a process sends the token back at its first visit, and tells nobody of it",
		File: "awerbuch.go",
		Is:   "p.visit(n, from)", Becomes: "p.Visit(n, from)\n\t\t\tn.Send(from, Message{Type: Token})",
	},

	{
		Algorithm: "cidon", Name: "not sent again",
		Says: "a process that has sent the token to a visited one leaves it there",
		File: "cidon.go",
		Is:   "\t\tif from == p.sent {\n\t\t\tp.forward(n)\n\t\t}\n", Becomes: "",
	},
	{
		Algorithm: "cidon", Name: "every token is one",
		Says: "a process passes on also a token that was sent before the sender knew of the visit here",
		File: "cidon.go",
		Is:   "m.Type == Token && from == p.sent", Becomes: "m.Type == Token && p.Visited()",
	},
	{
		Algorithm: "cidon", Name: "forgets what it is told",
		Says: "a process sends the token to a neighbour that has told it of a visit",
		File: "cidon.go",
		Is:   "\t\tp.Close(n, from)\n\t\tif from", Becomes: "\t\tif from",
	},
	{
		Algorithm: "cidon", Name: "no father",
		Says: "a process does not note from whom the token came first",
		File: "cidon.go",
		Is:   "p.visit(n, from)", Becomes: "p.visit(n, wave.Nobody)",
	},
}

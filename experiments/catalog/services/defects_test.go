package services_test

import (
	"iter"
	"testing"

	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
)

var defects = catalogtest.Defects{
	Section: "services", Registry: registry, Algorithms: catalogtest.Own(registry),
	Table: serviceDefects, Searches: catalogtest.Searches("", serviceSearches), Runs: runs, Quick: true,
	// In what is explored all clocks are right.
	Spares: func(algorithm, property string) bool { return algorithm == "berkeley" && property == "close" },
}

func TestDefects(t *testing.T) { defects.Hunted(t, testing.Short()) }

func TestHunt(t *testing.T) { defects.Hunt(t) }

// runs are the runs of an algorithm: under constant and random delays, and with clocks that
// are off where there are any.
func runs(algorithm, _ string) iter.Seq[trial.Setting] {
	return func(yield func(trial.Setting) bool) {
		for n := 2; n <= 4; n++ {
			for seed := range uint64(5) {
				s := trial.Setting{Algorithm: algorithm, N: n, Initiators: "all", Seed: seed, MaxEvents: 10_000}
				if seed > 0 {
					s.Delay = "uniform(0,2ms)"
				}
				if algorithm == "berkeley" {
					s.Fault = "at 0s clock 0 offset 1m"
				}
				if !yield(s) {
					return
				}
			}
		}
	}
}

var serviceDefects = []catalogtest.Defect{
	{
		Algorithm: "chandylamport", Name: "channels not recorded",
		Says: "what comes between the recording and the marker is handled, and not recorded",
		File: "chandylamport.go",
		Is:   "\t\tc.content = append(c.content, m.Inner)\n", Becomes: "",
	},
	{
		Algorithm: "chandylamport", Name: "state not recorded",
		Says: "a process sends its markers and forgets to record its state",
		File: "chandylamport.go",
		Is:   "p.recorded, p.state = true, p.app.State()", Becomes: "p.recorded = true",
	},
	{
		Algorithm: "chandylamport", Name: "first marker only begins",
		Says: "the marker that has a process record does not close its channel",
		File: "chandylamport.go",
		Is:   "\t\tp.record(n)\n\t\tc.closed = true\n", Becomes: "\t\tp.record(n)\n",
	},

	{
		Algorithm: "sequencer", Name: "nothing is held back",
		Says: "items are delivered as they arrive, whatever their numbers",
		File: "sequencer.go",
		Is:   "p.hold(m.Number, m.Item)", Becomes: "p.deliver(m.Item)",
	},
	{
		Algorithm: "sequencer", Name: "delivers its own twice",
		Says: "the sequencer delivers an item when it numbers it, and once more",
		File: "sequencer.go",
		Is:   "\t\tp.deliver(item)\n\t\tfor port", Becomes: "\t\tp.deliver(item)\n\t\tp.deliver(item)\n\t\tfor port",
	},
	{
		Algorithm: "sequencer", Name: "one too few",
		Says: "the last neighbour is not sent what was numbered",
		File: "sequencer.go",
		Is:   "\t\tfor port := range n.Degree() {\n\t\t\tp.data(", Becomes: "\t\tfor port := range n.Degree() - 1 {\n\t\t\tp.data(",
	},

	{
		Algorithm: "berkeley", Name: "the master keeps its clock",
		Says: "the master corrects all clocks but its own",
		File: "berkeley.go",
		Is:   "\tp.adjust(average)\n", Becomes: "",
	},
	{
		Algorithm: "berkeley", Name: "waits for itself",
		Says: "the master waits for its own answer, which never comes",
		File: "berkeley.go",
		Is:   "\tp.answers[n.ID()].given = true\n", Becomes: "",
	},
	{
		Algorithm: "berkeley", Name: "messages take no time",
		Says: "a clock is taken to show what it showed when it was asked",
		File: "berkeley.go",
		Is:   "there := p.polled + (p.clock(n)-p.polled)/2", Becomes: "there := p.polled",
	},

	{
		Algorithm: "dht", Name: "responsible for the predecessor",
		Says: "a process takes itself to be responsible for the identifier of its predecessor, too",
		File: "dht.go",
		Is:   "|| key == p.id\n", Becomes: "|| key == p.id || key == p.predecessor\n",
	},
	{
		Algorithm: "dht", Name: "answers and does not serve",
		Says: "who is responsible answers, and does not become a superpeer",
		File: "dht.go",
		Is:   "\t\tp.serves = true\n\t\tn.Send(m.Origin", Becomes: "\t\tn.Send(m.Origin",
	},
	{
		Algorithm: "dht", Name: "answers who has asked last",
		Says: "the answer goes to who has passed the question on",
		File: "dht.go",
		Is:   "n.Send(m.Origin, Message{Type: Responsible", Becomes: "n.Send(from, Message{Type: Responsible",
	},

	{
		Algorithm: "repelling", Name: "gives and keeps",
		Says: "who gives its token away has it still",
		File: "repelling.go",
		Is:   "p.token, p.offered, p.due = none, nobody, false", Becomes: "p.offered, p.due = nobody, false",
	},
	{
		Algorithm: "repelling", Name: "time runs on",
		Says: "the time for which a token was held goes on when it is gone",
		File: "repelling.go",
		Is:   "\tn.StopTimer(held)\n", Becomes: "",
	},
	{
		Algorithm: "repelling", Name: "no time begins",
		Says: "who takes a token does not count the time",
		File: "repelling.go",
		Is:   "m.Moves}\n\tn.SetTimer(held, p.cfg.Hold)\n", Becomes: "m.Moves}\n",
	},
}

// serviceSearches are where the defects are looked for. What is drawn is drawn from the seed.
var serviceSearches = map[string]catalogtest.Explored{
	"chandylamport": func(add catalogtest.Add) {
		add(0, trial.Setting{N: 2})
		add(0, trial.Setting{N: 2, Param: "transfers=2"})
		add(0, trial.Setting{N: 3, Initiators: "0"})
	},
	"sequencer": func(add catalogtest.Add) {
		add(0, trial.Setting{N: 2})
		add(0, trial.Setting{N: 3})
		add(0, trial.Setting{N: 2, Unordered: true, Param: "items=2"})
		add(0, trial.Setting{N: 3, Unordered: true})
	},
	"berkeley": catalogtest.Sizes(2, 4, trial.Setting{}),
	"dht": func(add catalogtest.Add) {
		for seed := range uint64(8) {
			add(0, trial.Setting{N: 3, Param: "m=3,k=2", Seed: seed})
			add(0, trial.Setting{N: 4, Param: "m=4,k=2", Seed: seed})
		}
	},
	"repelling": func(add catalogtest.Add) {
		for seed := range uint64(8) {
			add(0, trial.Setting{N: 3, Initiators: "all", Param: "rounds=1,fanout=1", Seed: seed})
		}
	},
}

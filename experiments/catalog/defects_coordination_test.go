package catalog_test

import (
	"iter"

	"bullring/experiments"
)

func init() {
	defects = append(defects,
		defect{
			algorithm: "chandylamport", name: "channels not recorded",
			says: "what comes between the recording and the marker is handled, and not recorded",
			file: "chandylamport.go",
			is:   "\t\tc.content = append(c.content, m.Inner)\n", becomes: "",
		},
		defect{
			algorithm: "chandylamport", name: "state not recorded",
			says: "a process sends its markers and forgets to record its state",
			file: "chandylamport.go",
			is:   "p.recorded, p.state = true, p.app.State()", becomes: "p.recorded = true",
		},
		defect{
			algorithm: "chandylamport", name: "first marker only begins",
			says: "the marker that has a process record does not close its channel",
			file: "chandylamport.go",
			is:   "\t\tp.record(n)\n\t\tc.closed = true\n", becomes: "\t\tp.record(n)\n",
		},

		defect{
			algorithm: "sequencer", name: "nothing is held back",
			says: "items are delivered as they arrive, whatever their numbers",
			file: "sequencer.go",
			is:   "p.hold(m.Number, m.Item)", becomes: "p.deliver(m.Item)",
		},
		defect{
			algorithm: "sequencer", name: "delivers its own twice",
			says: "the sequencer delivers an item when it numbers it, and once more",
			file: "sequencer.go",
			is:   "\t\tp.deliver(item)\n\t\tfor port", becomes: "\t\tp.deliver(item)\n\t\tp.deliver(item)\n\t\tfor port",
		},
		defect{
			algorithm: "sequencer", name: "one too few",
			says: "the last neighbour is not sent what was numbered",
			file: "sequencer.go",
			is:   "\t\tfor port := range n.Degree() {\n\t\t\tp.data(", becomes: "\t\tfor port := range n.Degree() - 1 {\n\t\t\tp.data(",
		},

		defect{
			algorithm: "berkeley", name: "the master keeps its clock",
			says: "the master corrects all clocks but its own",
			file: "berkeley.go",
			is:   "\tp.adjust(average)\n", becomes: "",
		},
		defect{
			algorithm: "berkeley", name: "waits for itself",
			says: "the master waits for its own answer, which never comes",
			file: "berkeley.go",
			is:   "\tp.answers[n.ID()].given = true\n", becomes: "",
		},
		defect{
			algorithm: "berkeley", name: "messages take no time",
			says: "a clock is taken to show what it showed when it was asked",
			file: "berkeley.go",
			is:   "there := p.polled + (p.clock(n)-p.polled)/2", becomes: "there := p.polled",
		},

		defect{
			algorithm: "dht", name: "responsible for the predecessor",
			says: "a process takes itself to be responsible for the identifier of its predecessor, too",
			file: "dht.go",
			is:   "|| key == p.id\n", becomes: "|| key == p.id || key == p.predecessor\n",
		},
		defect{
			algorithm: "dht", name: "answers and does not serve",
			says: "who is responsible answers, and does not become a superpeer",
			file: "dht.go",
			is:   "\t\tp.serves = true\n\t\tn.Send(m.Origin", becomes: "\t\tn.Send(m.Origin",
		},
		defect{
			algorithm: "dht", name: "answers who has asked last",
			says: "the answer goes to who has passed the question on",
			file: "dht.go",
			is:   "n.Send(m.Origin, Message{Type: Responsible", becomes: "n.Send(from, Message{Type: Responsible",
		},

		defect{
			algorithm: "repelling", name: "gives and keeps",
			says: "who gives its token away has it still",
			file: "repelling.go",
			is:   "p.token, p.offered, p.due = none, nobody, false", becomes: "p.offered, p.due = nobody, false",
		},
		defect{
			algorithm: "repelling", name: "time runs on",
			says: "the time for which a token was held goes on when it is gone",
			file: "repelling.go",
			is:   "\tn.StopTimer(held)\n", becomes: "",
		},
		defect{
			algorithm: "repelling", name: "no time begins",
			says: "who takes a token does not count the time",
			file: "repelling.go",
			is:   "m.Moves}\n\tn.SetTimer(held, p.cfg.Hold)\n", becomes: "m.Moves}\n",
		},
	)
}

// coordinated are the settings that are explored of algorithms of other families than
// election and mutual exclusion: identities mean nothing to them, and what is drawn is
// drawn from the seed.
func coordinated(algorithm string) []experiments.Setting {
	switch algorithm {
	case "chandylamport":
		return []experiments.Setting{{N: 2}, {N: 2, Param: "transfers=2"}, {N: 3, Initiators: "0"}}
	case "sequencer":
		return []experiments.Setting{{N: 2}, {N: 3}, {N: 2, Unordered: true, Param: "items=2"}, {N: 3, Unordered: true}}
	case "berkeley":
		return []experiments.Setting{{N: 2}, {N: 3}, {N: 4}}
	case "dht":
		var all []experiments.Setting
		for seed := range uint64(8) {
			all = append(all, experiments.Setting{N: 3, Param: "m=3,k=2", Seed: seed}, experiments.Setting{N: 4, Param: "m=4,k=2", Seed: seed})
		}
		return all
	case "repelling":
		var all []experiments.Setting
		for seed := range uint64(8) {
			all = append(all, experiments.Setting{N: 3, Initiators: "all", Param: "rounds=1,fanout=1", Seed: seed})
		}
		return all
	}
	return nil
}

// coordinatedRuns are their runs: under constant and random delays, and with clocks that
// are off where there are any.
func coordinatedRuns(algorithm string) iter.Seq[experiments.Setting] {
	return func(yield func(experiments.Setting) bool) {
		for n := 2; n <= 4; n++ {
			for seed := range uint64(5) {
				s := experiments.Setting{Algorithm: algorithm, N: n, Initiators: "all", Seed: seed, MaxEvents: 10_000}
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

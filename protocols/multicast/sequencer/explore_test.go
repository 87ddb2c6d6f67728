package sequencer_test

import (
	"testing"
	"time"

	"bullring/netem"
	"bullring/netem/explore"
	"bullring/protocols"
	"bullring/protocols/multicast"
	"bullring/protocols/multicast/sequencer"
)

// explored watches a group for the explorer.
type explored struct{ checker *multicast.Checker }

func (w *explored) note(p protocols.ID, process any, now time.Duration) {
	w.checker.Stepped(p, process.(multicast.Member), now)
}

func (w *explored) Started(p protocols.ID, process any, now time.Duration)   { w.note(p, process, now) }
func (w *explored) Received(p protocols.ID, process any, now time.Duration)  { w.note(p, process, now) }
func (w *explored) Expired(p protocols.ID, process any, now time.Duration)   { w.note(p, process, now) }
func (w *explored) Restarted(p protocols.ID, process any, now time.Duration) { w.note(p, process, now) }
func (w *explored) Crashed(p protocols.ID, now time.Duration)                { w.checker.Crashed(p, now) }

func (w *explored) Verdicts(rest bool) []protocols.Verdict {
	var v []protocols.Verdict
	for _, c := range w.checker.Checks(rest) {
		v = append(v, c.Verdict)
	}
	return v
}

func system(n, items int, cfg sequencer.Config, network explore.Network, looks int) *explore.System[message] {
	s := &explore.System[message]{Topology: netem.Complete(n), Network: network, Properties: []explore.Property{
		{Name: "integrity", Kind: explore.Always}, {Name: "total order", Kind: explore.Always},
		{Name: "validity", Kind: explore.Eventually}, {Name: "agreement", Kind: explore.Eventually}, {Name: "FIFO order", Kind: explore.Always},
	}}
	if !cfg.FIFO {
		s.Properties = s.Properties[:4]
	}
	s.Roots = []explore.Root[message]{{
		Boot: func(p protocols.ID) protocols.Process[message] {
			service := sequencer.New(p, cfg)
			return &guarded{multicast.NewClient(service, multicast.Workload{Items: items}), service, unit, looks}
		},
		Initiators: all(n),
		Watch:      &explored{multicast.NewChecker(n, multicast.Promise{FIFO: cfg.FIFO})},
	}}
	return s
}

// Every run of two and three processes that all multicast; without FIFO links; and
// with a crash of any process at any point, and with a new sequencer or without.
func TestExplore(t *testing.T) {
	for _, c := range []struct {
		name                string
		system              *explore.System[message]
		states, transitions uint64
	}{
		{"two", system(2, 3, sequencer.Config{FIFO: true}, explore.Network{}, 0), 173, 554},
		{"three", system(3, 1, sequencer.Config{}, explore.Network{FIFO: true}, 0), 64, 117},
		{"no FIFO", system(3, 1, sequencer.Config{FIFO: true}, explore.Network{}, 0), 174, 507},
		{"crash", system(3, 1, sequencer.Config{}, explore.Network{FIFO: true, Budget: explore.Budget{Crashes: 1}}, 1), 7438, 22768},
	} {
		r, err := explore.Explore(t.Context(), c.system, explore.Options{MaxStates: 3_000_000})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range r.Properties {
			if p.Verdict != protocols.Holds {
				t.Errorf("%s: %s %v, %v", c.name, p.Name, p.Verdict, r.Counterexample)
			}
		}
		if !r.Complete || r.States != c.states || r.Transitions != c.transitions {
			t.Errorf("%s: complete %v, %d states and %d transitions, want %d and %d", c.name, r.Complete, r.States, r.Transitions, c.states, c.transitions)
		}
	}
}

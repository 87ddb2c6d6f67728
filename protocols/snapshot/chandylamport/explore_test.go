package chandylamport_test

import (
	"testing"
	"time"

	"bullring/netem"
	"bullring/netem/explore"
	"bullring/protocols"
	"bullring/protocols/snapshot"
	"bullring/protocols/snapshot/bank"
	"bullring/protocols/snapshot/chandylamport"
)

var properties = []explore.Property{
	{Name: "consistent", Kind: explore.Always, Says: "the cut is"},
	{Name: "conserved", Kind: explore.Always, Says: "nothing is lost"},
	{Name: "complete", Kind: explore.Eventually, Says: "the snapshot is"},
	{Name: "in channels", Kind: explore.Sometimes, Says: "something is recorded as under way"},
}

// explored watches a snapshot for the explorer.
type explored struct{ checker *snapshot.Checker }

func (w *explored) note(p protocols.ID, process any, now time.Duration) {
	w.checker.Stepped(p, process.(snapshot.Recorder), now)
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
	if w.checker.Complete() && w.checker.InChannels() > 0 {
		return append(v, protocols.Holds)
	}
	return append(v, protocols.Undecided)
}

// system is n accounts of 3 that make so many payments each, with any set of
// initiators.
func system(topology netem.Topology, transfers, most int, fifo bool) *explore.System[message] {
	s := &explore.System[message]{Topology: topology, Properties: properties, Network: explore.Network{FIFO: fifo}}
	for _, set := range subsets(topology.Len()) {
		s.Roots = append(s.Roots, explore.Root[message]{
			Boot: func(protocols.ID) protocols.Process[message] {
				return chandylamport.Wrap(bank.New(bank.Config{Balance: 3, Transfers: transfers, Most: most}), chandylamport.Config{})
			},
			Initiators: set,
			Watch:      &explored{snapshot.NewChecker(topology.Len(), int64(3*topology.Len()))},
		})
	}
	return s
}

// Every run of two accounts that pay twice, and of three that pay once.
func TestExplore(t *testing.T) {
	for _, c := range []struct {
		system              *explore.System[message]
		states, transitions uint64
	}{
		{system(netem.Complete(2), 2, 2, true), 1551, 3888},
		{system(netem.Complete(3), 1, 1, true), 25351, 100470},
	} {
		r, err := explore.Explore(t.Context(), c.system, explore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range r.Properties {
			if p.Verdict != protocols.Holds {
				t.Errorf("n=%d: %s %v", c.system.Topology.Len(), p.Name, p.Verdict)
			}
		}
		if !r.Complete || r.States != c.states || r.Transitions != c.transitions {
			t.Errorf("n=%d: complete %v, %d states and %d transitions, want %d and %d", c.system.Topology.Len(), r.Complete, r.States, r.Transitions, c.states, c.transitions)
		}
	}
}

// Without FIFO the explorer finds a snapshot that is wrong.
func TestExploreWithoutFIFO(t *testing.T) {
	r, err := explore.Explore(t.Context(), system(netem.Complete(2), 1, 1, false), explore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Counterexample == nil || r.Properties[r.Counterexample.Property].Name != "consistent" {
		t.Fatalf("%+v", r.Properties)
	}
	if k := len(r.Counterexample.Steps); k > 6 {
		t.Errorf("the shortest counterexample has %d steps: %v", k, r.Counterexample.Steps)
	}
}

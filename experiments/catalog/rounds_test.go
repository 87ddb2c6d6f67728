package catalog

import (
	"fmt"
	"testing"

	"bullring/experiments"
	"bullring/protocols"
)

// What is proven of the algorithms in rounds, with the number of states; see
// TestProven.
func TestProvenInRounds(t *testing.T) {
	variant := func(v, topology string, s experiments.Search) experiments.Search {
		s.Setting.Variant, s.Setting.Topology = v, topology
		return s
	}
	for _, c := range []struct {
		search              experiments.Search
		states, transitions uint64
	}{
		{search: full(every(of("timeslice", 3))), states: 132, transitions: 180},
		{search: every(of("timeslice", 4)), states: 240, transitions: 378},
		{search: full(every(of("variablespeeds", 3))), states: 249, transitions: 339},
		{search: every(of("variablespeeds", 4)), states: 470, transitions: 694},
		{search: full(every(of("floodmax", 3))), states: 384, transitions: 780},
		{search: full(variant("opt", "", every(of("floodmax", 3)))), states: 282, transitions: 528},
		{search: full(variant("", "complete", of("floodmax", 3))), states: 276, transitions: 791},
		{search: full(variant("alpha", "", of("floodmax", 3))), states: 2300, transitions: 7254},
		{search: variant("alpha", "complete", everyWay(of("floodmax", 3))), states: 10548, transitions: 24030},
		{search: full(variant("alpha,opt", "", started(experiments.Every, of("floodmax", 3)))), states: 2336, transitions: 7341},
		{search: full(started(experiments.Every, of("itairodeh", 2))), states: 39, transitions: 64},
		{search: full(started(experiments.Every, of("itairodeh", 3))), states: 901, transitions: 2211},
		{search: full(variant("sync", "", of("itairodeh", 2))), states: 71, transitions: 122},
		{search: full(variant("sync", "", of("itairodeh", 3))), states: 2128, transitions: 4605},
	} {
		e := mustExplore(t, c.search)
		name := fmt.Sprintf("%s %s n=%d %s initiators %q full %v", e.Algorithm.Name, c.search.Setting.Variant, e.Instances[0].N, c.search.Setting.Topology, c.search.Setting.Initiators, c.search.Full)
		if e.States != c.states || e.Transitions != c.transitions {
			t.Errorf("%s: %d states and %d transitions, want %d and %d", name, e.States, e.Transitions, c.states, c.transitions)
		}
		if !e.Complete || len(e.Outside) > 0 {
			t.Errorf("%s: complete %v, stopped by %v, outside the model: %v", name, e.Complete, e.Stopped, e.Outside)
		}
		for _, p := range e.Properties {
			if p.Verdict != protocols.Holds {
				t.Errorf("%s: %s is %v", name, p.Name, p.Verdict)
			}
		}
	}
}

// Without coins nobody is ever elected: a run that puts nothing off goes on for ever,
// and in no state is there a leader.
func TestNoCoinsNoLeader(t *testing.T) {
	for _, v := range []string{"nocoins", "sync,nocoins"} {
		for n := 2; n <= 3; n++ {
			s := of("itairodeh", n)
			s.Setting.Variant = v
			e := mustExplore(t, s)
			if run := e.Counterexample; run == nil || run.Cycle == 0 || e.Properties[run.Property].Name != "E2" || e.Rests > 0 {
				t.Errorf("%s, n=%d: %+v, %d states of rest", v, n, run, e.Rests)
			}
		}
	}
}

package catalog

import (
	"testing"

	"bullring/protocols"
)

// What is proven of the sequencer that is replaced, with the number of states: three
// processes that multicast, one of which crashes at any point or between any two sends;
// two crashes; and four processes of which two crash, where one multicasts.
func TestSequencerFailoverProven(t *testing.T) {
	for _, c := range []struct {
		crashes, n          int
		param, initiators   string
		states, transitions uint64
	}{
		{1, 3, "election=bully", "", 24200, 67021},
		{1, 3, "election=lcr", "", 22012, 59009},
		{1, 3, "election=lcr,items=2", "", 1444751, 4571775},
		{2, 3, "election=bully", "", 41856, 171180},
		{2, 4, "election=bully", "last", 146141, 595454},
	} {
		s := with(c.param, crashing(c.crashes, of("sequencer-failover", c.n)))
		s.Setting.Initiators = c.initiators
		e := mustExplore(t, s)
		if e.States != c.states || e.Transitions != c.transitions || !e.Complete || len(e.Outside) > 0 {
			t.Errorf("n=%d, %d crashes, %s: complete %v, %d states and %d transitions, want %d and %d; outside the model: %v", c.n, c.crashes, c.param, e.Complete, e.States, e.Transitions, c.states, c.transitions, e.Outside)
		}
		for _, p := range e.Properties {
			if p.Verdict != protocols.Holds {
				t.Errorf("n=%d, %d crashes, %s: %s is %v", c.n, c.crashes, c.param, p.Name, p.Verdict)
			}
		}
	}
}

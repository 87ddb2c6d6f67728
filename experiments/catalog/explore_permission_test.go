package catalog

import (
	"fmt"
	"testing"

	"bullring/experiments"
	"bullring/protocols"
)

// What is proven of mutual exclusion by permission, with the number of states: of three
// processes, of two requests of each, and of four.
func TestPermissionsProven(t *testing.T) {
	for _, c := range []struct {
		search              experiments.Search
		states, transitions uint64
		deep                bool
	}{
		{search: full(of("centralized", 3)), states: 37, transitions: 52},
		{search: with("requests=2", of("centralized", 3)), states: 134, transitions: 198},
		{search: of("centralized", 4), states: 133, transitions: 223},
		{search: full(of("lamport", 3)), states: 45170, transitions: 118402},
		{search: of("lamport", 3), states: 31433, transitions: 65750},
		{search: variant("optimised", of("lamport", 3)), states: 679, transitions: 1215},
		{search: started("0,1", of("lamport", 4)), states: 24837, transitions: 57566},
		{search: full(of("ricartagrawala", 3)), states: 160, transitions: 442},
		{search: with("requests=2", of("ricartagrawala", 3)), states: 726, transitions: 1544},
		{search: of("ricartagrawala", 4), states: 12527, transitions: 57675},
		{search: full(of("carvalhoroucairol", 3)), states: 160, transitions: 442},
		{search: with("requests=2", of("carvalhoroucairol", 3)), states: 657, transitions: 1386},
		{search: of("carvalhoroucairol", 4), states: 12527, transitions: 57675},
		{search: full(of("maekawa", 3)), states: 59, transitions: 104},
		{search: with("requests=2", of("maekawa", 3)), states: 198, transitions: 283},
		{search: of("maekawa", 4), states: 1415, transitions: 3391},
		{search: with("quorums=plane", of("maekawa", 3)), states: 42, transitions: 64},
		{search: started("0,1,2", with("quorums=plane", of("maekawa", 7))), states: 494, transitions: 1243},
		{search: with("quorums=majority", of("maekawa", 4)), states: 4910, transitions: 17974},
		{search: full(of("majority", 3)), states: 7247, transitions: 23487},
		{search: of("majority", 3), states: 5046, transitions: 13059},
		{search: started("0,1", crashing(1, of("majority", 3))), states: 1825, transitions: 6491},
		{search: of("majority", 4), states: 1501637, transitions: 6852684, deep: true},
		{search: with("requests=2", of("majority", 3)), states: 972362, transitions: 2775835, deep: true},
	} {
		if c.deep && !*deep {
			continue
		}
		e := mustExplore(t, c.search)
		s := c.search.Setting
		name := fmt.Sprintf("%s %s n=%d %s initiators %q full %v", s.Algorithm, s.Variant, s.N, s.Param, s.Initiators, c.search.Full)
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

// What has to go wrong goes wrong, after the fewest steps: naive quorums deadlock, three
// processes that vote for themselves; a coordinator that forgets lets two in; and who tries
// again and again may get in each other's way for ever.
func TestPermissionsBroken(t *testing.T) {
	forgetful := started("0,1", of("decentralized", 3))
	forgetful.Budget.Crashes, forgetful.Budget.Restarts = 1, 1
	for _, c := range []struct {
		search       experiments.Search
		breaks       string
		steps, cycle int
	}{
		{variant("naive", with("quorums=plane", of("maekawa", 3))), "ME2", 9, 0},
		{with("slots=1", of("decentralized", 2)), "ME2", 10, 6},
		{with("slots=1", forgetful), "ME1", 15, 0},
	} {
		e := mustExplore(t, c.search)
		s := c.search.Setting
		r := e.Counterexample
		if r == nil || e.Properties[r.Property].Name != c.breaks {
			t.Fatalf("%s n=%d: %+v, want a run that breaks %s", s.Algorithm, s.N, r, c.breaks)
		}
		if len(r.Steps) != c.steps || r.Cycle != c.cycle {
			t.Errorf("%s n=%d: %s broken after %d steps, the last %d for ever; want %d and %d", s.Algorithm, s.N, c.breaks, len(r.Steps), r.Cycle, c.steps, c.cycle)
		}
	}
}

package catalog

import (
	"testing"

	"bullring/experiments"
	"bullring/protocols"
)

// What is proven of mutual exclusion by token, with the number of states: every order
// of events, every set of clients where it says so, and crashes at any point.
func TestTokensProven(t *testing.T) {
	everyClient := func(s experiments.Search) experiments.Search { return full(started(experiments.Every, s)) }
	for _, c := range []struct {
		search              experiments.Search
		param               string
		states, transitions uint64
	}{
		{everyClient(of("tokenring", 3)), "requests=2", 164, 217},
		{everyClient(of("tokenring", 4)), "requests=2", 471, 635},
		{everyClient(crashing(1, of("regeneratingring", 3))), "requests=2", 2714, 4767},
		{crashing(2, of("regeneratingring", 3)), "requests=2", 3708, 6967},
		{crashing(1, of("regeneratingring", 4)), "requests=1", 1146, 2002},
		{crashing(2, of("regeneratingring", 4)), "requests=1,cs=1ms", 9410, 16790},
		// Claims in vain: who is inside stays for longer than others believe in the token.
		{crashing(1, of("regeneratingring", 3)), "requests=2,cs=2ms,timeout=3ms", 7196, 14064},
		{crashing(2, of("regeneratingring", 3)), "requests=1,cs=4ms,timeout=3ms", 2236, 5120},
		{everyClient(of("suzukikasami", 3)), "requests=2", 3762, 10193},
		{of("suzukikasami", 4), "requests=1", 9499, 41224},
		{everyClient(of("raymond", 4)), "requests=2", 2703, 4520},
		{of("raymond", 5), "requests=1", 332, 635},
	} {
		c.search.Setting.Param = c.param
		e := mustExplore(t, c.search)
		s := e.Search
		if e.States != c.states || e.Transitions != c.transitions {
			t.Errorf("%s n=%d clients %q %s %+v: %d states and %d transitions, want %d and %d",
				e.Algorithm.Name, s.Setting.N, s.Setting.Initiators, c.param, s.Budget, e.States, e.Transitions, c.states, c.transitions)
		}
		if !e.Complete || len(e.Outside) > 0 {
			t.Errorf("%s %s: complete %v, stopped by %v, outside the model: %v", e.Algorithm.Name, c.param, e.Complete, e.Stopped, e.Outside)
		}
		for _, p := range e.Properties {
			if p.Verdict != protocols.Holds {
				t.Errorf("%s n=%d %s %+v: %s is %v", e.Algorithm.Name, s.Setting.N, c.param, s.Budget, p.Name, p.Verdict)
			}
		}
	}
}

// The generations of tokens keep two from being inside whatever the timeouts are worth:
// where timers expire at any time and links reorder messages, too, as far as that is
// explored.
func TestGenerationsNeedNoTime(t *testing.T) {
	for _, c := range []struct {
		search experiments.Search
		param  string
	}{
		{crashing(1, of("regeneratingring", 3)), "requests=1"},
		{of("regeneratingring", 3), "requests=2"},
		{of("regeneratingring", 2), "requests=3"},
	} {
		s := c.search
		s.Timers, s.Setting.Param, s.Setting.Unordered, s.Options.MaxStates = experiments.FreeTimers, c.param, true, 200_000
		e := mustExplore(t, s)
		if e.Counterexample != nil || e.States < 100_000 {
			t.Errorf("n=%d %s %+v: %d states, %v", s.Setting.N, c.param, s.Budget, e.States, e.Properties)
		}
	}
}

package mutex_test

import (
	"testing"

	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
	"bullring/netem"
)

// What is proven of mutual exclusion by token: every order of events, every set of clients
// where it says so, and crashes at any point.
func TestTokensProven(t *testing.T) {
	catalogtest.Proven(t, registry, testing.Short(), []catalogtest.Proof{
		{Search: of("tokenring", 3).Started(search.Every).InFull().With("requests=2"), States: 164, Transitions: 217},
		{Search: of("tokenring", 4).Started(search.Every).InFull().With("requests=2"), States: 471, Transitions: 635},
		{Search: of("regeneratingring", 3).Crashing(1).Started(search.Every).InFull().With("requests=2"), States: 2714, Transitions: 4767},
		{Search: of("regeneratingring", 3).Crashing(2).With("requests=2"), States: 3708, Transitions: 6967},
		{Search: of("regeneratingring", 4).Crashing(1).With("requests=1"), States: 1146, Transitions: 2002},
		{Search: of("regeneratingring", 4).Crashing(2).With("requests=1,cs=1ms"), States: 9410, Transitions: 16790},
		// Claims in vain: who is inside stays for longer than others believe in the token.
		{Search: of("regeneratingring", 3).Crashing(1).With("requests=2,cs=2ms,timeout=3ms"), States: 7196, Transitions: 14064},
		{Search: of("regeneratingring", 3).Crashing(2).With("requests=1,cs=4ms,timeout=3ms"), States: 2236, Transitions: 5120},
		{Search: of("suzukikasami", 3).Started(search.Every).InFull().With("requests=2"), States: 3762, Transitions: 10193},
		{Search: of("suzukikasami", 4).With("requests=1"), States: 9499, Transitions: 40720},
		{Search: of("raymond", 4).Started(search.Every).InFull().With("requests=2"), States: 2703, Transitions: 4520},
		{Search: of("raymond", 5).With("requests=1"), States: 332, Transitions: 623},
	})
}

// Walter, Welch & Vaidya's algorithm, where links come and go, lose no message, and keep the graph connected.
func TestReverseLinkProven(t *testing.T) {
	path := netem.Link{A: 0, B: 2} // is not there at first
	on := func(topology string, n, changes int) catalogtest.Search {
		return of("reverselink", n).On(topology).Changing(changes).InFull()
	}
	catalogtest.Proven(t, registry, testing.Short(), []catalogtest.Proof{
		{Search: on("complete", 2, 2), States: 13, Transitions: 15},
		{Search: on("complete", 3, 1).Without(path), States: 287, Transitions: 668},
		{Search: on("complete", 3, 1), States: 1266, Transitions: 2392},
		{Search: on("complete", 3, 2), States: 6799, Transitions: 17170},
		{Search: on("complete", 3, 1).Started(search.Every), States: 3048, Transitions: 5518},
		{Search: on("complete", 3, 2).With("requests=2"), States: 166021, Transitions: 489904},
		{Search: on("biring", 4, 1), States: 9208, Transitions: 21872},
		{Search: on("biring", 4, 2), States: 52874, Transitions: 157371},
		{Search: on("complete", 4, 1), States: 389142, Transitions: 1529492, Deep: true},
	})
}

// The generations of tokens keep two from being inside whatever the timeouts are worth:
// where timers expire at any time and links reorder messages, too, as far as that is
// explored.
func TestGenerationsNeedNoTime(t *testing.T) {
	for _, c := range []struct {
		search catalogtest.Search
		param  string
	}{
		{of("regeneratingring", 3).Crashing(1), "requests=1"},
		{of("regeneratingring", 3), "requests=2"},
		{of("regeneratingring", 2), "requests=3"},
	} {
		s := c.search.With(c.param).Unordered()
		s.Timers, s.Options.MaxStates = trial.FreeTimers, 200_000
		if testing.Short() {
			s.Options.MaxStates = 50_000
		}
		e := catalogtest.Explore(t, registry, s)
		if e.Counterexample != nil || e.States < s.Options.MaxStates/2 {
			t.Errorf("n=%d %s %+v: %d states, %v", s.Setting.N, c.param, s.Budget, e.States, e.Properties)
		}
	}
}

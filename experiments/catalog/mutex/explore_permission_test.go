package mutex_test

import (
	"testing"

	"bullring/experiments/catalog/internal/catalogtest"
)

var of = catalogtest.Of

// What is proven of mutual exclusion by permission: of three processes, of two requests of
// each, and of four.
func TestPermissionsProven(t *testing.T) {
	catalogtest.Proven(t, registry, testing.Short(), []catalogtest.Proof{
		{Search: of("centralized", 3).InFull(), States: 37, Transitions: 52},
		{Search: of("centralized", 3).With("requests=2"), States: 134, Transitions: 198},
		{Search: of("centralized", 4), States: 133, Transitions: 223},
		{Search: of("lamport", 3).InFull(), States: 45170, Transitions: 118402},
		{Search: of("lamport", 3), States: 29167, Transitions: 58471},
		{Search: of("lamport", 3).Variant("optimised"), States: 660, Transitions: 1158},
		{Search: of("lamport", 4).Started("0,1"), States: 23929, Transitions: 53622},
		{Search: of("ricartagrawala", 3).InFull(), States: 160, Transitions: 442},
		{Search: of("ricartagrawala", 3).With("requests=2"), States: 713, Transitions: 1490},
		{Search: of("ricartagrawala", 4), States: 11313, Transitions: 48296},
		{Search: of("carvalhoroucairol", 3).InFull(), States: 160, Transitions: 442},
		{Search: of("carvalhoroucairol", 3).With("requests=2"), States: 654, Transitions: 1373},
		{Search: of("carvalhoroucairol", 4), States: 11313, Transitions: 48296},
		{Search: of("maekawa", 3).InFull(), States: 59, Transitions: 104},
		{Search: of("maekawa", 3).With("requests=2"), States: 175, Transitions: 234},
		{Search: of("maekawa", 4), States: 1276, Transitions: 2821},
		{Search: of("maekawa", 3).With("quorums=plane"), States: 42, Transitions: 64},
		{Search: of("maekawa", 7).With("quorums=plane").Started("0,1,2"), States: 468, Transitions: 1113},
		{Search: of("maekawa", 4).With("quorums=majority"), States: 4905, Transitions: 17777},
		{Search: of("majority", 3).InFull(), States: 7247, Transitions: 23487},
		{Search: of("majority", 3), States: 4509, Transitions: 10988},
		{Search: of("majority", 3).Crashing(1).Started("0,1"), States: 1825, Transitions: 6414},
		{Search: of("majority", 4), States: 1333460, Transitions: 5725059, Deep: true},
		{Search: of("majority", 3).With("requests=2"), States: 777674, Transitions: 2035468, Deep: true},
	})
}

// What has to go wrong goes wrong, after the fewest steps: naive quorums deadlock, three
// processes that vote for themselves; a coordinator that forgets lets two in; and who tries
// again and again may get in each other's way for ever.
func TestPermissionsBroken(t *testing.T) {
	forgetful := of("decentralized", 3).Started("0,1")
	forgetful.Budget.Crashes, forgetful.Budget.Restarts = 1, 1
	for _, c := range []struct {
		search       catalogtest.Search
		breaks       string
		steps, cycle int
	}{
		{of("maekawa", 3).With("quorums=plane").Variant("naive"), "ME2", 9, 0},
		{of("decentralized", 2).With("slots=1"), "ME2", 10, 6},
		{forgetful.With("slots=1"), "ME1", 15, 0},
	} {
		e := catalogtest.Explore(t, registry, c.search)
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

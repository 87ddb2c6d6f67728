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
		{Search: of("lamport", 3), States: 31433, Transitions: 65750},
		{Search: of("lamport", 3).Variant("optimised"), States: 679, Transitions: 1215},
		{Search: of("lamport", 4).Started("0,1"), States: 24837, Transitions: 57566},
		{Search: of("ricartagrawala", 3).InFull(), States: 160, Transitions: 442},
		{Search: of("ricartagrawala", 3).With("requests=2"), States: 726, Transitions: 1544},
		{Search: of("ricartagrawala", 4), States: 12527, Transitions: 57675},
		{Search: of("carvalhoroucairol", 3).InFull(), States: 160, Transitions: 442},
		{Search: of("carvalhoroucairol", 3).With("requests=2"), States: 657, Transitions: 1386},
		{Search: of("carvalhoroucairol", 4), States: 12527, Transitions: 57675},
		{Search: of("maekawa", 3).InFull(), States: 59, Transitions: 104},
		{Search: of("maekawa", 3).With("requests=2"), States: 198, Transitions: 283},
		{Search: of("maekawa", 4), States: 1415, Transitions: 3391},
		{Search: of("maekawa", 3).With("quorums=plane"), States: 42, Transitions: 64},
		{Search: of("maekawa", 7).With("quorums=plane").Started("0,1,2"), States: 494, Transitions: 1243},
		{Search: of("maekawa", 4).With("quorums=majority"), States: 4910, Transitions: 17974},
		{Search: of("majority", 3).InFull(), States: 7247, Transitions: 23487},
		{Search: of("majority", 3), States: 5046, Transitions: 13059},
		{Search: of("majority", 3).Crashing(1).Started("0,1"), States: 1825, Transitions: 6491},
		{Search: of("majority", 4), States: 1501637, Transitions: 6852684, Deep: true},
		{Search: of("majority", 3).With("requests=2"), States: 972362, Transitions: 2775835, Deep: true},
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

package catalog_test

import (
	"testing"

	"bullring/experiments"
	"bullring/experiments/catalog/internal/catalogtest"
)

// What is proven of the centralized algorithm whose coordinator is replaced: three
// processes that ask twice, one of which crashes at any point or between any two sends,
// with every election; two crashes; four processes; and messages that take any time, where
// the election allows for that.
func TestFailoverProven(t *testing.T) {
	crashing := func(crashes, n int, param string) catalogtest.Search {
		return catalogtest.Of(failover, n).Crashing(crashes).With(param)
	}
	half := crashing(1, 3, "election=bully,cs=1ms")
	half.Grain = 2
	free := crashing(1, 3, "election=lcr")
	free.Timers = experiments.FreeTimers
	catalogtest.Proven(t, registry, testing.Short(), []catalogtest.Proof{
		{Search: crashing(1, 3, "requests=2,election=bully"), States: 4862, Transitions: 11027},
		{Search: crashing(1, 3, "requests=2,election=lcr"), States: 4855, Transitions: 10933},
		{Search: crashing(1, 3, "requests=2,election=changroberts"), States: 6047, Transitions: 13658},
		{Search: crashing(1, 3, "requests=2,election=lelann"), States: 5730, Transitions: 12969},
		{Search: crashing(1, 3, "requests=2,election=hirschbergsinclair"), States: 9833, Transitions: 22474},
		{Search: crashing(1, 3, "requests=2,election=franklin"), States: 7891, Transitions: 18059},
		{Search: crashing(1, 3, "requests=2,election=peterson"), States: 7142, Transitions: 15885},
		{Search: crashing(1, 3, "requests=2,election=itairodeh"), States: 15969, Transitions: 41343},
		{Search: crashing(1, 3, "requests=2,election=ringlist"), States: 17427, Transitions: 39553},
		{Search: crashing(1, 3, "requests=2,election=modifiedring"), States: 36319, Transitions: 85862},
		{Search: crashing(1, 3, "requests=2,election=floodmax(alpha)"), States: 15329, Transitions: 35921},
		{Search: crashing(2, 3, "requests=2,election=bully"), States: 9200, Transitions: 28130},
		{Search: crashing(1, 4, "election=bully"), States: 45424, Transitions: 163153},
		{Search: crashing(2, 4, "election=lcr"), States: 48659, Transitions: 139720},
		{Search: half, States: 2157, Transitions: 4584},
		{Search: free, States: 306, Transitions: 865, Outside: true},
	})
}

// What is proven of the sequencer that is replaced: three processes that multicast, one of
// which crashes at any point or between any two sends; two crashes; and four processes of
// which two crash, where one multicasts.
func TestSequencerFailoverProven(t *testing.T) {
	crashing := func(crashes, n int, param string) catalogtest.Search {
		return catalogtest.Of(sequencerFailover, n).Crashing(crashes).With(param)
	}
	catalogtest.Proven(t, registry, testing.Short(), []catalogtest.Proof{
		{Search: crashing(1, 3, "election=bully"), States: 24200, Transitions: 67021},
		{Search: crashing(1, 3, "election=lcr"), States: 22012, Transitions: 59009},
		{Search: crashing(1, 3, "election=lcr,items=2"), States: 1444751, Transitions: 4571775},
		{Search: crashing(2, 3, "election=bully"), States: 41856, Transitions: 171180},
		{Search: crashing(2, 4, "election=bully").Started("last"), States: 146141, Transitions: 595454},
	})
}

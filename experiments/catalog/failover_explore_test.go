package catalog_test

import (
	"testing"

	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
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
	free.Timers = trial.FreeTimers
	catalogtest.Proven(t, registry, testing.Short(), []catalogtest.Proof{
		{Search: crashing(1, 3, "requests=2,election=bully"), States: 4763, Transitions: 10501},
		{Search: crashing(1, 3, "requests=2,election=lcr"), States: 4821, Transitions: 10669},
		{Search: crashing(1, 3, "requests=2,election=changroberts"), States: 5937, Transitions: 12815},
		{Search: crashing(1, 3, "requests=2,election=lelann"), States: 5540, Transitions: 12110},
		{Search: crashing(1, 3, "requests=2,election=hirschbergsinclair"), States: 9269, Transitions: 19262},
		{Search: crashing(1, 3, "requests=2,election=franklin"), States: 7456, Transitions: 16013},
		{Search: crashing(1, 3, "requests=2,election=peterson"), States: 7019, Transitions: 14924},
		{Search: crashing(1, 3, "requests=2,election=itairodeh"), States: 15969, Transitions: 41343},
		{Search: crashing(1, 3, "requests=2,election=ringlist"), States: 14447, Transitions: 28057},
		{Search: crashing(1, 3, "requests=2,election=modifiedring"), States: 27807, Transitions: 52827},
		{Search: crashing(1, 3, "requests=2,election=floodmax(alpha)"), States: 12876, Transitions: 26314},
		{Search: crashing(2, 3, "requests=2,election=bully"), States: 9200, Transitions: 28130},
		{Search: crashing(1, 4, "election=bully"), States: 38450, Transitions: 120193},
		{Search: crashing(2, 4, "election=lcr"), States: 48216, Transitions: 133601},
		{Search: half, States: 2114, Transitions: 4390},
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
		{Search: crashing(1, 3, "election=bully"), States: 22606, Transitions: 54509},
		{Search: crashing(1, 3, "election=lcr"), States: 21362, Transitions: 51911},
		{Search: crashing(1, 3, "election=lcr,items=2"), States: 1371042, Transitions: 3909900},
		{Search: crashing(2, 3, "election=bully"), States: 41856, Transitions: 171180},
		{Search: crashing(2, 4, "election=bully").Started("last"), States: 134627, Transitions: 489285},
	})
}

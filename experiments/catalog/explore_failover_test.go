package catalog

import (
	"testing"

	"bullring/experiments"
	"bullring/protocols"
)

// What is proven of the centralized algorithm whose coordinator is replaced, with the
// number of states: three processes that ask twice, one of which crashes at any point or
// between any two sends, with every election; two crashes; four processes; and messages
// that take any time, where the election allows for that.
func TestFailoverProven(t *testing.T) {
	free := func(s experiments.Search) experiments.Search { s.Timers = experiments.FreeTimers; return s }
	half := func(s experiments.Search) experiments.Search { s.Grain = 2; return s }
	for _, c := range []struct {
		crashes, n          int
		param               string
		with                func(experiments.Search) experiments.Search
		states, transitions uint64
	}{
		{1, 3, "requests=2,election=bully", nil, 4862, 11027},
		{1, 3, "requests=2,election=lcr", nil, 4855, 10933},
		{1, 3, "requests=2,election=changroberts", nil, 6047, 13658},
		{1, 3, "requests=2,election=lelann", nil, 5730, 12969},
		{1, 3, "requests=2,election=hirschbergsinclair", nil, 9833, 22474},
		{1, 3, "requests=2,election=franklin", nil, 7891, 18059},
		{1, 3, "requests=2,election=peterson", nil, 7142, 15885},
		{1, 3, "requests=2,election=itairodeh", nil, 15969, 41343},
		{1, 3, "requests=2,election=ringlist", nil, 17427, 39553},
		{1, 3, "requests=2,election=modifiedring", nil, 36319, 85862},
		{1, 3, "requests=2,election=floodmax(alpha)", nil, 15329, 35921},
		{2, 3, "requests=2,election=bully", nil, 9200, 28130},
		{1, 4, "election=bully", nil, 45424, 163153},
		{2, 4, "election=lcr", nil, 48659, 139720},
		{1, 3, "election=bully,cs=1ms", half, 2157, 4584},
		{1, 3, "election=lcr", free, 306, 865},
	} {
		s := with(c.param, crashing(c.crashes, of("centralized-failover", c.n)))
		if c.with != nil {
			s = c.with(s)
		}
		e := mustExplore(t, s)
		if e.States != c.states || e.Transitions != c.transitions || !e.Complete {
			t.Errorf("n=%d, %d crashes, %s: complete %v, %d states and %d transitions, want %d and %d", c.n, c.crashes, c.param, e.Complete, e.States, e.Transitions, c.states, c.transitions)
		}
		if outside := len(e.Outside) > 0; outside != (s.Timers == experiments.FreeTimers) {
			t.Errorf("n=%d, %d crashes, %s: outside the model: %v", c.n, c.crashes, c.param, e.Outside)
		}
		for _, p := range e.Properties {
			if p.Verdict != protocols.Holds {
				t.Errorf("n=%d, %d crashes, %s: %s is %v", c.n, c.crashes, c.param, p.Name, p.Verdict)
			}
		}
	}
}

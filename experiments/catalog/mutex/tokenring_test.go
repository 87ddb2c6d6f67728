package mutex_test

import (
	"testing"

	"bullring/experiments/trial"
	"bullring/netem"
)

func TestTokenRingBounds(t *testing.T) {
	g := newGrants(t)
	for _, topology := range []string{"ring", "biring", "complete"} {
		g.everybody("tokenring", topology, 4)
	}
	g.everybody("regeneratingring", "", 4)
	g.NeedsAny("exact", "saturated", "alone", "delay", "handover")
}

// One message an entry when all ask, (n+1)/2 on average when one process does.
func TestTokenRingDemand(t *testing.T) {
	for _, algorithm := range []string{"tokenring", "regeneratingring"} {
		for _, n := range []int{10, 100} {
			r := newGrants(t).run(trial.Setting{Algorithm: algorithm, N: n, Param: "cs=2ms,requests=10"})
			if c := r.Counters; c.Sent[0] != uint64(10*n) || c.Messages() != c.Sent[0] || r.End != netem.Stopped {
				t.Errorf("%s n=%d: sent %v, %v", algorithm, n, c.Sent, r.End)
			}
			wantMean(t, trial.Setting{Algorithm: algorithm, N: n, Initiators: "random:1"}, "messages", 300, float64(n+1)/2)
		}
	}
}

// An idle token goes on, a message each unit: as many as it takes the clients to ask.
func TestTokenRingIdles(t *testing.T) {
	r := newGrants(t).run(trial.Setting{Algorithm: "tokenring", N: 5, Initiators: "3", Param: "think=1s,loop=open"})
	// It asks at 1000, when the token is at 0, and has it at 1003.
	if got := r.Counters.Messages(); got != 1004 {
		t.Errorf("%d messages, want 1004", got)
	}
}

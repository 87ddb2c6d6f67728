package mutex_test

import (
	"testing"

	"bullring/experiments/trial"
)

func TestSuzukiKasamiBounds(t *testing.T) {
	g := newGrants(t)
	g.everybody("suzukikasami", "", 5)
	g.NeedsAny("exact", "saturated", "worst", "delay", "handover")
}

func TestSuzukiKasamiTable(t *testing.T) {
	g := newGrants(t)
	for n := 2; n <= 40; n++ {
		r := g.run(trial.Setting{Algorithm: "suzukikasami", N: n, Delay: "exp(1ms)", Seed: uint64(n), Unordered: true})
		if c := r.Counters; c.Sent[0] != uint64((n-1)*(n-1)) || c.Sent[1] != uint64(n-1) {
			t.Errorf("n=%d: sent %v, want (n-1)^2 REQUEST and n-1 TOKEN", n, c.Sent)
		}
	}
}

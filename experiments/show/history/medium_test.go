package history_test

import (
	"context"
	"slices"
	"testing"

	"bullring/experiments/catalog"
	"bullring/experiments/show/history"
	"bullring/experiments/trial"
	"bullring/netem"
)

// A message that collides follows from its sending and from that of the message which it met, whose sender it names.
func TestCausesOfCollisions(t *testing.T) {
	collisions, own := 0, 0
	for seed := range uint64(5) {
		in, err := catalog.New().Instance(trial.Setting{Algorithm: "echo", N: 8, Topology: "er(0.5)", Delay: "uniform(10us,300us)", Medium: "radio(1mbit)", Seed: seed, OutsideModel: true})
		if err != nil {
			t.Fatal(err)
		}
		h := history.Of(context.Background(), in)
		for i := range h.Events {
			e := &h.Events[i]
			if e.What != "collide" {
				continue
			}
			collisions++
			if e.Met.From == e.Who {
				own++
			}
			sends := func(number uint64) func(int) bool {
				return func(k int) bool {
					return slices.ContainsFunc(h.Events[k-1].Sent, func(s netem.Sent) bool { return s.Number == number })
				}
			}
			other := slices.IndexFunc(e.After, sends(e.Met.Number))
			if !e.Absent || !slices.ContainsFunc(e.After, sends(e.Number)) || other < 0 || h.Events[e.After[other]-1].Who != e.Met.From || e.Met.Number == e.Number {
				t.Fatalf("seed %d: %s follows from %v", seed, e.Text(""), e.After)
			}
		}
		if uint64(collisions) == 0 || h.Result.Counters.Collided == 0 {
			t.Errorf("seed %d: nothing collides", seed)
		}
	}
	if own == 0 {
		t.Error("no message meets one of its receiver")
	}
}

package reason

import (
	"context"
	"slices"
	"testing"

	"bullring/des"
	"bullring/experiments/catalog"
	"bullring/experiments/show/history"
	"bullring/experiments/trial"
	"bullring/netem"
	"bullring/protocols"
)

// No part of a set does what the set does.
func TestSetsAreMinimal(t *testing.T) {
	registry, sizes := catalog.New(), map[int]int{}
	for _, s := range []trial.Setting{
		{Algorithm: "ghs", N: 8, Link: "loss 5%"},
		{Algorithm: "sequencer", N: 5, Link: "loss 5%"},
		{Algorithm: "bully", N: 4, Fault: "at 1ms partition {0 1 | 2 3} for 20ms"},
		{Algorithm: "bully", N: 5, Initiators: "0", Dead: "last", Delay: "uniform(0,3ms)", Assume: "1ms"},
	} {
		for seed := range uint64(20) {
			s.Seed, s.OutsideModel = seed+1, true
			in, err := registry.Instance(s)
			if err != nil {
				t.Fatal(err)
			}
			again := newReplays(t.Context(), in)
			again.most = Full.runs
			for _, r := range Explain(t.Context(), registry, in).Reasons {
				sizes[len(r.Changes)]++
				for _, part := range parts(r.Changes) {
					if found := again.try(part...); found.Gone() && r.Effect != Holds || found.Effect == Holds {
						t.Errorf("%s, seed %d: %v has the effect %v, and its part %v has %v", s.Algorithm, s.Seed, r.Changes, r.Effect, part, found.Effect)
					}
				}
			}
		}
	}
	if sizes[1] == 0 || sizes[2] == 0 || sizes[3] == 0 {
		t.Errorf("the sizes %v say nothing", sizes)
	}
}

// parts are the proper parts of some changes that are not empty.
func parts(changes []Change) (all [][]Change) {
	for bits := 1; bits < 1<<len(changes)-1; bits++ {
		var part []Change
		for i, c := range changes {
			if bits>>i&1 == 1 {
				part = append(part, c)
			}
		}
		all = append(all, part)
	}
	return all
}

// Long runs are repeated less often.
func TestAllowance(t *testing.T) {
	for _, c := range []struct {
		events uint64
		want   int
	}{{0, 4_000}, {50_000, 4_000}, {100_000, 2_000}, {1_000_000_000, 100}} {
		if got := Full.allowance(c.events); got != c.want {
			t.Errorf("a run of %d events is repeated %d times, want %d", c.events, got, c.want)
		}
	}
}

// A cancelled context ends the search: no run is made any more.
func TestCancelled(t *testing.T) {
	in, err := catalog.New().Instance(trial.Setting{Algorithm: "ghs", N: 8, Link: "loss 5%", Seed: 2, OutsideModel: true})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	r := newReplays(ctx, in)
	r.most = Full.runs
	elements := elementsOf(in, r.real, r.v, r.fates)
	cancel()
	s := &search{replays: r}
	if s.run(elements); r.runs != 0 || s.gone != nil || s.held != nil {
		t.Errorf("%d runs, %d sets", r.runs, len(s.gone))
	}
}

// A coin can fall otherwise: the process draws another number.
// Processes of a workload offer no coins.
func TestCoins(t *testing.T) {
	of := func(s trial.Setting) (*replays, []*Element) {
		in, err := catalog.New().Instance(s)
		if err != nil {
			t.Fatal(err)
		}
		r := newReplays(t.Context(), in)
		coins := elementsOf(in, r.real, &Violation{At: des.MaxTime}, r.fates)
		return r, slices.DeleteFunc(coins, func(e *Element) bool { return e.Class != Coin })
	}
	r, coins := of(trial.Setting{Algorithm: "itairodeh", N: 4, Seed: 1})
	if len(coins) == 0 {
		t.Fatal("a randomised election offers no coins")
	}
	first := coins[len(coins)-1]
	for _, c := range first.repairs() {
		changed := r.history([]Change{c})
		if got := drawn(changed, first.Coin.Who); got != c.Face {
			t.Errorf("%v: process %d draws %d", c, first.Coin.Who, got)
		}
	}
	if _, coins := of(trial.Setting{Algorithm: "ricartagrawala", N: 3, Param: "requests=3,think=exp(500us)", Seed: 1}); len(coins) > 0 {
		t.Errorf("the workload of a lock offers %d coins", len(coins))
	}
}

// A changed run of one that forks keeps all coins: each has the face that it had, at whatever event.
func TestCoinsOfForks(t *testing.T) {
	in, err := catalog.New().Instance(trial.Setting{Algorithm: "itairodeh", N: 4, Seed: 1, Forks: "3:a, 9:b"})
	if err != nil {
		t.Fatal(err)
	}
	r := newReplays(t.Context(), in)
	coins := r.changed(nil).Altered.Coins
	if real := r.real.Result; uint64(len(coins)) != real.Counters.Draws || r.history(nil).Result.Fingerprint != real.Fingerprint {
		t.Errorf("%d of %d coins are kept, or a run without a change is another one", len(coins), real.Counters.Draws)
	}
	for key := range coins {
		in := r.changed(nil)
		in.Forks = nil // as if all forks were too late
		if got := history.Of(t.Context(), in); drawn(got, key.Who) != coins[netem.CoinKey{Who: key.Who, Nth: 1}] {
			t.Errorf("process %d draws %d", key.Who, drawn(got, key.Who))
		}
	}
}

// drawn is the first number that a process draws.
func drawn(h *history.History, who protocols.ID) int {
	for i := range h.Events {
		if e := &h.Events[i]; e.Who == who && len(e.Choices) > 0 {
			return e.Choices[0]
		}
	}
	return -1
}

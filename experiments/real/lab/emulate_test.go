package lab

import (
	"math"
	"testing"
	"time"

	"bullring/experiments/catalog"
	"bullring/experiments/trial"
)

const ms = time.Millisecond

// lateAnswer is a bully of two processes. Process 0 asks process 1, and waits 8 ms for the answer,
// which is twice the bound that it is told. It elects itself, and violates E1, if the answer comes
// later. The two delays are uniform to 8 ms. Their sum exceeds 4 ms with probability 7/8, 8 ms with
// 1/2, and 12 ms with 1/8.
var lateAnswer = trial.Setting{Algorithm: "bully", N: 2, Initiators: "0", Delay: "uniform(0,8ms)", Assume: "4ms", OutsideModel: true}

// TestEmulatedShares: emulated runs violate a check as often as theory says of the latencies, of the
// lateness of timers, and of the limit. A run that ends before the check is decided violates nothing.
func TestEmulatedShares(t *testing.T) {
	const runs = 2000
	type measured = []time.Duration
	for _, c := range []struct {
		latencies, lateness measured
		limit               time.Duration
		share               float64
	}{
		{nil, nil, time.Second, 1. / 2},
		{measured{2 * ms}, nil, time.Second, 7. / 8},
		{nil, measured{4 * ms}, time.Second, 1. / 8},
		{measured{2 * ms}, measured{4 * ms}, time.Second, 1. / 2},
		{measured{0, 4 * ms}, nil, time.Second, (1./2 + 2*7./8 + 1) / 4},
		{nil, measured{0, 8 * ms}, time.Second, 1. / 4},
		{measured{0, 4 * ms}, measured{0, 8 * ms}, time.Second, (13./16 + (0+2*1./8+1./2)/4) / 2},
		{nil, nil, 6 * ms, 0},
		{nil, measured{0, 8 * ms}, 12 * ms, 1. / 4},
	} {
		o := Options{Limit: c.limit}
		in, err := Instance(catalog.New(), lateAnswer, o)
		if err != nil {
			t.Fatal(err)
		}
		m := &Comparison{Instance: in, Options: o, Live: Tally{Runs: runs}, Latencies: c.latencies, Lateness: c.lateness}
		if err := m.emulate(t.Context(), catalog.New(), lateAnswer); err != nil {
			t.Fatal(err)
		}
		got, far := float64(m.Emulated.Violated["E1"])/runs, 5*math.Sqrt(c.share*(1-c.share)/runs) // five standard errors
		if m.Emulated.Runs != runs || math.Abs(got-c.share) > far {
			t.Errorf("%+v: %v of %d runs violate E1", c, got, m.Emulated.Runs)
		}
	}
}

// TestEmulatedSeeds: emulated runs have the seeds of the live ones, from 1 on. Links lose what they
// lose in runs with these seeds.
func TestEmulatedSeeds(t *testing.T) {
	s := trial.Setting{Algorithm: "lcr", N: 3, Link: "loss 10%", OutsideModel: true}
	registry := catalog.New()
	in, err := Instance(registry, s, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var want Tally
	var worker trial.Worker
	for s.Seed = 1; s.Seed <= 20; s.Seed++ {
		one, err := Instance(registry, s, Options{})
		if err != nil {
			t.Fatal(err)
		}
		want.Add(worker.Run(t.Context(), one, nil))
		c := &Comparison{Instance: in, Live: Tally{Runs: want.Runs}}
		if err := c.emulate(t.Context(), registry, s); err != nil {
			t.Fatal(err)
		}
		if got := c.Emulated.Shares["correct"]; got != want.Shares["correct"] {
			t.Errorf("with the seeds 1 to %d, %+v of the emulated runs are correct, and not %+v", s.Seed, got, want.Shares["correct"])
		}
	}
	if all := want.Shares["correct"]; all.Showed == 0 || all.Showed == all.Of {
		t.Errorf("all seeds show the same: %+v", all)
	}
}

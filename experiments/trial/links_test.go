package trial_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"bullring/experiments/catalog"
	"bullring/experiments/trial"
)

// The bound on delay that an algorithm assumes is that of the links. Partial
// synchrony bounds all of it but for slots.
func TestAssumedBound(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		link, delta string
		want        time.Duration
	}{
		{"", "", ms}, {"delay 7ms", "", 7 * ms}, {"delay 7ms", "3ms", 3 * ms},
		{"slot 20ms", "", 21 * ms}, {"slot 20ms", "3ms", 21 * ms}, {"0->1: slot 20ms", "3ms", 21 * ms},
	} {
		in, err := catalog.New().Instance(trial.Setting{Algorithm: "bully", N: 3, Link: c.link, Delta: c.delta})
		if err != nil {
			t.Fatal(err)
		}
		if in.Assumed != c.want || len(in.Outside) > 0 {
			t.Errorf("link %q, delta %q: assumed are %v, outside %q; want %v", c.link, c.delta, in.Assumed, in.Outside, c.want)
		}
	}
}

// The seed draws shares of links. The setting keeps the share, and the drawn links written out
// are the same run.
func TestShares(t *testing.T) {
	registry := catalog.New()
	run := func(s trial.Setting) *trial.Result {
		t.Helper()
		s.OutsideModel, s.MaxEvents = true, 5000
		in, err := registry.Instance(s)
		if err != nil {
			t.Fatalf("%+v: %v", s, err)
		}
		var w trial.Worker
		return w.Run(context.Background(), in, nil)
	}
	drawn := map[string]bool{}
	for seed := range uint64(20) {
		s := trial.Setting{Algorithm: "bully", N: 8, Seed: seed, Delay: "exp(1ms)", Link: "10% of *<->*: delay exp(50ms); 1%  of *: loss 50%",
			Fault: "at 1ms cut 20% of * for 30ms; clog 10% of {0->* 1->*} for 5ms; random crashes 1 in 0s..9ms"}
		r := run(s)
		in := r.Instance
		if in.Setting.Link != "10% of *<->*: delay exp(50ms); 1% of *: loss 50%" || in.Plan.String() != in.Setting.Fault || in.Plan.String() != s.Fault {
			t.Fatalf("the setting is %q with %q", in.Setting.Link, in.Setting.Fault)
		}
		explicit := in.Setting
		explicit.Link, explicit.Fault = trial.LinksText(in.DrawnLines), in.Drawn.String()
		if strings.Contains(explicit.Link+explicit.Fault, " of ") {
			t.Fatalf("something was not drawn: %q, %q", explicit.Link, explicit.Fault)
		}
		drawn[explicit.Link] = true
		if again := run(explicit); again.Fingerprint != r.Fingerprint || run(s).Fingerprint != r.Fingerprint {
			t.Errorf("seed %d: the run with %q and %q is another one", seed, explicit.Link, explicit.Fault)
		}
	}
	if len(drawn) != 20 {
		t.Errorf("20 seeds have drawn %d sets of links", len(drawn))
	}
}

func TestSharesThatAreRefused(t *testing.T) {
	for _, c := range []struct{ link, fault, want string }{
		{"10% of 0->2: loss 5%", "", `link "10% of 0->2: loss 5%": the network has none of these links`},
		{"", "cut 10% of 0->2", `fault "cut 10% of 0->2": the network has none of these links`},
		{"0% of *: loss 5%", "", `link "0% of *: loss 5%": column 1: "0%" is not a share of links; allowed are percentages above 0%`},
		{"10% of 9->*: loss 5%", "", `there is no process 9; addresses are 0..4`},
		{"", "cut 10% of {0->1 9->0}", `there is no process 9; addresses are 0..4`},
	} {
		_, err := catalog.New().Instance(trial.Setting{Algorithm: "lcr", N: 5, Link: c.link, Fault: c.fault, OutsideModel: true})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("link %q, fault %q: %v; want %s", c.link, c.fault, err, c.want)
		}
	}
}

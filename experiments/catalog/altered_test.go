package catalog_test

import (
	"reflect"
	"strings"
	"testing"

	"bullring/experiments/trial"
	"bullring/netem"
)

// TestNothingChanged: an alteration that changes nothing leaves every run as it is: also if it
// has each link do again what it did, and holds the messages that are new to the bound.
func TestNothingChanged(t *testing.T) {
	var w trial.Worker
	compared, logged := 0, 0
	for i, s := range settingsToAlter() {
		if testing.Short() && i%13 != 0 {
			continue
		}
		in, err := registry.Instance(s)
		switch {
		case err != nil && strings.Contains(err.Error(), "cannot be altered"): // messages without identities
			continue
		case err != nil:
			t.Fatal(err)
		}
		want := w.Run(t.Context(), in, nil)
		log := map[netem.MessageKey]netem.Fate{}
		for _, none := range []*netem.Alteration{{}, {Log: log}, {Real: log}, {Real: log, Calm: 1}} {
			altered := *in
			altered.Altered = none
			got := w.Run(t.Context(), &altered, nil)
			if got.Fingerprint != want.Fingerprint || !reflect.DeepEqual(got.Counters, want.Counters) || !reflect.DeepEqual(got.Checks, want.Checks) {
				t.Errorf("%+v: with %d fates and calm %v the run has %x %+v, want %x %+v", s, len(none.Real), none.Calm, got.Fingerprint, got.Counters, want.Fingerprint, want.Counters)
			}
		}
		compared++
		logged += len(log)
	}
	if compared < 300 || logged < 10_000 {
		t.Errorf("only %d runs with %d messages were compared", compared, logged)
	}
}

// settingsToAlter are settings of every algorithm with links, faults and services of many kinds.
func settingsToAlter() (all []trial.Setting) {
	lines := []string{
		"", "loss 20%", "duplicate 20%", "loss 10% delay exp(2ms)", "delay 2ms 1ms reorder 20%", "corrupt 5% loss 5%",
		"corrupt 10% altered duplicate 20% loss 10% limit 2", "rate 1Mbit delay uniform(0,2ms); 0->1: loss 50%",
	}
	plans := []string{
		"", "random swarm until 20ms", "omit sends of 1 with 30%; at 2ms partition {0 | 1..4} for 5ms",
		"duplicate every message from 0 with 50%; omit receives of 2 with 30%; at 1ms link 0->* loss 50% duplicate 20% for 4ms; at 2ms pause 1 for 3ms; slow 3 by 100us",
	}
	for _, a := range registry.All() {
		for _, line := range lines {
			for _, plan := range plans {
				for _, change := range []func(*trial.Setting){
					func(*trial.Setting) {},
					func(s *trial.Setting) { s.Unordered = true },
					func(s *trial.Setting) { s.Delta, s.GST = "1ms", "5ms" },
					func(s *trial.Setting) { s.Transport, s.Detector = "reliable(5ms,2)", "heartbeat(10ms,25ms)" },
					func(s *trial.Setting) { s.LinkMode = "compat" },
				} {
					s := trial.Setting{
						Algorithm: a.Name, N: 5, Delay: "uniform(0,3ms)", Link: line, Fault: plan, Seed: 3,
						OutsideModel: true, MaxEvents: 5_000, MaxTime: "1s",
					}
					change(&s)
					all = append(all, s)
				}
			}
		}
	}
	return all
}

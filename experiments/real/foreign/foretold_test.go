package foreign_test

import (
	"testing"
	"time"

	"bullring/experiments/real/foreign"
	"bullring/experiments/trial"
	"bullring/netem"
)

// With a constant delay programs are told ahead what arrives at an instant. The run is the same: as that of the
// algorithm, as one with a trace, in which nothing is told ahead, and after a run that ended in the middle of an instant.
func TestForetold(t *testing.T) {
	for _, how := range []string{"plain", "reusable", "ticks"} {
		for _, delay := range []string{"1ms", "0s"} {
			r, command := nodes(t, how)
			s := trial.Setting{Algorithm: "lcr", N: 16, Placement: "decreasing", Delay: delay}
			want := run(t, r, s)
			s.Node = command
			short := s
			short.MaxEvents = 53
			if result := run(t, r, short); result.End != netem.OutOfEvents || result.Counters.Events != 53 {
				t.Errorf("%s, %s, cut off: %v after %d events, %v", how, delay, result.End, result.Counters.Events, result.Failed)
			}
			in, err := r.Instance(s)
			if err != nil {
				t.Fatal(err)
			}
			traced := new(trial.Worker).Run(t.Context(), in, func(*trial.Traced) netem.Tracer { return heard(func(netem.Record) {}) })
			got := run(t, r, s)
			if got.Failed != nil || got.Fingerprint != traced.Fingerprint || how != "ticks" && got.Fingerprint != want.Fingerprint || !got.Correct {
				t.Errorf("%s, %s: fingerprint %x, with a trace %x, of LCR %x; %v", how, delay, got.Fingerprint, traced.Fingerprint, want.Fingerprint, got.Failed)
			}
			r.Nodes.(*foreign.Nodes).Close()
			if left := children(t); left != "" {
				t.Errorf("programs are left: %s", left)
			}
		}
	}
}

// Programs work on what arrives at one instant at the same time. Here each message takes one 100 ms, and 36 arrive at
// 8 instants.
func TestProgramsWorkAtTheSameTime(t *testing.T) {
	r, command := nodes(t, "naps")
	began := time.Now()
	result := run(t, r, trial.Setting{Algorithm: "lcr", N: 8, Placement: "decreasing", Delay: "1ms", Node: command})
	if took := time.Since(began); result.Failed != nil || result.Counters.Delivered != 36 || took > 3*time.Second {
		t.Errorf("%d messages took %v, one after another at least 3.6s; %v", result.Counters.Delivered, took, result.Failed)
	}
}

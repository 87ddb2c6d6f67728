package trial_test

import (
	"runtime"
	"testing"

	"bullring/experiments/catalog"
	"bullring/experiments/trial"
	"bullring/netem"
)

// All that a run of LCR allocates, garbage included, in bytes a process. Every process has a
// message under way after its start.
func TestBytesAProcess(t *testing.T) {
	const n = 200_000
	for _, c := range []struct {
		variant, delay string
		most           uint64
	}{
		{"", "1ms", 122},
		{"", "exp(1ms)", 200},
		{"all-terminate", "1ms", 148}, // and everybody decides
	} {
		registry := catalog.New()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		in, err := registry.Instance(trial.Setting{Algorithm: "lcr", Variant: c.variant, N: n, Delay: c.delay})
		if err != nil {
			t.Fatal(err)
		}
		r := new(trial.Worker).Run(t.Context(), in, nil)
		runtime.ReadMemStats(&after)
		if r.End != netem.Quiescent || !r.Correct {
			t.Fatalf("%s delay %s: %v, %v", c.variant, c.delay, r.End, r.Outcome)
		}
		took := (after.TotalAlloc - before.TotalAlloc) / n
		t.Logf("%s delay %s: %d bytes a process", c.variant, c.delay, took)
		if took > c.most {
			t.Errorf("%s delay %s: %d bytes a process; want at most %d", c.variant, c.delay, took, c.most)
		}
	}
}

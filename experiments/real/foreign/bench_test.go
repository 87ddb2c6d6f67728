package foreign_test

import (
	"testing"
	"time"

	"bullring/experiments/trial"
)

// Steps a second of programs that are kept between trials: LCR with n 32 has 560 steps.
func BenchmarkSteps(b *testing.B) {
	for _, language := range []string{"Go", "Python"} {
		b.Run(language, func(b *testing.B) {
			r, command := nodes(b, "reusable")
			if language == "Python" {
				command = "python3 testdata/lcr.py"
			}
			in, err := r.Instance(trial.Setting{Algorithm: "lcr", N: 32, Placement: "decreasing", Delay: "1ms", Node: command})
			if err != nil {
				b.Fatal(err)
			}
			var worker trial.Worker
			worker.Run(b.Context(), in, nil)
			steps := 0
			begin := time.Now()
			for b.Loop() {
				result := worker.Run(b.Context(), in, nil)
				if result.Failed != nil {
					b.Fatal(result.Failed)
				}
				steps += int(result.Counters.Events)
			}
			b.ReportMetric(float64(steps)/time.Since(begin).Seconds(), "steps/s")
		})
	}
}

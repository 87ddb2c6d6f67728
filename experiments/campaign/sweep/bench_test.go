package sweep_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"bullring/experiments/internal/sweeptest"
)

// BenchmarkSweep measures how trials of some microseconds and of some
// milliseconds scale with the workers. Compare the times per trial.
func BenchmarkSweep(b *testing.B) {
	for _, n := range []int{4, 32, 512} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("n=%d/workers=%d", n, workers), func(b *testing.B) {
				replicates := max(b.N, 1)
				s := sweeptest.Sweep(b, sweeptest.Registry(sweeptest.Triangle), fmt.Sprintf(
					"name: bench\nreplicates: %d\nalgorithms: [ring]\naxes: {n: %d, placement: random, delay: \"uniform(0,2ms)\"}\n", replicates, n))
				s.Workers = workers
				s.Dir = filepath.Join(b.TempDir(), "out")
				b.ReportAllocs()
				b.ResetTimer()
				sweeptest.Run(b, s)
			})
		}
	}
}

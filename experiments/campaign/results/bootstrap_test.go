package results_test

import (
	"strconv"
	"testing"

	"bullring/des"
	"bullring/experiments/campaign/stats"
	"bullring/experiments/internal/sweeptest"
)

// The bootstrap of each metric of each cell draws from a stream of its own, which the
// names of the metric and the number of the cell choose: intervals of two metrics do not
// share their chance, and neither do those of two cells.
func TestBootstrapStreams(t *testing.T) {
	const resamples = 300
	s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle),
		"name: resampled\nseed: 5\nreplicates: 20\nbootstrap: 300\nalgorithms: [ring]\naxes: {n: [8, 16], placement: random, delay: \"uniform(0,2ms)\"}\n")
	sweeptest.Run(t, s)
	results, summary := sweeptest.Rows(t, sweeptest.Read(t, s, "results.csv")), sweeptest.Rows(t, sweeptest.Read(t, s, "summary.csv"))
	intervals := 0
	for cell, row := range summary {
		for metric, unit := range map[string]string{"messages": "", "elected_time": "[time_unit]", "time": "[time_unit]"} {
			var values []float64
			for _, r := range results {
				if r["n"] != row["n"] {
					continue
				}
				v, err := strconv.ParseFloat(r[metric+unit], 64)
				if err != nil {
					t.Fatal(err)
				}
				values = append(values, v)
			}
			stream := des.NewStream(5, "bootstrap "+metric, uint64(cell+1))
			lo, hi := stats.Bootstrap(values, resamples, stream.Uint64())
			for end, want := range map[string]float64{"_boot_lo": lo, "_boot_hi": hi} {
				if got := row[metric+end]; got != strconv.FormatFloat(want, 'g', -1, 64) {
					t.Errorf("cell %d: %s%s is %s; its stream makes it %v", cell+1, metric, end, got, want)
				}
				intervals++
			}
		}
	}
	if intervals != 12 {
		t.Errorf("%d ends of intervals", intervals)
	}
}

package view

import (
	"testing"
	"time"

	"bullring/experiments/campaign/sweep"
)

func TestProgressText(t *testing.T) {
	for _, c := range []struct {
		now     sweep.Progress
		elapsed time.Duration
		want    string
	}{
		{sweep.Progress{Done: 0, Trials: 10, Fixed: true, Cells: 1}, 90 * time.Second, "0 of 10 trials (0%), 1m30s"},
		{sweep.Progress{Done: 1, Trials: 1000, Fixed: true, Cells: 1}, 100 * time.Second, "1 of 1,000 trials (0%), 0.01/s, 27h45m0s left"},
		{sweep.Progress{Done: 999, Trials: 1000, Fixed: true, Cells: 1}, time.Second, "999 of 1,000 trials (99%), 999/s, 0s left"},
		{sweep.Progress{Done: 5, Trials: 5, Fixed: true, Cells: 1, CellsDone: 1}, 0, "5 of 5 trials (100%), 5,000/s, took 0s"},
		{sweep.Progress{Done: 5, Trials: 5, Fixed: true, Stored: 5, Cells: 1, CellsDone: 1}, 0, "5 of 5 trials (100%), 0s"},
		{sweep.Progress{Done: 50, Trials: 900, Cells: 9, CellsDone: 3}, time.Second, "50 trials, 3 of 9 cells (33%), 50/s, 1s"},
	} {
		if got := SweepProgress(&c.now, c.elapsed); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// A bar never reaches the last column, however narrow the terminal.
func TestBarText(t *testing.T) {
	const text = "50 of 100 trials (50%)"
	for width := range 200 {
		for _, share := range []float64{-1, 0, 0.5, 1} {
			if got := Bar(share, text, width); len(got) > max(0, width-1) {
				t.Errorf("width %d, share %v: %q", width, share, got)
			}
		}
	}
	if got, want := Bar(0.5, text, 36), "[#####-----] "+text; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

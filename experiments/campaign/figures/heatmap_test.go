package figures_test

import (
	"strconv"
	"testing"

	"bullring/experiments/campaign/figures"
	"bullring/experiments/campaign/stats"
	"bullring/experiments/campaign/sweep"
	"bullring/experiments/internal/sweeptest"
)

const coloured = `name: coloured
replicates: 9
algorithms: [ring, {algorithm: bird, label: "bird, n = 8", n: 8, placement: random}]
axes:
  n: [8, 4, 40]
  placement: [random, decreasing]
  delay: [3ms, 1ms, "uniform(1ms,2s)"]
figures:
  - {name: sizes, kind: heatmap, y: placement, z: messages, where: {algorithm: ring, delay: 3ms}}
  - {name: steps, kind: heatmap, x: {axis: n, ordinal: true}, y: {axis: delay, number: true}, z: {metric: time, log: true},
     where: {algorithm: ring, placement: decreasing, delay: [3ms, 1ms]}}
  - {name: names, kind: heatmap, x: {axis: delay, label: delay}, y: label, z: correct, where: {n: 8, placement: random}}
  - {name: share, y: correct, where: {algorithm: ring, placement: random, delay: 3ms}}
  - {name: scaled, x: {axis: delay, number: true, log: true}, y: messages, where: {algorithm: ring, n: 40, placement: decreasing, delay: [3ms, 1ms]},
     curves: [{algorithm: ring, bound: worst}, {power: 1}]}
`

// drawn draws the figures of the sweep, and returns how to find rows in their
// numbers.
func drawn(t *testing.T) (find func(figure string, want map[string]string) map[string]string, count func(figure string) int, s *sweep.Sweep) {
	t.Helper()
	s = sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), coloured)
	sweeptest.Run(t, s)
	if _, err := figures.Draw(s.Registry, s.Dir); err != nil {
		t.Fatal(err)
	}
	find = func(figure string, want map[string]string) map[string]string {
		t.Helper()
		for _, row := range sweeptest.Rows(t, sweeptest.Read(t, s, "figures/"+figure+".csv")) {
			same := true
			for k, v := range want {
				same = same && row[k] == v
			}
			if same {
				return row
			}
		}
		t.Errorf("figure %s has no %v:\n%s", figure, want, sweeptest.Read(t, s, "figures/"+figure+".csv"))
		return map[string]string{}
	}
	count = func(figure string) int { return len(sweeptest.Rows(t, sweeptest.Read(t, s, "figures/"+figure+".csv"))) }
	return find, count, s
}

// On decreasing identities the ring sends n(n+1)/2 messages, and takes 2n - 1
// delays in all.
func TestHeatmaps(t *testing.T) {
	find, count, _ := drawn(t)
	find("sizes", map[string]string{"kind": "cell", "x": "40", "y": "decreasing", "z": "820"})
	find("sizes", map[string]string{"kind": "cell", "x": "4", "y": "decreasing", "z": "10"})
	find("steps", map[string]string{"kind": "cell", "x": "8", "y": "3"})
	find("steps", map[string]string{"kind": "cell", "x": "40", "y": "1"})
	find("names", map[string]string{"kind": "cell", "x": "uniform(1ms,2s)", "y": "bird, n = 8"})
	for figure, cells := range map[string]int{"sizes": 3 * 2, "steps": 3 * 2, "names": 3 * 2} {
		if got := count(figure); got != cells {
			t.Errorf("%s has %d cells, want %d", figure, got, cells)
		}
	}
}

func TestAxisScaledByTheNumbersInItsValues(t *testing.T) {
	find, _, _ := drawn(t)
	find("scaled", map[string]string{"kind": "series", "x": "1", "y": "820"})
	find("scaled", map[string]string{"kind": "series", "x": "3", "y": "820"})
	find("scaled", map[string]string{"kind": "curve", "label": "ring, worst", "x": "3", "y": "820"})
}

// A share of trials has the interval of Wilson, which has a width even where all
// trials agree.
func TestProportionsHaveIntervals(t *testing.T) {
	find, _, s := drawn(t)
	successes, trials := 0, 0
	for _, row := range sweeptest.Rows(t, sweeptest.Read(t, s, "results.csv")) {
		if row["algorithm"] == "ring" && row["n"] == "8" && row["placement"] == "random" && row["delay"] == "3ms" {
			trials++
			if row["correct"] == "1" {
				successes++
			}
		}
	}
	lo, hi, err := stats.Wilson(successes, trials, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	full := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	find("share", map[string]string{
		"x": "8", "y": full(float64(successes) / float64(trials)), "y_low": full(lo), "y_high": full(hi),
	})
}

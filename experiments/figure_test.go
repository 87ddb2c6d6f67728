package experiments_test

import (
	"fmt"
	"math"
	"strconv"
	"testing"

	"bullring/experiments"
	"bullring/experiments/catalog"
)

// figureRows is the rows of a figure's CSV, after its sweep ran.
func figureRows(t *testing.T, r *experiments.Registry, text, figure string) []map[string]string {
	t.Helper()
	s := sweep(t, r, text)
	run(t, s)
	if _, err := experiments.Draw(r, s.Dir); err != nil {
		t.Fatal(err)
	}
	return rows(t, read(t, s, "figures/"+figure+".csv"))
}

// heights are the y of the rows of a kind, by x.
func heights(t *testing.T, rows []map[string]string, kind string) map[float64]float64 {
	t.Helper()
	at := map[float64]float64{}
	for _, row := range rows {
		if row["kind"] != kind {
			continue
		}
		x, errX := strconv.ParseFloat(row["x"], 64)
		y, errY := strconv.ParseFloat(row["y"], 64)
		if errX != nil || errY != nil {
			t.Fatal(row)
		}
		at[x] = y
	}
	return at
}

func near(got, want float64) bool { return math.Abs(got-want) <= 1e-9*math.Abs(want) }

// The standard deviation of the replicates is that of summary.csv.
func TestFigureOfDeviations(t *testing.T) {
	const text = "name: sd\nreplicates: %d\nalgorithms: ring\naxes: {n: [8, 16], placement: random}\nfigures: {y: {metric: messages, statistic: deviation}}\n"
	r := registry(triangle)
	s := sweep(t, r, fmt.Sprintf(text, 20))
	run(t, s)
	if _, err := experiments.Draw(r, s.Dir); err != nil {
		t.Fatal(err)
	}
	got := heights(t, rows(t, read(t, s, "figures/sd.csv")), "series")
	for _, row := range rows(t, read(t, s, "summary.csv")) {
		n, _ := strconv.ParseFloat(row["n"], 64)
		sd, _ := strconv.ParseFloat(row["messages_sd"], 64)
		if sd == 0 || !near(got[n], sd) {
			t.Errorf("at n = %v the figure has %v, the summary %v", n, got[n], sd)
		}
	}
}

// A ratio is one of the columns of results.csv.
func TestFigureOfRatios(t *testing.T) {
	got := heights(t, figureRows(t, registry(triangle), "name: a\nalgorithms: ring\naxes: {n: [4, 9], placement: [decreasing]}\nfigures: {y: ratio_worst}\n", "a"), "series")
	if len(got) != 2 || got[4] != 1 || got[9] != 1 {
		t.Errorf("measured over worst is %v, want 1", got)
	}
}

func TestCurvesOfPowers(t *testing.T) {
	for curve, want := range map[string]func(x float64) float64{
		"{factor: 2, power: 1, lg: 1}": func(x float64) float64 { return 2 * x * math.Log2(x) },
		"{factor: 3, power: 0.5}":      func(x float64) float64 { return 3 * math.Sqrt(x) },
		"{factor: 4, power: 0}":        func(float64) float64 { return 4 },
		// 36 messages at the largest n, which is 8.
		"{power: 2}":        func(x float64) float64 { return 36 * x * x / 64 },
		"{power: 1, lg: 1}": func(x float64) float64 { return 36 * x * math.Log2(x) / 24 },
	} {
		text := "name: a\nalgorithms: ring\naxes: {n: [2, 4, 8], placement: [decreasing]}\nfigures: {y: messages, curves: [" + curve + "]}\n"
		got := heights(t, figureRows(t, registry(triangle), text, "a"), "curve")
		if len(got) < 100 {
			t.Errorf("%s has %d points", curve, len(got))
		}
		for x, y := range got {
			if !near(y, want(x)) {
				t.Fatalf("%s is %v at %v, want %v", curve, y, x, want(x))
			}
		}
	}
}

// Bounds of all messages are divided by the entries in a figure of messages per entry.
func TestBoundsPerEntry(t *testing.T) {
	const text = `name: a
algorithms: {algorithm: ricartagrawala, param: "requests=3", initiators: [all, first]}
axes: {n: [2, 5]}
figures:
  - y: messages_per_entry
    where: {initiators: %s}
    curves: [{algorithm: ricartagrawala, bound: exact}]
`
	for _, initiators := range []string{"all", "first"} {
		got := heights(t, figureRows(t, catalog.New(), fmt.Sprintf(text, initiators), "a"), "curve")
		for x, y := range got {
			if y != 2*(x-1) {
				t.Errorf("%s: the bound is %v an entry at n = %v, want %v", initiators, y, x, 2*(x-1))
			}
		}
		if len(got) != 4 {
			t.Errorf("%s: %d points, want 4", initiators, len(got))
		}
	}
}

// A caption says what is drawn, over what, and how it is to be read.
func TestCaptions(t *testing.T) {
	s := sweep(t, registry(triangle), `name: told
title: A study.
replicates: 3
seed: 9
algorithms: ring
axes:
  n: [4, 8, 16]
  placement: [random, decreasing]
  delay: [3ms, 1ms]
figures:
  - {name: lines, y: messages, curves: [{power: 1}]}
  - {name: theory, y: messages, curves: [{algorithm: ring, bound: worst}, {power: 1, factor: 2}]}
  - {name: deviation, y: {metric: messages, statistic: deviation}}
  - {name: share, title: Luck, y: correct, x: {axis: delay, number: true}}
  - {name: boxes, kind: box, y: {metric: time, label: turnaround (delays)}, x: {axis: n, label: "size *N*"}}
  - {name: labels, kind: box, x: label, y: messages}
  - {name: map, kind: heatmap, y: placement, z: messages, where: {delay: 1ms}}
  - {name: chances, kind: heatmap, y: placement, z: correct, where: {delay: 1ms}}
  - {name: counts, kind: histogram, y: messages}
`)
	run(t, s)
	if _, err := experiments.Draw(s.Registry, s.Dir); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"lines":     "A study. Markers are means of messages over processes n, with 95 % intervals (Student's t). Dashed: a slope through the measured point of the largest x. 3 trials a point",
		"theory":    "A study. Markers are means of messages over processes n, with 95 % intervals (Student's t). Dashed: theory. 3 trials a point",
		"deviation": "A study. Markers: standard deviation of messages over processes n. 3 trials a point",
		"share":     "Luck. Markers are shares of trials: probability of a correct election over delay (ms), with 95 % intervals (Wilson). 3 trials a point",
		"boxes":     "A study. Boxes of turnaround (delays) over size N, from the first to the third quartile, with the median and, as a diamond, the mean; whiskers to the last value within 1.5 box lengths; circles are the values beyond, of which none is left out. 3 trials a box",
		"labels":    "A study. Boxes of messages, from the first to the third quartile, with the median and, as a diamond, the mean; whiskers to the last value within 1.5 box lengths; circles are the values beyond, of which none is left out. 3 trials a box",
		"map":       "A study. Colours are means of messages over processes n and placement. 3 trials a field",
		"chances":   "A study. Colours are shares of trials: probability of a correct election over processes n and placement. 3 trials a field",
		"counts":    "A study. Distribution of messages. 3 trials a series",
	} {
		got := string(read(t, s, "figures/"+name+".txt"))
		if want += "; seed 9.\n"; got != want {
			t.Errorf("%s: %s; want %s", name, got, want)
		}
	}
}

// A bound that depends on the placement is drawn as its mean over the trials.
func TestCurveOfARandomBound(t *testing.T) {
	s := sweep(t, catalog.New(), "name: exact\nreplicates: 20\nalgorithms: lcr\naxes: {n: [4, 8, 16], placement: random}\nfigures: [{name: exact, y: messages, curves: [{algorithm: lcr, bound: exact}]}]\n")
	run(t, s)
	if _, err := experiments.Draw(s.Registry, s.Dir); err != nil {
		t.Fatal(err)
	}
	curve := heights(t, rows(t, read(t, s, "figures/exact.csv")), "curve")
	for _, cell := range rows(t, read(t, s, "summary.csv")) {
		n, _ := strconv.ParseFloat(cell["n"], 64)
		mean, err := strconv.ParseFloat(cell["bound_exact"], 64)
		if err != nil || math.Abs(curve[n]-mean) > 1e-9*mean || cell["bound_exact"] != cell["messages_mean"] {
			t.Errorf("n = %v: the curve is at %v, the mean of the bound is %q, of the messages %q", n, curve[n], cell["bound_exact"], cell["messages_mean"])
		}
	}
}

package figures_test

import (
	"fmt"
	"maps"
	"math"
	"strconv"
	"strings"
	"testing"

	"bullring/experiments/campaign/figures"
	"bullring/experiments/campaign/results"
	"bullring/experiments/catalog"
	"bullring/experiments/internal/sweeptest"
	"bullring/experiments/trial"
)

// figureRows is the rows of a figure's CSV, after its sweep ran.
func figureRows(t *testing.T, r *trial.Registry, text, figure string) []map[string]string {
	t.Helper()
	s := sweeptest.Sweep(t, r, text)
	sweeptest.Run(t, s)
	if _, err := figures.Draw(r, s.Dir); err != nil {
		t.Fatal(err)
	}
	return sweeptest.Rows(t, sweeptest.Read(t, s, "figures/"+figure+".csv"))
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

// The standard deviation of the replicates is that of summary.csv.
func TestFigureOfDeviations(t *testing.T) {
	const text = "name: sd\nreplicates: %d\nalgorithms: ring\naxes: {n: [8, 16], placement: random}\nfigures: {y: {metric: messages, statistic: deviation}}\n"
	r := sweeptest.Registry(sweeptest.Triangle)
	s := sweeptest.Sweep(t, r, fmt.Sprintf(text, 20))
	sweeptest.Run(t, s)
	if _, err := figures.Draw(r, s.Dir); err != nil {
		t.Fatal(err)
	}
	got := heights(t, sweeptest.Rows(t, sweeptest.Read(t, s, "figures/sd.csv")), "series")
	for _, row := range sweeptest.Rows(t, sweeptest.Read(t, s, "summary.csv")) {
		n, _ := strconv.ParseFloat(row["n"], 64)
		sd, _ := strconv.ParseFloat(row["messages_sd"], 64)
		if sd == 0 || !sweeptest.Near(got[n], sd) {
			t.Errorf("at n = %v the figure has %v, the summary %v", n, got[n], sd)
		}
	}
}

// A ratio is one of the columns of results.csv.
func TestFigureOfRatios(t *testing.T) {
	got := heights(t, figureRows(t, sweeptest.Registry(sweeptest.Triangle), "name: a\nalgorithms: ring\naxes: {n: [4, 9], placement: [decreasing]}\nfigures: {y: ratio_worst}\n", "a"), "series")
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
		got := heights(t, figureRows(t, sweeptest.Registry(sweeptest.Triangle), text, "a"), "curve")
		if len(got) < 100 {
			t.Errorf("%s has %d points", curve, len(got))
		}
		for x, y := range got {
			if !sweeptest.Near(y, want(x)) {
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
	s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), `name: told
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
	sweeptest.Run(t, s)
	if _, err := figures.Draw(s.Registry, s.Dir); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"lines":     "A study. Markers are means of messages over processes n, with 95 % intervals (Student's t) at 6 of 12 points. Dashed: a slope through the measured point of the largest x. Along x, n = 4, 8, 16. Conditions: algorithm ring. Series by placement (random, decreasing) and delay (3ms, 1ms). “decreasing, delay 3ms” and “decreasing, delay 1ms” coincide. Points that would hide one another are drawn side by side around their x. 3 trials a point",
		"theory":    "A study. Markers are means of messages over processes n, with 95 % intervals (Student's t) at 6 of 12 points. Dashed: theory (ring, worst: at most n(n+1)/2). Along x, n = 4, 8, 16. Conditions: algorithm ring. Series by placement (random, decreasing) and delay (3ms, 1ms). “decreasing, delay 3ms” and “decreasing, delay 1ms” coincide. Points that would hide one another are drawn side by side around their x. 3 trials a point",
		"deviation": "A study. Markers: standard deviation of messages over processes n. Along x, n = 4, 8, 16. Conditions: algorithm ring. Series by placement (random, decreasing) and delay (3ms, 1ms). “decreasing, delay 3ms” and “decreasing, delay 1ms” coincide. Points that would hide one another are drawn side by side around their x. 3 trials a point",
		"share":     "Luck. Markers are shares of trials: probability of a correct election over delay (ms), with 95 % intervals (Wilson). At x = 1ms, 3ms: delay x. Conditions: algorithm ring. Series by placement (random, decreasing) and n (4, 8, 16). “random, n = 4”, “random, n = 8”, “random, n = 16”, “decreasing, n = 4”, “decreasing, n = 8” and “decreasing, n = 16” coincide. Points that would hide one another are drawn side by side around their x. 3 trials a point",
		"boxes":     "A study. Boxes of turnaround (delays) over size N, from the first to the third quartile, with the median and, as a diamond, the mean; whiskers to the last value within 1.5 box lengths; circles are the values beyond, of which none is left out. At N = 4, 8, 16: n = N. Conditions: algorithm ring. Series by placement (random, decreasing) and delay (3ms, 1ms). 3 trials a box",
		"labels":    "A study. Boxes of messages, from the first to the third quartile, with the median and, as a diamond, the mean; whiskers to the last value within 1.5 box lengths; circles are the values beyond, of which none is left out. Along x: ring. Conditions: algorithm ring. Series by placement (random, decreasing) and delay (3ms, 1ms) and n (4, 8, 16). 3 trials a box",
		"map":       "A study. Colours are means of messages over processes n and placement. Along x, n = 4, 8, 16. Conditions: algorithm ring, delay 1ms. Rows by placement: random; decreasing. 3 trials a field",
		"chances":   "A study. Colours are shares of trials: probability of a correct election over processes n and placement. Along x, n = 4, 8, 16. Conditions: algorithm ring, delay 1ms. Rows by placement: random; decreasing. 3 trials a field",
		"counts":    "A study. Distribution of messages. Dashed: the exact distribution, with its mean and standard deviation. Conditions: algorithm ring. Series by placement (random, decreasing) and delay (3ms, 1ms) and n (4, 8, 16). 3 trials a series",
	} {
		got := string(sweeptest.Read(t, s, "figures/"+name+".txt"))
		if want += "; seed 9.\n"; got != want {
			t.Errorf("%s: %s; want %s", name, got, want)
		}
	}
}

// A bound that depends on the placement is drawn as its mean over the trials.
func TestCurveOfARandomBound(t *testing.T) {
	s := sweeptest.Sweep(t, catalog.New(), "name: exact\nreplicates: 20\nalgorithms: lcr\naxes: {n: [4, 8, 16], placement: random}\nfigures: [{name: exact, y: messages, curves: [{algorithm: lcr, bound: exact}]}]\n")
	sweeptest.Run(t, s)
	if _, err := figures.Draw(s.Registry, s.Dir); err != nil {
		t.Fatal(err)
	}
	curve := heights(t, sweeptest.Rows(t, sweeptest.Read(t, s, "figures/exact.csv")), "curve")
	for _, cell := range sweeptest.Rows(t, sweeptest.Read(t, s, "summary.csv")) {
		n, _ := strconv.ParseFloat(cell["n"], 64)
		mean, err := strconv.ParseFloat(cell["bound_exact"], 64)
		if err != nil || math.Abs(curve[n]-mean) > 1e-9*mean || cell["bound_exact"] != cell["messages_mean"] {
			t.Errorf("n = %v: the curve is at %v, the mean of the bound is %q, of the messages %q", n, curve[n], cell["bound_exact"], cell["messages_mean"])
		}
	}
}

// A caption claims no interval where there is none, and has every condition that
// neither the axes nor the legend show.
func TestCaptionsClaimWhatIsDrawn(t *testing.T) {
	const text = "name: told\nreplicates: %d\n%s"
	const varied = `algorithms: [{algorithm: ring, label: usual}, {algorithm: ring, label: "hard, late", placement: decreasing, max_time: 10s}, {algorithm: bird, label: other}]
zip: {n: [4, 8], until: [1s, 2s]}
axes: {placement: random, delay: [1ms, "uniform(0,2ms)"], fault: at 90ms crash 1}
outside_model: true
figures: {y: messages, series: [label]}
`
	for _, c := range []struct {
		replicates int
		text, want string
	}{
		{1, "algorithms: ring\naxes: {n: [4, 8], placement: random}\nfigures: {y: messages}\n",
			"told. Markers are means of messages over processes n. Along x, n = 4, 8. Conditions: algorithm ring, placement random, delay 1ms. 1 trial a point; seed 1."},
		{5, "algorithms: ring\naxes: {n: [4, 8]}\nfigures: {y: messages}\n",
			"told. Markers are means of messages over processes n. Along x, n = 4, 8. Conditions: algorithm ring, placement increasing, delay 1ms. 5 trials a point; seed 1."},
		{2, varied,
			"told. Markers are means of messages over processes n, with 95 % intervals (Student's t) at 2 of 6 points. " +
				"Along x, n = 4, 8. Conditions: placement random, until 1s at n = 4 and until 2s at n = 8, fault plan “at 90ms crash 1”. " +
				"Pooled over delay 1ms and delay uniform(0,2ms). Series: usual (ring); hard, late (ring, placement decreasing, max_time 10s); other (bird). " +
				"Outside the model of each series: a process crashes. usual and other coincide. Points that would hide one another are drawn side by side around their x. 4 trials a point; seed 1."},
	} {
		s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), fmt.Sprintf(text, c.replicates, c.text))
		sweeptest.Run(t, s)
		if _, err := figures.Draw(s.Registry, s.Dir); err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSpace(string(sweeptest.Read(t, s, "figures/told.txt"))); got != c.want {
			t.Errorf("%s\nwant %s", got, c.want)
		}
	}
}

// Names of values stand in legends and along axes, and the caption says what they are.
func TestNamesOfValuesInFigures(t *testing.T) {
	s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), `name: named
outside_model: true
algorithms: ring
axes: {n: [4, 8], placement: decreasing, fault: [{none: healthy}, {at 90ms crash 1: late crash}, at 80ms crash 1]}
figures:
  - {name: lines, y: messages, series: fault}
  - {name: boxes, kind: box, x: fault, y: messages, series: n}
  - {name: map, kind: heatmap, y: fault, z: messages}
`)
	sweeptest.Run(t, s)
	if _, err := figures.Draw(s.Registry, s.Dir); err != nil {
		t.Fatal(err)
	}
	if table := string(sweeptest.Read(t, s, results.TableFile)); !strings.Contains(table, "\n    healthy & ") || !strings.Contains(table, "\n    at 80ms crash 1 & ") {
		t.Errorf("the table of the cells is %s", table)
	}
	for name, want := range map[string]string{
		"lines": "Series by fault: healthy (no fault); late crash (fault plan “at 90ms crash 1”); at 80ms crash 1 (fault plan “at 80ms crash 1”).",
		"boxes": "Along x: healthy (no fault); late crash (fault plan “at 90ms crash 1”); at 80ms crash 1 (fault plan “at 80ms crash 1”).",
		"map":   "Rows by fault: healthy (no fault); late crash (fault plan “at 90ms crash 1”); at 80ms crash 1 (fault plan “at 80ms crash 1”).",
	} {
		if got := string(sweeptest.Read(t, s, "figures/"+name+".txt")); !strings.Contains(got, want) {
			t.Errorf("%s: %s; want %s", name, got, want)
		}
		if name != "lines" {
			continue
		}
		labels := map[string]bool{}
		for _, row := range sweeptest.Rows(t, sweeptest.Read(t, s, "figures/lines.csv")) {
			labels[row["label"]] = true
		}
		if !labels["healthy"] || !labels["late crash"] || len(labels) != 3 {
			t.Errorf("the legend has %v", labels)
		}
	}
}

// A caption says which series are outside the model, where and why, and what lies on what.
func TestCaptionsTellWhatIsOutsideAndHidden(t *testing.T) {
	const text = `name: out
replicates: 40
outside_model: true
algorithms: [{algorithm: ring, label: "ring, plain"}, {algorithm: bird, label: bird}, {algorithm: ring, label: slow, link: [none], delay: exp(1ms), n: 4}]
axes: {n: [4, 8], placement: decreasing, link: %s}
figures: {y: messages, series: [label], x: n, where: {%s}, curves: [{algorithm: bird, bound: worst}]}
`
	for _, c := range []struct{ links, where, want string }{
		{"[none]", "label: [\"ring, plain\", bird]", "Series: ring, plain (ring); bird. “ring, plain” and bird coincide. bird lies on its theory. Points that would hide one another are drawn side by side around their x. 40 trials"},
		{"[none]", "placement: decreasing", "slow (ring, delay exp(1ms), n = 4). “ring, plain” and bird coincide. slow lies on “ring, plain”. bird lies on its theory."},
		{"[none, loss 50%]", "label: [\"ring, plain\"]", "Outside the model of ring: links lose messages in some trials."},
	} {
		s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), fmt.Sprintf(text, c.links, c.where))
		sweeptest.Run(t, s)
		if _, err := figures.Draw(s.Registry, s.Dir); err != nil {
			t.Fatal(err)
		}
		if got := string(sweeptest.Read(t, s, "figures/out.txt")); !strings.Contains(got, c.want) {
			t.Errorf("%s: %s; want %q", c.where, got, c.want)
		}
	}
}

// Several series of one algorithm have colours of their own, and theory under the
// conditions of one has its colour; so has a power that names it.
func TestColoursBySeries(t *testing.T) {
	const text = `name: keys
algorithms: [{algorithm: ring, label: hard, placement: decreasing}, {algorithm: ring, label: easy}, {algorithm: bird, label: small, n: [2, 3]}]
axes: {n: [4, 8]}
figures:
  y: messages
  curves:
    - {algorithm: ring, bound: worst, label: A, with: {placement: decreasing}}
    - {algorithm: ring, bound: worst, label: B}
    - {algorithm: ring, bound: worst, label: C, with: {placement: random}}
    - {algorithm: bird, bound: worst, label: D}
    - {algorithm: ring, power: 1, factor: 2, label: E, with: {placement: increasing}}
    - {algorithm: bird, power: 1, factor: 2, label: F}
    - {power: 1, factor: 2, label: G}
`
	keys := map[string]string{}
	for _, row := range figureRows(t, sweeptest.Registry(sweeptest.Triangle), text, "keys") {
		keys[row["label"]] = row["key"]
	}
	want := map[string]string{"hard": "hard", "easy": "easy", "small": "bird", "A": "hard", "B": "", "C": "", "D": "bird", "E": "easy", "F": "bird", "G": ""}
	if !maps.Equal(keys, want) {
		t.Errorf("keys are %v, want %v", keys, want)
	}
}

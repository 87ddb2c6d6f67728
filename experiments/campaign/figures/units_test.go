package figures_test

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"bullring/experiments/campaign/figures"
	"bullring/experiments/campaign/spec"
	"bullring/experiments/campaign/sweep"
	"bullring/experiments/catalog"
	"bullring/experiments/internal/sweeptest"
	"bullring/experiments/trial"
)

// otherwise is for an axis a value that is not the default, with what it takes beside it,
// where the sample of sweeptest is none for rings. In some of them times are counted in
// seconds.
var otherwise = map[string]string{
	"variant":    "variant: all-terminate",
	"topology":   "topology: ring",
	"initiators": "initiators: first",
	"dead":       "dead: none, variant: all-terminate",
	"delay":      `delay: ["uniform(0,2ms)", 3ms]`,
	"link":       "link: [delay 5ms 1ms, delay 1ms, loss 0%]",
	"link_mode":  "link_mode: compat",
	"transport":  `transport: "reliable(5ms,0)", topology: biring`,
	"detector":   `detector: "heartbeat(1ms,2ms)", topology: biring, until: 50ms, fault: at 5ms crash 2`,
	"until":      "until: 1s",
	"max_time":   "max_time: 10s",
	"fault":      "fault: at 100ms crash 0",
	"param":      "variant: all-terminate", // it has none
	"n":          "n: 5",
}

// inSeconds is a value of a metric in a row, in seconds, and whether the row counts it in
// message delays.
func inSeconds(t *testing.T, row map[string]string, metric string, m *trial.Metric) (float64, bool) {
	t.Helper()
	v, err := strconv.ParseFloat(row[metric], 64)
	if err != nil {
		t.Fatal(err)
	}
	if !m.IsTime() || row["time_unit"] == "s" {
		return v, false
	}
	delay, err := time.ParseDuration(row["delay"])
	if err != nil {
		t.Fatalf("a row counts in message delays of %q", row["delay"])
	}
	return v * delay.Seconds(), true
}

// bracketed is the unit in the header of a column.
var bracketed = regexp.MustCompile(`\[(time_unit|s)\]`)

var unitInCaption = regexp.MustCompile(`\((message delays|s|ms|µs|ns)\)`)

var lengths = map[string]float64{"s": 1, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}

// Whatever axis varies, and whatever time is drawn, a point is the mean of its rows in
// the one unit that the figure names.
func TestFiguresHaveOneUnit(t *testing.T) {
	r := sweeptest.Registry(sweeptest.Triangle)
	bird, err := r.Find("bird")
	if err != nil {
		t.Fatal(err)
	}
	bird.Inputs = &trial.Inputs{Most: 1, Default: trial.RandomInputs}
	bird.Assumes.Resilience = &trial.Resilience{Words: "n > f", Most: func(n int) int { return n - 1 }}
	for _, axis := range spec.GivenAxes() {
		other, ok := otherwise[axis]
		if !ok {
			other = sweeptest.SampleOf(t, axis).Axes(axis)
		}
		if testing.Short() && !slices.Contains([]string{"delay", "link", "delta", "detector"}, axis) {
			continue
		}
		t.Run(axis, func(t *testing.T) {
			head := fmt.Sprintf("name: units\nreplicates: 2\noutside_model: true\nalgorithms: [{algorithm: ring, label: plain, n: [4, 8]}, {algorithm: bird, label: other, n: 6, %s}]\n", strings.ReplaceAll(other, "n: 5", "n: [5]"))
			if axis == "n" {
				head = strings.Replace(head, "n: 6, ", "", 1)
			}
			s := sweeptest.Sweep(t, r, head)
			sweeptest.Run(t, s)
			measured := sweeptest.Rows(t, bracketed.ReplaceAll(sweeptest.Read(t, s, "results.csv"), nil))
			list := ""
			var drawn []string
			for _, name := range r.Metrics() {
				m, err := r.Metric(name)
				if err != nil {
					t.Fatal(err)
				}
				some := slices.ContainsFunc(measured, func(row map[string]string) bool { return row[name] != "" })
				if (m.IsTime() || m.Unit == "s") && some {
					drawn = append(drawn, name)
					file := strings.ReplaceAll(name, "_", "-")
					list += fmt.Sprintf("  - {name: %s, y: %s, series: [label]}\n", file, name)
				}
			}
			if len(drawn) < 3 {
				t.Fatalf("times with values are %v", drawn)
			}
			s = sweeptest.Sweep(t, r, head+"figures:\n"+list)
			sweeptest.Run(t, s)
			if _, err := figures.Draw(r, s.Dir); err != nil {
				t.Fatal(err)
			}
			for _, name := range drawn {
				checkUnit(t, r, s, name, measured)
			}
		})
	}
}

// checkUnit compares the points of the figure of a metric with the rows.
func checkUnit(t *testing.T, r *trial.Registry, s *sweep.Sweep, metric string, measured []map[string]string) {
	t.Helper()
	m, err := r.Metric(metric)
	if err != nil {
		t.Fatal(err)
	}
	sums, counts := map[string]float64{}, map[string]float64{}
	counted, mixed := 0, false
	for _, row := range measured {
		if row[metric] == "" {
			continue
		}
		v, inDelays := inSeconds(t, row, metric, m)
		key := row["label"] + " " + row["n"]
		sums[key] += v
		counts[key]++
		if inDelays {
			counted++
		} else {
			mixed = mixed || m.IsTime()
		}
	}
	mixed = mixed && counted > 0
	file := strings.ReplaceAll(metric, "_", "-")
	caption := string(sweeptest.Read(t, s, "figures/"+file+".txt"))
	unit := unitInCaption.FindStringSubmatch(caption)
	switch {
	case unit == nil:
		t.Errorf("the caption names no unit of %s: %s", metric, caption)
		return
	case mixed != strings.Contains(caption, "throughout"):
		t.Errorf("rows of several units: %v; the caption says %s", mixed, caption)
	}
	for _, row := range sweeptest.Rows(t, sweeptest.Read(t, s, "figures/"+file+".csv")) {
		key := row["label"] + " " + row["x"]
		want := sums[key] / counts[key]
		if unit[1] == "message delays" {
			delay, err := time.ParseDuration("1ms") // of all rows of cells that are so
			if err != nil || mixed || counted == 0 {
				t.Fatalf("%s is drawn in message delays; of rows in seconds: %v", metric, mixed)
			}
			want /= delay.Seconds()
		} else {
			want /= lengths[unit[1]]
		}
		got, err := strconv.ParseFloat(row["y"], 64)
		if err != nil || math.Abs(got-want) > 1e-9*want {
			t.Errorf("%s of %s is drawn at %v %s, the rows have %v", metric, key, row["y"], unit[1], want)
		}
	}
}

// The times of a slow network that varies are not drawn as if they were few message
// delays; a label that says so is refused before anything runs.
func TestFigureOfTwoUnits(t *testing.T) {
	const text = "name: units\nalgorithms: [ring]\naxes: {n: [4, 8], link: [none, delay 5ms 1ms]}\nfigures: [%s]\n"
	r := sweeptest.Registry(sweeptest.Triangle)
	for figure, want := range map[string]string{
		"{y: time, series: [link]}":                                              "time to rest (ms)",
		"{y: {metric: time, label: rest (s)}, series: [link]}":                   "rest (s)",
		"{y: {metric: time, unit: us}, series: [link]}":                          "time to rest (µs)",
		"{y: {metric: time, label: rest}, series: [link]}":                       "rest",
		"{y: {metric: time, label: rest (message delays)}, where: {link: none}}": "rest (message delays)",
		"{y: time, where: {link: none}}":                                         "time to rest (message delays)",
		"{y: {metric: time, unit: ms}, where: {link: none}}":                     "time to rest (ms)",
		"{kind: heatmap, y: link, z: time, x: {axis: n, ordinal: true}}":         "time to rest (ms)",
		"{kind: box, y: time, series: [link]}":                                   "time to rest (ms)",
		"{kind: histogram, y: time, series: [link]}":                             "time to rest (ms)",
	} {
		s := sweeptest.Sweep(t, r, fmt.Sprintf(text, figure))
		sweeptest.Run(t, s)
		if _, err := figures.Draw(r, s.Dir); err != nil {
			t.Fatal(figure, err)
		}
		caption := string(sweeptest.Read(t, s, "figures/units.txt"))
		if !strings.Contains(caption, want) || strings.Contains(caption, "throughout") == strings.Contains(figure, "where") {
			t.Errorf("%s: %s; want %q", figure, caption, want)
		}
	}
	s := sweeptest.Sweep(t, r, fmt.Sprintf(text, "{y: {metric: time, label: rest (message delays)}}"))
	if _, err := s.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "says message delays, but the times of ring n=4 link=delay 5ms 1ms are in seconds") {
		t.Errorf("a label of message delays beside seconds: %v", err)
	}
}

// A bound is drawn in the unit of what was measured.
func TestBoundInTheUnitOfTheFigure(t *testing.T) {
	r := sweeptest.Registry(sweeptest.Triangle)
	for unit, factor := range map[string]float64{"ms": 3, "s": 0.003, "us": 3000} {
		text := fmt.Sprintf("name: units\nalgorithms: [ring]\naxes: {n: [4, 8], delay: 3ms}\nfigures: {y: {metric: elected_time, unit: %s}, curves: [{algorithm: ring, bound: elected}]}\n", unit)
		got := figureRows(t, r, text, "units")
		for _, kind := range []string{"curve", "series"} {
			at := heights(t, got, kind)
			if !sweeptest.Near(at[4], 4*factor) || !sweeptest.Near(at[8], 8*factor) {
				t.Errorf("in %s the %s is at %v, want %v n", unit, kind, at, factor)
			}
		}
	}
}

// Durations along x are in the unit that suits them, or in the one that is asked for.
func TestUnitAlongX(t *testing.T) {
	const text = "name: units\nalgorithms: [ring]\naxes: {n: 4, delay: [2ms, 20ms, 1100us]}\nfigures: {x: %s, y: messages}\n"
	r := sweeptest.Registry(sweeptest.Triangle)
	for x, want := range map[string]struct {
		words string
		most  float64
	}{
		"delay":                            {"mean delay (ms)", 20},
		"{axis: delay, number: true}":      {"delay (ms)", 20},
		"{axis: delay, unit: us}":          {"mean delay (µs)", 20000},
		"{axis: delay, label: mean (s)}":   {"mean (s)", 0.02},
		"{axis: delay, label: mean}":       {"mean", 20}, // as ever
		"{axis: delay, number: 1, max: 1}": {"delay (s)", 0.02},
	} {
		s := sweeptest.Sweep(t, r, fmt.Sprintf(text, x))
		sweeptest.Run(t, s)
		if _, err := figures.Draw(r, s.Dir); err != nil {
			t.Fatal(x, err)
		}
		at := heights(t, sweeptest.Rows(t, sweeptest.Read(t, s, "figures/units.csv")), "series")
		if _, ok := at[want.most]; !ok || len(at) != 3 {
			t.Errorf("%s: the points are at %v, want one at %v", x, at, want.most)
		}
		if caption := string(sweeptest.Read(t, s, "figures/units.txt")); !strings.Contains(caption, "over "+want.words+".") {
			t.Errorf("%s: %s; want %q", x, caption, want.words)
		}
	}
}

// Each metric has its measure. A figure of several algorithms takes what a metric is from
// the first that has it.
func TestMetricsOfOneNameAreAlike(t *testing.T) {
	first := map[string]trial.Metric{}
	for _, a := range catalog.New().All() {
		for _, m := range a.Metrics {
			if m.Measure == nil {
				t.Errorf("nothing measures %s of %s", m.Name, a.Name)
			}
			other, ok := first[m.Name]
			if !ok {
				first[m.Name] = m
			} else if other.Unit != m.Unit || other.Proportion != m.Proportion {
				t.Errorf("%s of %s is in %q, and of another algorithm in %q", m.Name, a.Name, m.Unit, other.Unit)
			}
		}
	}
}

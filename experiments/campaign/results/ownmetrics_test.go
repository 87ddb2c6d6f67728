package results_test

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"bullring/experiments/campaign/figures"
	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/sweep"
	"bullring/experiments/internal/sweeptest"
	"bullring/experiments/trial"
)

const withOwn = `name: own
replicates: 20
outside_model: true
algorithms: [ring, {algorithm: bird, variant: all-terminate, label: bird}]
axes: {n: [4, 8], placement: random, link: [none, loss 5%]}
metrics:
  wrong: {formula: 1 - correct, unit: "%", label: wrong runs}
  sent: messages + overhead
  per_process: (messages + overhead) / n
  waiting: time - elected_time
  worse: ratio_worst - 1
  probes: sent_PROBE / n
compare: {baseline: ring, metrics: [wrong, per_process, sent_ANNOUNCE]}
`

// Every value of a metric of the sweep's own is what its formula says of the row, in
// tables and differences.
func TestOwnMetrics(t *testing.T) {
	s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), withOwn)
	sweeptest.Run(t, s)
	type key struct{ label, n, link string }
	sums, counts := map[key]map[string]float64{}, map[key]map[string]int{}
	get := func(row map[string]string, name string) float64 {
		v, err := strconv.ParseFloat(row[name], 64)
		if err != nil {
			return math.NaN()
		}
		return v
	}
	for _, row := range sweeptest.Rows(t, sweeptest.Read(t, s, results.ResultsFile)) {
		k := key{row["label"], row["n"], row["link"]}
		if sums[k] == nil {
			sums[k], counts[k] = map[string]float64{}, map[string]int{}
		}
		for name, v := range map[string]float64{
			"wrong_mean":       100 * (1 - get(row, "correct")),
			"sent_mean":        get(row, "messages") + get(row, "overhead"),
			"per_process_mean": (get(row, "messages") + get(row, "overhead")) / get(row, "n"),
			"waiting_mean":     get(row, "time[time_unit]") - get(row, "elected_time[time_unit]"),
			"worse_mean":       get(row, "ratio_worst") - 1,
			"probes_mean":      get(row, "sent_PROBE") / get(row, "n"),

			"sent_ANNOUNCE_mean": get(row, "sent_ANNOUNCE"),
		} {
			if !math.IsNaN(v) {
				sums[k][name] += v
				counts[k][name]++
			}
		}
	}
	wrongs := 0.0
	for _, row := range sweeptest.Rows(t, sweeptest.Read(t, s, results.SummaryFile)) {
		k := key{row["label"], row["n"], row["link"]}
		for _, name := range []string{"wrong_mean", "sent_mean", "per_process_mean", "waiting_mean", "worse_mean", "probes_mean", "sent_ANNOUNCE_mean"} {
			text, there := row[name]
			want := sums[k][name] / float64(counts[k][name])
			if got := get(row, name); !there || (text != "" || counts[k][name] > 0) && !sweeptest.Near(got, want) && got != want {
				t.Errorf("%v: %s is %q, and the rows make it %v of %d", k, name, text, want, counts[k][name])
			}
		}
		if wrong := get(row, "wrong_mean"); wrong > 0 && wrong < 100 {
			wrongs++
			if hi := get(row, "wrong_hi[%]"); hi <= wrong || hi >= 100 { // Wilson's
				t.Errorf("%v: the interval of %v ends at %v", k, wrong, hi)
			}
		}
	}
	if wrongs == 0 {
		t.Error("no cell has wrong runs")
	}
	for _, row := range sweeptest.Rows(t, sweeptest.Read(t, s, results.DifferencesFile)) {
		k, base := key{row["label"], row["n"], row["link"]}, key{"ring", row["n"], row["link"]}
		name := map[string]string{"wrong": "wrong_mean", "per_process": "per_process_mean", "sent_ANNOUNCE": "sent_ANNOUNCE_mean"}[row["metric"]]
		want := sums[k][name]/float64(counts[k][name]) - sums[base][name]/float64(counts[base][name])
		if got := get(row, "difference"); math.Abs(got-want) > 1e-9 {
			t.Errorf("%v: the difference of %s is %v, want %v", k, row["metric"], got, want)
		}
	}
}

// What a formula cannot mean is told before anything runs, at its place.
func TestOwnMetricsAreChecked(t *testing.T) {
	for formula, want := range map[string]string{
		"a: time + 1":                         "4:20: the formula of a: + joins what is counted in time_unit with what is not",
		"a: messages + detection_time / time": "4:24: the formula of a: + joins what is counted in s ",
		"a: time * time":                      "its unit would be a power of time_unit",
		"a: 1 / time / detection_time":        "its unit would be made of several",
		"a: {formula: 2 * time, unit: '%'}":   "it is counted in time_unit, and cannot be in percent",
		"a: entries":                          "4:12: the metric a: no algorithm here measures entries: there is ring",
		"bound: messages":                     "4:12: the metric bound: summary.csv has a column bound_",
		"a: sent_VOTE / n":                    `the formula of a: trials do not measure "sent_VOTE"`,
		"a: ratio_other":                      "no algorithm here measures ratio_other",
	} {
		r := sweeptest.RegistryWithMore()
		if strings.HasPrefix(formula, "bound") {
			a, _ := r.Find("ring")
			a.Bounds = append(a.Bounds, trial.Bound{Name: "mean", Metric: "messages", Value: func(*trial.Instance) (float64, bool) { return 1, true }})
		}
		text := "name: a\nalgorithms: ring\naxes: {n: [4, 8]}\nmetrics: { " + formula + " }\n"
		parsed, err := results.ParseSpec(r, "test.yaml", []byte(text))
		if err == nil {
			_, err = (&sweep.Sweep{Source: sweep.Source{Registry: r, Spec: parsed, Text: []byte(text), File: "test.yaml"}, Rehearse: figures.Rehearse, Dir: filepath.Join(t.TempDir(), "out")}).Run(context.Background())
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", formula, err, want)
		}
	}
}

// A bound that relates measures of one run has columns and a ratio, and no curve.
func TestBoundsOfMeasures(t *testing.T) {
	r := sweeptest.RegistryWithMore()
	a, _ := r.Find("ring")
	a.Bounds = append(a.Bounds, trial.Bound{Name: "handled", Metric: "delivered", Relation: trial.Exactly, Formula: "as many as messages", Of: trial.Measured("messages")})
	const text = "name: a\nalgorithms: ring\naxes: {n: [4, 8]}\nfigures: {y: ratio_handled%s}\n"
	_, err := results.ParseSpec(r, "test.yaml", fmt.Appendf(nil, text, ", curves: [{algorithm: ring, bound: handled}]"))
	if want := "handled of ring compares two measures of one run, so it has no value where nothing ran: draw the metric ratio_handled"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v; want %q", err, want)
	}
	s := sweeptest.Sweep(t, r, fmt.Sprintf(text, ""))
	sweeptest.Run(t, s)
	for _, row := range sweeptest.Rows(t, sweeptest.Read(t, s, "results.csv")) {
		if row["bound_handled"] != row["messages"] || row["ratio_handled"] != "1" {
			t.Errorf("bound %s, ratio %s, messages %s", row["bound_handled"], row["ratio_handled"], row["messages"])
		}
	}
}

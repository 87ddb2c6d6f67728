package results

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"bullring/experiments/campaign/spec"
	"bullring/experiments/campaign/stats"
	"bullring/experiments/catalog"
	"bullring/experiments/trial"
	"bullring/protocols"
)

// tableOf makes the layout of a sweep of LCR, and a function for the input of its cells.
func tableOf(t *testing.T, more string) (Layout, func(n int) Input) {
	t.Helper()
	registry := catalog.New()
	s, err := ParseSpec(registry, "x.yaml", []byte("name: x\nseed: 5\nalgorithms: lcr\naxes: {n: [1, 2, 4]}\n"+more))
	if err != nil {
		t.Fatal(err)
	}
	layout, err := LayoutOf(registry, s)
	if err != nil {
		t.Fatal(err)
	}
	return layout, func(n int) Input {
		in, err := registry.Instance(trial.Setting{Algorithm: "lcr", N: n})
		if err != nil {
			t.Fatal(err)
		}
		return Input{Label: "lcr", Instance: in}
	}
}

// sample is a trial with some metrics; it has no others.
func (l Layout) sample(in Input, metrics map[string]float64, ratio float64) *Sample {
	s := &Sample{Algorithm: in.Algorithm, Input: in, Outcome: in.Algorithm.Outcomes[0], Verdicts: make([]protocols.Verdict, len(in.Algorithm.Checks))}
	for i := range l.Summarised {
		v, ok := metrics[l.Summarised[i].Name]
		if !ok {
			v = math.NaN()
		}
		s.metrics = append(s.metrics, v)
	}
	for range l.bounds {
		s.bounds = append(s.bounds, boundValue{10 * ratio, ratio})
	}
	return s
}

// fields are the fields of a row by their columns.
func fields[T any](columns []TextColumn[T], row T) map[string]string {
	all := map[string]string{}
	for i := range columns {
		all[columns[i].Name] = columns[i].Text(row)
	}
	return all
}

// near reports whether a field is a number, up to six digits.
func near(field string, want float64) bool {
	v, err := strconv.ParseFloat(field, 64)
	return err == nil && math.Abs(v-want) <= 2e-6*max(1, math.Abs(want))
}

// The statistics of {2, 4, 4, 6}, of one value in two that is 1, and of one value alone are known:
// t(0.975; 3) is 3.182446, and Wilson's interval of 1 in 2 has the half-width z/(2√(2+z²)) about 1/2,
// with z = 1.959964.
func TestSummaryOfSmallSamples(t *testing.T) {
	l, input := tableOf(t, "bootstrap: 200\n")
	var c cellSummary
	in := input(4)
	for range 2 { // the memory is used again
		c.reset(7, in, l, 4)
		for i, messages := range []float64{6, 2, 4, 4} {
			metrics := map[string]float64{"messages": messages}
			if i < 2 {
				metrics["elected_time"], metrics["correct"] = 2+4*float64(i), float64(i)
			}
			if i == 3 {
				metrics["time"] = 9
			}
			ratio := []float64{0.25, math.NaN(), 1, math.Inf(1)}[i]
			s := l.sample(in, metrics, ratio)
			s.Verdicts[0] = []protocols.Verdict{protocols.Holds, protocols.Violated, protocols.Holds, protocols.Undecided}[i]
			if i == 3 {
				s.Outcome = in.Algorithm.Outcomes[1]
			}
			c.add(s)
		}
		c.finish(l)
	}
	got := fields(l.summaryColumns(), &c)
	half := 3.182446305 * math.Sqrt(8./3) / 2
	const z = 1.959963985
	wilson := z / (2 * math.Sqrt(2+z*z))
	bound := l.bounds[0]
	first, second := identifier(string(in.Algorithm.Outcomes[0])), identifier(string(in.Algorithm.Outcomes[1]))
	check := in.Algorithm.Checks[0]
	for column, want := range map[string]float64{
		"cell": 7, "n": 4, "trials": 4,
		"messages_n": 4, "messages_mean": 4, "messages_sd": math.Sqrt(8. / 3), "messages_lo": 4 - half, "messages_hi": 4 + half,
		"messages_min": 2, "messages_q1": 3.5, "messages_median": 4, "messages_q3": 4.5, "messages_p95": 5.7, "messages_max": 6,
		// Each end of the interval of two values is one of them: one resample in four has it twice.
		"elected_time_n": 2, "elected_time_boot_lo": 2, "elected_time_boot_hi": 6,
		"correct_n": 2, "correct_mean": 0.5, "correct_lo": 0.5 - wilson, "correct_hi": 0.5 + wilson,
		"time_n": 1, "time_mean": 9, "time_min": 9, "time_max": 9,
		"bound_" + bound: 6.25, "ratio_" + bound: 0.625, // of the two trials that have one
		first: 3, second: 1, check + "_holds": 2, check + "_violated": 1, check + "_undecided": 1,
	} {
		if !near(got[column], want) {
			t.Errorf("%s is %q; want %v", column, got[column], want)
		}
	}
	for _, column := range []string{"time_sd", "time_lo", "time_hi", "time_boot_lo", "time_boot_hi"} {
		if text, there := got[column]; text != "" || !there {
			t.Errorf("%s of one value is %q", column, text)
		}
	}
	if _, there := got["correct_boot_lo"]; there {
		t.Error("the bootstrap has an interval of a share")
	}
	if got["time_unit"] != "delay" || got["algorithm"] != "lcr" {
		t.Errorf("time_unit is %q, algorithm %q", got["time_unit"], got["algorithm"])
	}
	plain, _ := tableOf(t, "")
	for column := range fields(plain.summaryColumns(), &c) {
		if strings.Contains(column, "_boot_") {
			t.Errorf("without a bootstrap there is a column %s", column)
		}
	}
}

// 3n² messages grow with the exponent 2. The means 1, 4, 4 at n = 1, 2, 4 have logarithms to base 2
// with the least-squares slope 1 and the residuals -1/3, 2/3, -1/3: r² is 3/4, and the interval is
// 12.706205 √(1/3) on either side. A share does not grow, nor does a mean of 0, nor what two n have.
func TestGrowthOfSmallSeries(t *testing.T) {
	l, input := tableOf(t, "")
	var g growths
	for i, n := range []int{4, 1, 2} {
		in, s := input(n), []float64{4, 1, 4}[i]
		var c cellSummary
		c.reset(i+1, in, l, 3)
		for _, off := range []float64{-0.1, -0.1, 0.2} { // of the mean, which is not the median
			part := 1 + off*float64(i)
			c.add(l.sample(in, map[string]float64{"messages": 3 * float64(n*n) * part, "time": s * part, "correct": s, "elected_time": float64(n - 1)}, 1))
		}
		c.finish(l)
		cell := spec.Cell{Setting: in.Setting, Label: "lcr"}
		g.add(cell, &c)
		if cell.Label = "two"; n > 1 {
			g.add(cell, &c)
		}
	}
	rows := map[string]map[string]string{}
	for _, row := range g.fitted(l) {
		f := fields(l.growthColumns(), row)
		if _, twice := rows[f["metric"]]; twice {
			t.Errorf("%s twice", f["metric"])
		}
		rows[f["metric"]] = f
	}
	if len(rows) != 2 {
		t.Errorf("%d metrics grow: %v", len(rows), rows)
	}
	half := 12.706204736 * math.Sqrt(1./3)
	for metric, want := range map[string]map[string]float64{
		"messages": {"points": 3, "n_min": 1, "n_max": 4, "exponent": 2, "exponent_lo": 2, "exponent_hi": 2, "r2": 1},
		"time":     {"points": 3, "n_min": 1, "n_max": 4, "exponent": 1, "exponent_lo": 1 - half, "exponent_hi": 1 + half, "r2": 0.75},
	} {
		for column, v := range want {
			if !near(rows[metric][column], v) {
				t.Errorf("%s of %s is %q; want %v", column, metric, rows[metric][column], v)
			}
		}
		if _, there := rows[metric]["n"]; there || rows[metric]["algorithm"] != "lcr" {
			t.Errorf("%s: %v", metric, rows[metric])
		}
	}
}

// Three pairs have the differences 1, 3 and 2; the fourth has no partner.
func TestDifferencesOfPairs(t *testing.T) {
	l, input := tableOf(t, "")
	nan := math.NaN()
	a, b := []float64{1, 2, 3, 9, nan}, []float64{2, 5, 5, nan, 7}
	d := &difference{Input: input(4), baseline: "base", metric: l.metric("messages")}
	d.paired, d.mean = stats.Pair(a, b), pairedMean(a, b)
	got := fields(l.differenceColumns(), d)
	half := 4.302652730 / math.Sqrt(3) // t(0.975; 2)
	for column, want := range map[string]float64{
		"pairs": 3, "baseline_mean": 2, "difference": 2, "sd": 1, "lo": 2 - half, "hi": 2 + half, "correlation": math.Sqrt(3) / 2,
	} {
		if !near(got[column], want) {
			t.Errorf("%s is %q; want %v", column, got[column], want)
		}
	}
	if got["baseline"] != "base" || got["metric"] != "messages" || got["unit"] != "messages" {
		t.Errorf("%v", got)
	}
	d.paired, d.mean, d.metric = stats.Pair(a[:1], b[:1]), pairedMean(a[:1], b[:1]), l.metric("time")
	got = fields(l.differenceColumns(), d)
	if got["difference"] != "1" || got["baseline_mean"] != "1" || got["sd"]+got["lo"]+got["hi"]+got["correlation"] != "" || got["unit"] != "delay" {
		t.Errorf("of one pair: %v", got)
	}
	d.paired, d.mean = stats.Pair(a[3:], b[3:]), pairedMean(a[3:], b[3:])
	got = fields(l.differenceColumns(), d)
	if got["pairs"] != "0" || got["difference"]+got["baseline_mean"] != "" {
		t.Errorf("of no pair: %v", got)
	}
}

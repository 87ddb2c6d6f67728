package experiments

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"bullring/des"
	"bullring/experiments/spec"
	"bullring/experiments/stats"
	"bullring/protocols"
)

// sample is what the summary needs of a trial.
type sample struct {
	metrics  []float64           // as layout.summarised
	bounds   []against           // as layout.bounds
	verdicts []protocols.Verdict // as the algorithm's checks
	outcome  Outcome
	outside  bool // the model of the algorithm

	algorithm *Algorithm
	input     input // of the first trial of a cell: instances are large, and one stands for all
}

// sampleOf takes the sample of a trial.
func (l layout) sampleOf(t *trial) sample {
	s := sample{
		metrics:  make([]float64, len(l.summarised)),
		bounds:   make([]against, len(l.bounds)),
		verdicts: make([]protocols.Verdict, len(t.Instance.Algorithm.Checks)),
		outcome:  t.Outcome,
		outside:  len(t.Instance.Outside) > 0,

		algorithm: t.Instance.Algorithm,
	}
	get := t.operand
	for i := range l.summarised {
		s.metrics[i] = l.summarised[i].of(get)
	}
	for i, name := range l.bounds {
		s.bounds[i] = t.bound(name)
	}
	for i, name := range t.Instance.Algorithm.Checks {
		s.verdicts[i] = t.Verdict(name)
	}
	return s
}

// value is a metric of a trial, or what was measured divided by a bound; NaN where
// there is none.
func (l layout) value(s *sample, metric string) float64 {
	if i := slices.IndexFunc(l.summarised, func(m Metric) bool { return m.Name == metric }); i >= 0 {
		return s.metrics[i]
	}
	if i := slices.Index(l.bounds, strings.TrimPrefix(metric, ratioPrefix)); i >= 0 {
		return s.bounds[i].ratio
	}
	return math.NaN()
}

// cellSummary gathers the trials of a cell.
type cellSummary struct {
	input
	number    int // of the cell, from 1
	trials    int
	values    [][]float64 // by metric
	metrics   []stats.Summary
	resampled [][2]float64 // the bootstrap's intervals of the means, by metric
	bounds    []mean       // of the values, by bound
	ratios    []mean
	outcomes  map[Outcome]int
	verdicts  [][4]int // by the algorithm's check
}

// mean is a running mean.
type mean struct {
	n   int
	sum float64
}

func (m *mean) add(v float64) {
	if !math.IsNaN(v) && !math.IsInf(v, 0) {
		m.n++
		m.sum += v
	}
}

// value is the mean, NaN of nothing.
func (m *mean) value() float64 { return m.sum / float64(m.n) }

// reset makes the summary ready for another cell, of so many trials at most, in the
// same memory.
func (c *cellSummary) reset(number int, in input, l layout, trials int) {
	if c.values == nil {
		c.values = make([][]float64, len(l.summarised))
		c.metrics = make([]stats.Summary, len(l.summarised))
		c.resampled = make([][2]float64, len(l.summarised))
	}
	for i := range c.values {
		c.values[i] = slices.Grow(c.values[i][:0], trials)
	}
	*c = cellSummary{
		input: in, number: number, values: c.values, metrics: c.metrics, resampled: c.resampled,
		bounds: make([]mean, len(l.bounds)), ratios: make([]mean, len(l.bounds)), outcomes: map[Outcome]int{},
		verdicts: make([][4]int, len(in.Algorithm.Checks)),
	}
}

func (c *cellSummary) add(s *sample) {
	c.trials++
	c.outcomes[s.outcome]++
	for i, v := range s.metrics {
		c.values[i] = append(c.values[i], v)
	}
	for i, b := range s.bounds {
		c.bounds[i].add(b.value)
		c.ratios[i].add(b.ratio)
	}
	for i, v := range s.verdicts {
		c.verdicts[i][v]++
	}
}

// finish computes what takes all trials.
func (c *cellSummary) finish(l layout) {
	for i, values := range c.values {
		c.metrics[i] = stats.Summarize(values)
		if m := &l.summarised[i]; m.Proportion {
			c.metrics[i].Lo, c.metrics[i].Hi = interval(m, values)
		} else if l.bootstrap > 0 {
			chance := des.NewStream(l.seed, "bootstrap "+m.Name, uint64(c.number))
			c.resampled[i][0], c.resampled[i][1] = stats.Bootstrap(values, l.bootstrap, chance.Uint64())
		}
	}
}

// summaryColumns are the columns of summary.csv.
func (l layout) summaryColumns() []column[*cellSummary] {
	columns := []column[*cellSummary]{
		count("cell", "", "number of the cell, in the order of the sweep", func(c *cellSummary) string { return strconv.Itoa(c.number) }),
	}
	for _, in := range l.inputColumns() {
		columns = append(columns, column[*cellSummary]{in.Column, func(c *cellSummary) string { return in.text(c.input) }})
	}
	columns = append(columns,
		count("trials", "", "number of trials", func(c *cellSummary) string { return strconv.Itoa(c.trials) }),
		words("time_unit", "", "what times are counted in: delay or s", func(c *cellSummary) string { return timeUnit(c.Instance) }))
	for i := range l.summarised {
		columns = append(columns, metricSummaryColumns(i, &l.summarised[i])...)
		if l.bootstrap > 0 && !l.summarised[i].Proportion {
			columns = append(columns, resampledColumns(i, &l.summarised[i])...)
		}
	}
	for i, name := range l.bounds {
		columns = append(columns,
			real("bound_"+name, "", "mean of what theory says: "+l.boundMeaning(name), func(c *cellSummary) string { return number(c.bounds[i].value()) }),
			real(ratioPrefix+name, "", "mean of what was measured, divided by bound_"+name, func(c *cellSummary) string { return number(c.ratios[i].value()) }))
	}
	for _, outcome := range l.outcomes {
		columns = append(columns, count(identifier(string(outcome)), "trials", "trials whose outcome was: "+string(outcome), func(c *cellSummary) string {
			return strconv.Itoa(c.outcomes[outcome])
		}))
	}
	for _, check := range l.checks {
		for _, v := range verdicts {
			columns = append(columns, count(check+"_"+v.String(), "trials", "trials in which the check "+check+" was "+v.String(), func(c *cellSummary) string {
				k := slices.Index(c.Algorithm.Checks, check)
				if k < 0 {
					return ""
				}
				return strconv.Itoa(c.verdicts[k][v])
			}))
		}
	}
	return columns
}

// verdicts is the order in which verdicts are counted in tables. In the trials of a cell
// that lack there, the check did not hold and was not promised.
var verdicts = []protocols.Verdict{protocols.Holds, protocols.Violated, protocols.Undecided}

// metricSummaryColumns describe the metric of that index.
func metricSummaryColumns(i int, metric *Metric) []column[*cellSummary] {
	columns := []column[*cellSummary]{
		count(metric.Name+"_n", "trials", "number of trials that have a value of "+metric.Name, func(c *cellSummary) string { return strconv.Itoa(c.metrics[i].N) }),
	}
	for _, q := range []struct {
		name, meaning string
		value         func(stats.Summary) float64
		least         int // values that it takes
	}{
		{"mean", "mean of ", func(s stats.Summary) float64 { return s.Mean }, 1},
		{"sd", "standard deviation of ", func(s stats.Summary) float64 { return s.SD }, 2},
		{"lo", "lower end of the 95 % interval (Student's t; Wilson's of a proportion) of the mean of ", func(s stats.Summary) float64 { return s.Lo }, 2},
		{"hi", "upper end of the 95 % interval (Student's t; Wilson's of a proportion) of the mean of ", func(s stats.Summary) float64 { return s.Hi }, 2},
		{"min", "least of ", func(s stats.Summary) float64 { return s.Min }, 1},
		{"q1", "first quartile of ", func(s stats.Summary) float64 { return s.Q1 }, 1},
		{"median", "median of ", func(s stats.Summary) float64 { return s.Median }, 1},
		{"q3", "third quartile of ", func(s stats.Summary) float64 { return s.Q3 }, 1},
		{"p95", "95 % quantile of ", func(s stats.Summary) float64 { return s.P95 }, 1},
		{"max", "largest of ", func(s stats.Summary) float64 { return s.Max }, 1},
	} {
		columns = append(columns, real(metric.Name+"_"+q.name, metric.Unit, q.meaning+metric.Meaning, func(c *cellSummary) string {
			if c.metrics[i].N < q.least {
				return ""
			}
			return number(q.value(c.metrics[i]))
		}))
	}
	return columns
}

// resampledColumns are the bootstrap's interval of the metric of that index.
func resampledColumns(i int, metric *Metric) []column[*cellSummary] {
	end := func(name, which string, k int) column[*cellSummary] {
		return real(metric.Name+name, metric.Unit, which+" end of the 95 % interval (bootstrap, BCa) of the mean of "+metric.Meaning, func(c *cellSummary) string {
			if c.metrics[i].N < 2 {
				return ""
			}
			return number(c.resampled[i][k])
		})
	}
	return []column[*cellSummary]{end("_boot_lo", "lower", 0), end("_boot_hi", "upper", 1)}
}

// identifier makes a column's name of words.
func identifier(words string) string {
	name := []byte(words)
	for i, b := range name {
		if b == ' ' {
			name[i] = '_'
		}
	}
	return string(name)
}

// growths gathers the means over n, series by series.
type growths struct {
	order  []*means
	series map[spec.Cell]*means // by the cell without n
}

// means are those of the metrics of a series over n.
type means struct {
	input // of the first cell
	n     []float64
	of    [][]float64 // by metric, as layout.summarised
}

// growth is how a metric of a series grows with n.
type growth struct {
	*means
	metric *Metric
	fit    stats.Fit
}

func (g *growths) add(cell spec.Cell, c *cellSummary) {
	n := cell.N
	cell.N = 0
	s := g.series[cell]
	if s == nil {
		if g.series == nil {
			g.series = map[spec.Cell]*means{}
		}
		s = &means{input: input{c.label, c.Instance}, of: make([][]float64, len(c.metrics))}
		g.series[cell] = s
		g.order = append(g.order, s)
	}
	s.n = append(s.n, float64(n))
	for i := range c.metrics {
		s.of[i] = append(s.of[i], c.metrics[i].Mean)
	}
}

// fitted returns what has an exponent: series with three values of n at least, and
// of those the metrics whose means are positive at each. A share is no power of n.
func (g *growths) fitted(l layout) []*growth {
	var all []*growth
	for _, s := range g.order {
		for i, y := range s.of {
			metric := &l.summarised[i]
			if fit, err := stats.Growth(s.n, y); err == nil && !metric.Proportion {
				all = append(all, &growth{s, metric, fit})
			}
		}
	}
	return all
}

// growthColumns are the columns of growth.csv.
func (l layout) growthColumns() []column[*growth] {
	var columns []column[*growth]
	for _, in := range l.inputColumns() {
		if in.Name != "n" {
			columns = append(columns, column[*growth]{in.Column, func(g *growth) string { return in.text(g.input) }})
		}
	}
	// Six decimals: logarithms differ in the last bit between processors. 0 is added
	// since -0 would be printed with its sign.
	short := func(v float64) string { return number(math.Round(v*1e6)/1e6 + 0) }
	return append(columns,
		words("metric", "", "what grows, in the unit that summary.csv has it in", func(g *growth) string { return g.metric.Name }),
		count("points", "", "number of values of n", func(g *growth) string { return strconv.Itoa(g.fit.N) }),
		count("n_min", "processes", "least n", func(g *growth) string { return number(slices.Min(g.n)) }),
		count("n_max", "processes", "largest n", func(g *growth) string { return number(slices.Max(g.n)) }),
		real("exponent", "", "a of the power law C n^a fitted to the means of the metric", func(g *growth) string { return short(g.fit.Exponent) }),
		real("exponent_lo", "", "lower end of its 95 % interval", func(g *growth) string { return short(g.fit.Lo) }),
		real("exponent_hi", "", "upper end of its 95 % interval", func(g *growth) string { return short(g.fit.Hi) }),
		real("r2", "", "share of the variance of the logarithms of the means that the law explains", func(g *growth) string { return short(g.fit.R2) }),
	)
}

package results

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"bullring/des"
	"bullring/experiments/campaign/stats"
	"bullring/experiments/trial"
	"bullring/protocols"
)

// Sample is the part of a trial that the summary needs.
type Sample struct {
	metrics  []float64           // as Layout.Summarised
	bounds   []boundValue        // as Layout.bounds
	Verdicts []protocols.Verdict // as the checks of the algorithm
	Outcome  trial.Outcome
	Outside  bool // outside the model of the algorithm

	Algorithm *trial.Algorithm
	Input     Input // set for the first trial of a cell only: instances are large
}

// Sampler takes the samples of some trials. They share their memory, so that a tiny trial
// does not pay for its own.
type Sampler struct {
	layout   *Layout
	metrics  []float64 // of the samples to come
	bounds   []boundValue
	verdicts []protocols.Verdict
}

// Sampler returns what takes the samples of so many trials of a cell.
func (l *Layout) Sampler(trials int) *Sampler {
	return &Sampler{l, make([]float64, trials*len(l.Summarised)), make([]boundValue, trials*len(l.bounds)), make([]protocols.Verdict, trials*len(l.Checks))}
}

// Sample returns the sample of the next trial.
func (m *Sampler) Sample(t *Trial) Sample {
	l := m.layout
	s := Sample{
		metrics:  next(&m.metrics, len(l.Summarised)),
		bounds:   next(&m.bounds, len(l.bounds)),
		Verdicts: next(&m.verdicts, len(t.Instance.Algorithm.Checks)),
		Outcome:  t.Outcome,
		Outside:  len(t.Instance.Outside) > 0,

		Algorithm: t.Instance.Algorithm,
	}
	for i := range l.Summarised {
		s.metrics[i] = t.value(&l.Summarised[i])
	}
	for i, name := range l.bounds {
		s.bounds[i] = t.bound(name)
	}
	for i, name := range t.Instance.Algorithm.Checks {
		s.Verdicts[i] = t.Verdict(name)
	}
	return s
}

// next cuts the first n elements off a slice.
func next[T any](s *[]T, n int) []T {
	head := (*s)[:n:n]
	*s = (*s)[n:]
	return head
}

// value returns a metric of a trial, or its ratio to a bound; NaN if the trial has none.
func (l Layout) value(s *Sample, metric string) float64 {
	if i := slices.IndexFunc(l.Summarised, func(m trial.Metric) bool { return m.Name == metric }); i >= 0 {
		return s.metrics[i]
	}
	if i := slices.Index(l.bounds, strings.TrimPrefix(metric, trial.RatioPrefix)); i >= 0 {
		return s.bounds[i].ratio
	}
	return math.NaN()
}

// cellSummary collects the trials of a cell.
type cellSummary struct {
	Input
	number    int // of the cell, from 1
	trials    int
	values    [][]float64 // by metric
	metrics   []stats.Summary
	resampled [][2]float64 // the bootstrap's intervals of the means, by metric
	seeds     [][2]uint64  // of the trials with the least and the largest value, if rows are not kept
	bounds    []mean       // of the values, by bound
	ratios    []mean
	outcomes  map[trial.Outcome]int
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

// value returns the mean; NaN if there are no values.
func (m *mean) value() float64 { return m.sum / float64(m.n) }

// reset prepares the summary for another cell of at most so many trials. It keeps the
// memory.
func (c *cellSummary) reset(number int, in Input, l Layout, trials int) {
	if c.values == nil {
		c.values = make([][]float64, len(l.Summarised))
		c.metrics = make([]stats.Summary, len(l.Summarised))
		c.resampled = make([][2]float64, len(l.Summarised))
	}
	for i := range c.values {
		c.values[i] = slices.Grow(c.values[i][:0], trials)
	}
	*c = cellSummary{
		Input: in, number: number, values: c.values, metrics: c.metrics, resampled: c.resampled,
		bounds: make([]mean, len(l.bounds)), ratios: make([]mean, len(l.bounds)), outcomes: map[trial.Outcome]int{},
		verdicts: make([][4]int, len(in.Algorithm.Checks)),
	}
}

func (c *cellSummary) add(s *Sample) {
	c.trials++
	c.outcomes[s.Outcome]++
	for i, v := range s.metrics {
		c.values[i] = append(c.values[i], v)
	}
	for i, b := range s.bounds {
		c.bounds[i].add(b.value)
		c.ratios[i].add(b.ratio)
	}
	for i, v := range s.Verdicts {
		c.verdicts[i][v]++
	}
}

// finish computes the statistics that need all trials.
func (c *cellSummary) finish(l Layout) {
	for i, values := range c.values {
		m, s := &l.Summarised[i], &c.metrics[i]
		if l.bootstrap > 0 && !m.Proportion {
			chance := des.NewStream(l.seed, "bootstrap "+m.Name, uint64(c.number))
			c.resampled[i][0], c.resampled[i][1] = stats.Bootstrap(values, l.bootstrap, chance.Uint64())
		}
		*s = stats.SummarizeInPlace(values)
		if m.Proportion {
			s.Lo, s.Hi = Interval(m, values[:s.N])
		}
	}
}

// summaryColumns are the columns of summary.csv.
func (l Layout) summaryColumns() []TextColumn[*cellSummary] {
	columns := []TextColumn[*cellSummary]{
		countColumn("cell", "", "number of the cell, in the order of the sweep", func(c *cellSummary) (uint64, bool) { return uint64(c.number), true }),
	}
	for _, in := range l.inputColumns() {
		columns = append(columns, TextColumn[*cellSummary]{in.Column, func(field []byte, c *cellSummary) []byte { return in.print(field, c.Input) }})
	}
	columns = append(columns,
		countColumn("trials", "", "number of trials", func(c *cellSummary) (uint64, bool) { return uint64(c.trials), true }),
		wordsColumn("time_unit", "", "what times are counted in: delay or s", func(c *cellSummary) string { return timeUnit(c.Instance) }))
	for i := range l.Summarised {
		columns = append(columns, l.metricSummaryColumns(i, &l.Summarised[i])...)
		if l.bootstrap > 0 && !l.Summarised[i].Proportion {
			columns = append(columns, resampledColumns(i, &l.Summarised[i])...)
		}
		if l.keep.Summary {
			columns = append(columns, extremeColumns(i, &l.Summarised[i])...)
		}
	}
	for i, name := range l.bounds {
		columns = append(columns,
			realColumn("bound_"+name, "", "mean of what theory says: "+l.boundMeaning(name), func(c *cellSummary) float64 { return c.bounds[i].value() }),
			realColumn(trial.RatioPrefix+name, "", "mean of what was measured, divided by bound_"+name, func(c *cellSummary) float64 { return c.ratios[i].value() }))
	}
	for _, outcome := range l.Outcomes {
		columns = append(columns, countColumn(identifier(string(outcome)), "trials", "trials whose outcome was: "+string(outcome), func(c *cellSummary) (uint64, bool) {
			return uint64(c.outcomes[outcome]), true
		}))
	}
	for _, check := range l.Checks {
		for _, v := range verdicts {
			columns = append(columns, countColumn(check+"_"+v.String(), "trials", "trials in which the check "+check+" was "+v.String(), func(c *cellSummary) (uint64, bool) {
				k := slices.Index(c.Algorithm.Checks, check)
				if k < 0 {
					return 0, false
				}
				return uint64(c.verdicts[k][v]), true
			}))
		}
	}
	return columns
}

// SummaryColumns describe the columns of summary.csv.
func (l Layout) SummaryColumns() []Column { return describe(l.summaryColumns()) }

// verdicts is the order in which tables count verdicts. Trials that none of these counts
// were not promised the property, and it did not hold.
var verdicts = []protocols.Verdict{protocols.Holds, protocols.Violated, protocols.Undecided}

// metricSummaryColumns are the columns for the metric with index i.
func (l Layout) metricSummaryColumns(i int, metric *trial.Metric) []TextColumn[*cellSummary] {
	columns := []TextColumn[*cellSummary]{
		countColumn(metric.Name+"_n", "trials", "number of trials that have a value of "+metric.Name, func(c *cellSummary) (uint64, bool) { return uint64(c.metrics[i].N), true }),
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
		{"q1", l.within() + "first quartile of ", func(s stats.Summary) float64 { return s.Q1 }, 1},
		{"median", l.within() + "median of ", func(s stats.Summary) float64 { return s.Median }, 1},
		{"q3", l.within() + "third quartile of ", func(s stats.Summary) float64 { return s.Q3 }, 1},
		{"p95", l.within() + "95 % quantile of ", func(s stats.Summary) float64 { return s.P95 }, 1},
		{"max", "largest of ", func(s stats.Summary) float64 { return s.Max }, 1},
	} {
		columns = append(columns, realColumn(metric.Name+"_"+q.name, metric.Unit, q.meaning+metric.Meaning, func(c *cellSummary) float64 {
			if c.metrics[i].N < q.least {
				return math.NaN()
			}
			return q.value(c.metrics[i])
		}))
	}
	return columns
}

// within says how exact the quantiles are.
func (l Layout) within() string {
	if !l.keep.Summary {
		return ""
	}
	return fmt.Sprintf("from a sketch, never above the quantile and at most %.2g %% of it below, ", 100*stats.SketchError)
}

// extremeColumns are the seeds of the trials with extreme values of the metric with index i.
func extremeColumns(i int, metric *trial.Metric) []TextColumn[*cellSummary] {
	seed := func(name, which string, k int) TextColumn[*cellSummary] {
		return countColumn(metric.Name+name, "", "seed of the first trial with the "+which+" "+metric.Name, func(c *cellSummary) (uint64, bool) {
			return c.seeds[i][k], c.metrics[i].N > 0
		})
	}
	return []TextColumn[*cellSummary]{seed("_min_seed", "least", 0), seed("_max_seed", "largest", 1)}
}

// resampledColumns are the bounds of the bootstrap interval of the metric with index i.
func resampledColumns(i int, metric *trial.Metric) []TextColumn[*cellSummary] {
	end := func(name, which string, k int) TextColumn[*cellSummary] {
		return realColumn(metric.Name+name, metric.Unit, which+" end of the 95 % interval (bootstrap, BCa) of the mean of "+metric.Meaning, func(c *cellSummary) float64 {
			if c.metrics[i].N < 2 {
				return math.NaN()
			}
			return c.resampled[i][k]
		})
	}
	return []TextColumn[*cellSummary]{end("_boot_lo", "lower", 0), end("_boot_hi", "upper", 1)}
}

// identifier turns words into the name of a column.
func identifier(words string) string {
	name := []byte(words)
	for i, b := range name {
		if b == ' ' {
			name[i] = '_'
		}
	}
	return string(name)
}

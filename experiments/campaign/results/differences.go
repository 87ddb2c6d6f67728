package results

import (
	"math"
	"slices"
	"strconv"

	"bullring/experiments/campaign/spec"
	"bullring/experiments/campaign/stats"
	"bullring/experiments/trial"
)

// difference compares a metric of a cell with that of a baseline, on common random numbers.
type difference struct {
	Input
	baseline string // label of the baseline
	metric   *trial.Metric
	paired   stats.Paired
	mean     float64 // of the baseline, over the pairs
}

// pairing is a cell and the baseline that it is compared with.
type pairing struct {
	cell, baseline int
	metrics        []string
}

// pairings are the comparisons of a sweep, cell by cell. A cell is compared with the cell
// of the baseline under the same conditions, whose trials have the same seeds.
func pairings(s *spec.Spec, cells []spec.Cell) []pairing {
	var all []pairing
	for _, c := range s.Compare {
		baseline := map[string]int{}
		for i := range cells {
			if cells[i].Label == c.Baseline {
				baseline[cells[i].Key()] = i
			}
		}
		for i := range cells {
			if at, ok := baseline[cells[i].Key()]; ok && cells[i].Label != c.Baseline {
				all = append(all, pairing{i, at, c.Metrics})
			}
		}
	}
	return all
}

// differences compares the rows of results.csv, which must have its name already.
func (t *Tables) differences() ([]*difference, error) {
	pairs := pairings(t.Folder.Spec, t.Folder.Cells)
	values, err := t.valuesOf(pairs)
	if err != nil {
		return nil, err
	}
	var rows []*difference
	for _, p := range pairs {
		in, err := InstanceOf(t.Folder.Registry, &t.Folder.Cells[p.cell], TrialSeed(t.Folder.Spec.Seed, t.Folder.Cells[p.cell].Key(), 1), t.outside)
		if err != nil {
			return nil, err
		}
		for _, name := range p.metrics {
			metric, err := MetricOf(t.Folder.Registry, t.Folder.Spec, name)
			if err != nil {
				return nil, err
			}
			d := &difference{Input: Input{t.Folder.Cells[p.cell].Label, t.Folder.Cells[p.cell].Rare, in}, baseline: t.Folder.Cells[p.baseline].Label, metric: metric}
			a, b := values[cellMetric{p.baseline, name}], values[cellMetric{p.cell, name}]
			d.paired, d.mean = stats.Pair(a, b), pairedMean(a, b)
			rows = append(rows, d)
		}
	}
	return rows, nil
}

// cellMetric is a metric in a cell.
type cellMetric struct {
	cell   int
	metric string
}

// valuesOf returns the values to be paired, by replicate; NaN where a trial has none.
func (t *Tables) valuesOf(pairs []pairing) (map[cellMetric][]float64, error) {
	wanted := map[int][]string{}
	for _, p := range pairs {
		for _, cell := range []int{p.cell, p.baseline} {
			for _, name := range p.metrics {
				if !slices.Contains(wanted[cell], name) {
					wanted[cell] = append(wanted[cell], name)
				}
			}
		}
	}
	metrics := map[string]*trial.Metric{}
	for _, p := range pairs {
		for _, name := range p.metrics {
			m, err := MetricOf(t.Folder.Registry, t.Folder.Spec, name)
			if err != nil {
				return nil, err
			}
			metrics[name] = m
		}
	}
	values := map[cellMetric][]float64{}
	_, err := t.Folder.Rows(func(r *Record) (bool, error) {
		for _, name := range wanted[r.Cell] {
			v := math.NaN()
			if m := metrics[name]; r.has(m) {
				text, err := r.Text(m)
				if err != nil {
					return false, err
				}
				if text != "" {
					if v, err = strconv.ParseFloat(text, 64); err != nil {
						return false, r.Wrong(name, text, "a number")
					}
				}
			}
			values[cellMetric{r.Cell, name}] = append(values[cellMetric{r.Cell, name}], v)
		}
		return true, nil
	})
	return values, err
}

// pairedMean is the mean of those values of a whose partner in b exists.
func pairedMean(a, b []float64) float64 {
	var m mean
	for i := range min(len(a), len(b)) {
		if !math.IsNaN(b[i]) {
			m.add(a[i])
		}
	}
	return m.value()
}

// differenceColumns are the columns of differences.csv.
func (l Layout) differenceColumns() []TextColumn[*difference] {
	var columns []TextColumn[*difference]
	for _, in := range l.inputColumns() {
		columns = append(columns, TextColumn[*difference]{in.Column, func(field []byte, d *difference) []byte { return in.print(field, d.Input) }})
	}
	of := func(least int, value func(*difference) float64) func(*difference) float64 {
		return func(d *difference) float64 {
			if d.paired.N < least {
				return math.NaN()
			}
			return value(d)
		}
	}
	return append(columns,
		wordsColumn("baseline", "", "label of the cell, under the same conditions, that this one is compared with", func(d *difference) string { return d.baseline }),
		wordsColumn("metric", "", "what is compared", func(d *difference) string { return d.metric.Name }),
		wordsColumn("unit", "", "of the metric", func(d *difference) string {
			if d.metric.IsTime() {
				return timeUnit(d.Instance)
			}
			return d.metric.Unit
		}),
		countColumn("pairs", "", "trials with the same seed that have a value in both cells", func(d *difference) (uint64, bool) { return uint64(d.paired.N), true }),
		realColumn("baseline_mean", "", "mean of the baseline in these pairs", of(1, func(d *difference) float64 { return d.mean })),
		realColumn("difference", "", "mean of this cell's value minus the baseline's, pair by pair", of(1, func(d *difference) float64 { return d.paired.Mean })),
		realColumn("sd", "", "standard deviation of the differences", of(2, func(d *difference) float64 { return d.paired.SD })),
		realColumn("lo", "", "lower end of the 95 % interval (Student's t) of the mean difference", of(2, func(d *difference) float64 { return d.paired.Lo })),
		realColumn("hi", "", "upper end of it", of(2, func(d *difference) float64 { return d.paired.Hi })),
		realColumn("correlation", "", "Pearson's, between the two sides: how much the common random numbers help", of(2, func(d *difference) float64 { return d.paired.Correlation })),
	)
}

package experiments

import (
	"math"
	"path/filepath"
	"slices"
	"strconv"

	"bullring/experiments/spec"
	"bullring/experiments/stats"
)

// difference is a metric of a cell, compared with a baseline on common random
// numbers.
type difference struct {
	input
	baseline string // its label
	metric   *Metric
	paired   stats.Paired
	mean     float64 // of the baseline, over the pairs
}

// pairing is a cell and the one that it is compared with.
type pairing struct {
	cell, baseline int
	metrics        []string
}

// pairings are those that the comparisons of a sweep ask for, cell by cell: with the
// cell of the baseline that has the same conditions, and so the same seeds.
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

// writeDifferences writes the comparisons.
func (o *output) writeDifferences() (FileInfo, error) {
	rows, err := o.differences()
	if err != nil {
		return FileInfo{}, err
	}
	return writeTable(filepath.Join(o.folder.dir, DifferencesFile), o.layout.differenceColumns(), rows)
}

// differences compares the rows of results.csv, which is written.
func (o *output) differences() ([]*difference, error) {
	pairs := pairings(o.folder.spec, o.folder.cells)
	values, err := o.valuesOf(pairs)
	if err != nil {
		return nil, err
	}
	var rows []*difference
	for _, p := range pairs {
		in, err := o.folder.registry.instance(&o.folder.cells[p.cell], trialSeed(o.folder.spec.Seed, o.folder.cells[p.cell].Key(), 1), o.outside)
		if err != nil {
			return nil, err
		}
		for _, name := range p.metrics {
			metric, err := o.folder.registry.metricOf(o.folder.spec, name)
			if err != nil {
				return nil, err
			}
			d := &difference{input: input{o.folder.cells[p.cell].Label, in}, baseline: o.folder.cells[p.baseline].Label, metric: metric}
			a, b := values[of{p.baseline, name}], values[of{p.cell, name}]
			d.paired, d.mean = stats.Pair(a, b), pairedMean(a, b)
			rows = append(rows, d)
		}
	}
	return rows, nil
}

// of names the values of a metric in a cell.
type of struct {
	cell   int
	metric string
}

// valuesOf are the values that are to be paired, by replicate; NaN where there is
// none.
func (o *output) valuesOf(pairs []pairing) (map[of][]float64, error) {
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
	metrics := map[string]*Metric{}
	for _, p := range pairs {
		for _, name := range p.metrics {
			m, err := o.folder.registry.metricOf(o.folder.spec, name)
			if err != nil {
				return nil, err
			}
			metrics[name] = m
		}
	}
	values := map[of][]float64{}
	_, err := o.folder.rows(func(r *record) (bool, error) {
		for _, name := range wanted[r.cell] {
			v := math.NaN()
			if m := metrics[name]; r.has(m) {
				text, err := r.text(m)
				if err != nil {
					return false, err
				}
				if text != "" {
					if v, err = strconv.ParseFloat(text, 64); err != nil {
						return false, r.wrong(name, text, "a number")
					}
				}
			}
			values[of{r.cell, name}] = append(values[of{r.cell, name}], v)
		}
		return true, nil
	})
	return values, err
}

// pairedMean is the mean of a where b has a value too.
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
func (l layout) differenceColumns() []column[*difference] {
	var columns []column[*difference]
	for _, in := range l.inputColumns() {
		columns = append(columns, column[*difference]{in.Column, func(d *difference) string { return in.text(d.input) }})
	}
	of := func(least int, value func(*difference) float64) func(*difference) string {
		return func(d *difference) string {
			if d.paired.N < least {
				return ""
			}
			return number(value(d))
		}
	}
	return append(columns,
		words("baseline", "", "label of the cell, under the same conditions, that this one is compared with", func(d *difference) string { return d.baseline }),
		words("metric", "", "what is compared", func(d *difference) string { return d.metric.Name }),
		words("unit", "", "of the metric", func(d *difference) string {
			if d.metric.IsTime() {
				return timeUnit(d.Instance)
			}
			return d.metric.Unit
		}),
		count("pairs", "", "trials with the same seed that have a value in both cells", func(d *difference) string { return strconv.Itoa(d.paired.N) }),
		real("baseline_mean", "", "mean of the baseline in these pairs", of(1, func(d *difference) float64 { return d.mean })),
		real("difference", "", "mean of this cell's value minus the baseline's, pair by pair", of(1, func(d *difference) float64 { return d.paired.Mean })),
		real("sd", "", "standard deviation of the differences", of(2, func(d *difference) float64 { return d.paired.SD })),
		real("lo", "", "lower end of the 95 % interval (Student's t) of the mean difference", of(2, func(d *difference) float64 { return d.paired.Lo })),
		real("hi", "", "upper end of it", of(2, func(d *difference) float64 { return d.paired.Hi })),
		real("correlation", "", "Pearson's, between the two sides: how much the common random numbers help", of(2, func(d *difference) float64 { return d.paired.Correlation })),
	)
}

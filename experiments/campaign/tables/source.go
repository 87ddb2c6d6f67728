package tables

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/spec"
	"bullring/experiments/trial"
	"bullring/plots"
)

// Source is what the tables of a folder are made from.
type Source struct {
	*results.Folder
	layout  results.Layout
	columns []results.Column             // of summary.csv
	records map[int]*results.Record      // rows of summary.csv, by cell
	outside map[int]*results.OutsideCell // by cell
}

// Open reads summary.csv of a folder and, if trials outside the model were allowed, which cells
// have such.
func Open(f *results.Folder, m *results.Manifest, cells *results.Overview) (*Source, error) {
	s, err := blank(f)
	if err != nil {
		return nil, err
	}
	if s.records, err = cells.Records(f); err != nil {
		return nil, err
	}
	s.columns = slices.DeleteFunc(s.columns, func(c results.Column) bool { return !slices.Contains(cells.Columns, c.Name) })
	if m.Outside {
		s.outside, err = results.Outside(f)
	}
	return s, err
}

// blank is a source without a number.
func blank(f *results.Folder) (*Source, error) {
	l, err := results.LayoutOf(f.Registry, f.Spec)
	if err != nil {
		return nil, err
	}
	return &Source{Folder: f, layout: l, columns: l.SummaryColumns()}, nil
}

// Table makes a table that the sweep asks for. It is an error if the table does not fit into its
// width.
func (s *Source) Table(t *spec.Table) (*Table, error) {
	made, err := s.make(t)
	if err == nil {
		err = tooWide(made, t.Pos, s.records == nil)
	}
	return made, err
}

// Check returns an error if a table cannot be made whatever the results are: a metric that no
// algorithm of it measures, or heads that are too wide.
func Check(f *results.Folder, t *spec.Table) error {
	if len(t.Name) > longestName {
		return fmt.Errorf("the table's name has %d letters; the names of its files take %d at most", len(t.Name), longestName)
	}
	s, err := blank(f)
	if err == nil {
		_, err = s.Table(t)
	}
	return err
}

// longestName is the largest length of a table's name, in bytes. With an extension and the affixes
// of a temporary file, it stays below the 255 bytes that file systems allow.
const longestName = 200

// mostNamed is the largest number of columns that an error names.
const mostNamed = 20

// measure is a measure with the columns of summary.csv that have it.
type measure struct {
	spec.Measure
	metric      *trial.Metric // nil of a count
	value       string
	lo, hi      string // "" without an interval
	timed       bool
	unit        results.TimeScale
	statistical string   // words before those of the metric
	theory      []string // what a bound is, by algorithm
}

// statisticWords say which number of a metric is meant, in front of its name.
var statisticWords = map[string]string{
	spec.Mean: "", spec.Deviation: "SD of ", "min": "min ", "q1": "first quartile of ", spec.Median: "median ",
	"q3": "third quartile of ", "p95": "95 % quantile of ", "max": "max ", spec.Valued: "trials with ",
}

// suffixes of columns, where a statistic has another name.
var suffixes = map[string]string{spec.Deviation: "sd", spec.Valued: "n"}

// measureOf finds what a measure is of. algorithms are those of the table.
func (s *Source) measureOf(m spec.Measure, algorithms []*trial.Algorithm) (measure, error) {
	one := measure{Measure: m}
	var err error
	switch m.Kind {
	case spec.OfMetric:
		err = one.findMetric(s, algorithms)
	case spec.OfBound:
		err = one.findBound(s, algorithms)
	default:
		err = one.findCount(s)
	}
	if err != nil {
		return one, spec.Error{Pos: m.Pos, Message: err.Error(), Cause: err}
	}
	if one.timed && m.NamedUnit() != "" {
		one.unit = results.ScaleNamed(m.NamedUnit())
	}
	return one, nil
}

func (one *measure) findMetric(s *Source, algorithms []*trial.Algorithm) (err error) {
	if one.metric, err = results.MetricOf(s.Registry, s.Spec, one.Name); err != nil {
		return err
	}
	if err := results.Unmeasured(algorithms, one.metric); err != nil {
		return err
	}
	one.statistical, one.timed = statisticWords[one.Statistic], one.metric.InTime() && one.Statistic != spec.Valued
	if s.has(one.Name) { // a ratio
		if one.value = one.Name; one.Statistic != spec.Mean {
			return fmt.Errorf("%s has the mean of %s, and no %s", results.SummaryFile, one.Name, one.Statistic)
		}
		return nil
	}
	suffix, other := suffixes[one.Statistic]
	if !other {
		suffix = one.Statistic
	}
	one.value = one.Name + "_" + suffix
	if one.Statistic == spec.Mean {
		one.lo, one.hi = one.Name+"_lo", one.Name+"_hi"
	}
	return nil
}

// has reports whether summary.csv has a column of that name.
func (s *Source) has(name string) bool {
	return slices.ContainsFunc(s.columns, func(c results.Column) bool { return c.Name == name })
}

// findBound finds a bound, which has to limit one metric.
func (one *measure) findBound(s *Source, algorithms []*trial.Algorithm) error {
	var names []string
	of := ""
	for _, a := range algorithms {
		names = append(names, a.Name)
		b, err := a.Bound(one.Name)
		if err != nil {
			continue
		}
		if of != "" && of != b.Metric {
			return fmt.Errorf("the bound %s is one of %s for an algorithm and of %s for %s: choose algorithms by where", one.Name, of, b.Metric, a.Name)
		}
		of = b.Metric
		one.theory = append(one.theory, plots.Escape(a.Name+" "+results.BoundWords(b)))
	}
	if of == "" {
		return fmt.Errorf("no algorithm here declares the bound %q: there is %s", one.Name, strings.Join(names, ", "))
	}
	one.value = "bound_" + one.Name
	var err error
	one.metric, err = s.Registry.Metric(of)
	one.timed = err == nil && one.metric.InTime()
	if one.Unit != "" && err == nil && !one.timed {
		return fmt.Errorf("unit is %s, but the bound %s is one of %s, which is no time", one.Unit, one.Name, of)
	}
	return err
}

// findCount finds a column that counts trials.
func (one *measure) findCount(s *Source) error {
	var names []string
	for _, c := range s.columns {
		counts := c.Name == trialsColumn || c.Unit == "trials" && !strings.HasSuffix(c.Name, "_n")
		switch {
		case counts && c.Name == one.Name:
			one.value = c.Name
			return nil
		case counts:
			names = append(names, c.Name)
		}
	}
	if more := len(names) - mostNamed; more > 0 {
		names = append(names[:mostNamed], fmt.Sprintf("and %d more", more))
	}
	return fmt.Errorf("%s has no column %q that counts trials: it has %s", results.SummaryFile, one.Name, strings.Join(names, ", "))
}

// trialsColumn counts the trials of a cell.
const trialsColumn = "trials"

// words are the head of the measure, in markup. They are short: the caption says more.
func (one *measure) words() string {
	words := one.Label
	switch {
	case words != "":
		if one.NamedUnit() != "" && one.Unit == "" {
			return words // the label says it
		}
	case one.Kind == spec.OfCount:
		words = escaped(one.Name)
	case one.Kind == spec.OfBound:
		words = escaped(one.Name) + ", theory"
	case one.metric.Formula != nil:
		words = one.statistical + one.metric.Axis
	default:
		words = one.statistical + escaped(one.Name)
		if one.metric.Unit == spec.Percent {
			words += " (%)"
		}
	}
	return one.unit.WithUnit(words)
}

// read reads the number of a cell from its row of summary.csv, in the unit of the row.
func (one *measure) read(r *results.Record) (n number, err error) {
	if n.value, n.ok, err = numberIn(r, one.value); err != nil || !n.ok || one.lo == "" {
		return n, err
	}
	var lo, hi bool
	if n.lo, lo, err = numberIn(r, one.lo); err != nil {
		return n, err
	}
	n.hi, hi, err = numberIn(r, one.hi)
	n.interval, n.share = lo && hi && n.lo < n.hi, one.metric.Proportion
	return n, err
}

// numberIn reads a number from a column of a row; an empty field has none.
func numberIn(r *results.Record, column string) (v float64, ok bool, err error) {
	text, err := r.Field(column)
	if err != nil || text == "" {
		return 0, false, err
	}
	if v, err = strconv.ParseFloat(text, 64); err != nil {
		return 0, false, r.Wrong(column, text, "a number")
	}
	return v, true, nil
}

package results

import (
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"bullring/experiments"
	"bullring/experiments/setting"
	"bullring/experiments/spec"
)

// Column describes a column of a table of results.
type Column struct {
	Name    string     `json:"name"`
	Type    ColumnType `json:"type"`
	Unit    string     `json:"unit,omitempty"`
	Meaning string     `json:"meaning"`
}

// ColumnType is what the values of a column are. Any of them may be lacking, and
// then the field is empty.
type ColumnType string

// The types of columns.
const (
	Text    ColumnType = "text"
	Integer ColumnType = "integer" // from 0 to 2^64-1
	Number  ColumnType = "number"
	Boolean ColumnType = "boolean" // true or false
)

// counted are the units of what is counted, which the name of a column tells.
var counted = []string{"", "messages", "processes", "address", "identity", "rounds", "bits", "hex", "trials", "entries", "hops", "items", "moves"}

// Header is what stands above the column: its name and, in brackets, its unit,
// unless it is a count.
func (c Column) Header() string {
	if slices.Contains(counted, c.Unit) {
		return c.Name
	}
	return c.Name + "[" + c.Unit + "]"
}

// ColumnName is the name in a header.
func ColumnName(header string) string {
	name, _, _ := strings.Cut(header, "[")
	return name
}

// TextColumn is a column of a table whose rows are made of Ts.
type TextColumn[T any] struct {
	Column
	Text func(T) string
}

// wordsColumn, countColumn and realColumn are columns of three of the types.
func wordsColumn[T any](name, unit, meaning string, text func(T) string) TextColumn[T] {
	return TextColumn[T]{Column{name, Text, unit, meaning}, text}
}

func countColumn[T any](name, unit, meaning string, text func(T) string) TextColumn[T] {
	return TextColumn[T]{Column{name, Integer, unit, meaning}, text}
}

func realColumn[T any](name, unit, meaning string, text func(T) string) TextColumn[T] {
	return TextColumn[T]{Column{name, Number, unit, meaning}, text}
}

// table is a CSV table that is being written.
type table[T any] struct {
	columns []TextColumn[T]
	plain   bool // the header has names without units
	out     *csv.Writer
	fields  []string // of the current row
}

func (t *table[T]) header() error {
	for i, c := range t.columns {
		t.fields[i] = c.Header()
		if t.plain {
			t.fields[i] = c.Name
		}
	}
	return t.out.Write(t.fields)
}

func (t *table[T]) row(x T) error {
	for i, c := range t.columns {
		t.fields[i] = c.Text(x)
	}
	return t.out.Write(t.fields)
}

// describe is the columns without what fills them.
func describe[T any](columns []TextColumn[T]) []Column {
	all := make([]Column, len(columns))
	for i, c := range columns {
		all[i] = c.Column
	}
	return all
}

// Trial is a run with its place in a sweep.
type Trial struct {
	Label     string
	Replicate int // from 1
	*experiments.Result
}

// Layout is what the algorithms of a sweep have, each name once, in the order of the
// sweep's entries.
type Layout struct {
	Algorithms            []*experiments.Algorithm
	kinds, Checks, bounds []string
	Outcomes              []experiments.Outcome
	metrics               []experiments.Metric
	Summarised            []experiments.Metric // those that tables of cells describe
	params                bool                 // some algorithm has parameters
	bootstrap             int                  // resamples for an interval, 0 for none
	seed                  uint64               // of the sweep
}

func LayoutOf(r *experiments.Registry, s *spec.Spec) (Layout, error) {
	l := Layout{bootstrap: s.Bootstrap, seed: s.Seed}
	add := func(to *[]string, names ...string) {
		for _, name := range names {
			if !slices.Contains(*to, name) {
				*to = append(*to, name)
			}
		}
	}
	for i := range s.Entries {
		a, err := r.Find(s.Entries[i].Algorithm)
		if err != nil {
			return l, err
		}
		if slices.Contains(l.Algorithms, a) {
			continue
		}
		l.Algorithms = append(l.Algorithms, a)
		for _, d := range a.Declarations() {
			add(&l.kinds, d.Kinds...)
			add(&l.Checks, d.Checks...)
			for _, b := range d.Bounds {
				add(&l.bounds, b.Name)
			}
		}
		l.Outcomes = append(l.Outcomes, slices.DeleteFunc(slices.Clone(a.Outcomes), func(o experiments.Outcome) bool { return slices.Contains(l.Outcomes, o) })...)
		l.metrics = append(l.metrics, slices.DeleteFunc(slices.Clone(a.Metrics), func(m experiments.Metric) bool { return l.metric(m.Name) != nil })...)
		l.params = l.params || len(a.Params) > 0
	}
	wanted := wantedMetrics(s)
	l.metrics = slices.DeleteFunc(l.metrics, func(m experiments.Metric) bool { return m.Named && !slices.Contains(wanted, m.Name) })
	l.Summarised = slices.DeleteFunc(slices.Clone(l.metrics), func(m experiments.Metric) bool { return !m.Summary && !slices.Contains(wanted, m.Name) })
	err := l.addOwn(r, s)
	return l, err
}

// wantedMetrics are those that the sweep names.
func wantedMetrics(s *spec.Spec) []string {
	var names []string
	if s.Until != nil {
		names = append(names, s.Until.Metrics...)
	}
	for _, c := range s.Compare {
		names = append(names, c.Metrics...)
	}
	for i := range s.Figures {
		names = append(names, s.Figures[i].Metric().Name)
	}
	return names
}

// metric is the metric of that name that some algorithm of the sweep measures, nil if
// none does.
func (l Layout) metric(name string) *experiments.Metric {
	for i := range l.metrics {
		if l.metrics[i].Name == name {
			return &l.metrics[i]
		}
	}
	return nil
}

// RowColumn is the first of results.csv. It is not among those of a trial: which
// row that is nobody knows before the trials of all cells before are counted.
var RowColumn = Column{"row", Integer, "", "number of the trial, in the order of the sweep"}

// TrialColumns are the others.
func (l Layout) TrialColumns() []TextColumn[*Trial] {
	var columns []TextColumn[*Trial]
	for _, c := range l.inputColumns() {
		columns = append(columns, TextColumn[*Trial]{c.Column, func(t *Trial) string {
			return c.Text(Input{t.Label, t.Instance})
		}})
	}
	columns = append(columns,
		countColumn("replicate", "", "number of the trial within its cell", func(t *Trial) string { return strconv.Itoa(t.Replicate) }),
		countColumn("seed", "", "decides all chance in the trial", func(t *Trial) string { return strconv.FormatUint(t.Instance.Setting.Seed, 10) }),
		wordsColumn("outside", "", "assumptions of the algorithm that do not hold: it promises nothing here", func(t *Trial) string {
			return strings.Join(t.Instance.Outside, "; ")
		}),
		wordsColumn("end", "", "how the run ended", func(t *Trial) string { return t.End.String() }),
		wordsColumn("outcome", "", "how the run came out", func(t *Trial) string { return string(t.Outcome) }),
		countColumn("leader", "identity", "the elected one", func(t *Trial) string {
			id, ok := t.Leader()
			if !ok {
				return ""
			}
			return strconv.FormatInt(int64(id), 10)
		}),
		MetricColumn(&l.metrics[0]),
	)
	for _, kind := range l.kinds {
		columns = append(columns, countColumn("sent_"+kind, "messages", "messages of kind "+kind+" sent", func(t *Trial) string {
			k := slices.Index(t.Instance.Algorithm.Kinds, kind)
			if k < 0 {
				return ""
			}
			return strconv.FormatUint(t.Counters.Sent[k], 10)
		}))
	}
	for i := range l.metrics[1:] {
		columns = append(columns, MetricColumn(&l.metrics[1+i]))
	}
	columns = append(columns,
		wordsColumn("time_unit", "", "what times are counted in: delay (of a message, which is constant) or s (seconds)", func(t *Trial) string {
			return timeUnit(t.Instance)
		}),
		countColumn("events", "", "events that happened", func(t *Trial) string { return strconv.FormatUint(t.Counters.Events, 10) }))
	for _, check := range l.Checks {
		columns = append(columns, wordsColumn(check, "", "verdict of the check "+check+": holds, violated or undecided", func(t *Trial) string {
			if !slices.Contains(t.Instance.Algorithm.Checks, check) {
				return ""
			}
			return t.Verdict(check).String()
		}))
	}
	for _, bound := range l.bounds {
		columns = append(columns,
			realColumn("bound_"+bound, "", "what theory says: "+l.boundMeaning(bound), func(t *Trial) string {
				return formatNumber(t.bound(bound).value)
			}),
			realColumn(experiments.RatioPrefix+bound, "", "what was measured, divided by bound_"+bound, func(t *Trial) string {
				return formatNumber(t.bound(bound).ratio)
			}))
	}
	return append(columns,
		wordsColumn("fingerprint", "hex", "hash of all events of the run: equal runs have equal ones", func(t *Trial) string {
			return fmt.Sprintf("%016x", t.Fingerprint)
		}),
		wordsColumn("trail", "hex", "first byte of the fingerprint after 1, 2, 3, 4, 6, 8, 12, 16, 24 and so on events: where two of them part, the runs do", func(t *Trial) string {
			return t.Trail
		}))
}

// boundMeaning tells what a bound is for each algorithm that has it.
func (l Layout) boundMeaning(name string) string {
	var parts []string
	for _, a := range l.Algorithms {
		if b, err := a.Bound(name); err == nil {
			parts = append(parts, fmt.Sprintf("%s: %s %v %s (%s)", a.Name, b.Metric, b.Relation, b.Formula, b.Convention))
		}
	}
	return strings.Join(parts, "; ")
}

// Input is what the trials of a cell have in common.
type Input struct {
	Label string
	*experiments.Instance
}

// inputColumns tell the cell, no default left out.
func (l Layout) inputColumns() []TextColumn[Input] {
	columns := []TextColumn[Input]{
		wordsColumn("algorithm", "", "the algorithm", func(in Input) string { return in.Setting.Algorithm }),
	}
	for i := range setting.Conditions {
		c := &setting.Conditions[i]
		if c.Column.Optional && !l.params {
			continue
		}
		columns = append(columns, TextColumn[Input]{
			Column{c.Name, columnType(c.Kind), c.Column.Unit, c.Column.Meaning},
			func(in Input) string { return c.Get(&in.Setting) },
		})
		if c.Name == "variant" {
			columns = append(columns, wordsColumn("label", "", "its label in the sweep", func(in Input) string { return in.Label }))
		}
	}
	return columns
}

// columnType is the type of the column of a condition.
func columnType(k setting.Kind) ColumnType {
	switch k {
	case setting.Count:
		return Integer
	case setting.Truth:
		return Boolean
	}
	return Text
}

// MetricColumn is the column of a metric, which may be one of a sweep's own.
func MetricColumn(m *experiments.Metric) TextColumn[*Trial] {
	return realColumn(m.Name, m.Unit, m.Meaning, func(t *Trial) string { return formatNumber(evaluate(m, t.operand)) })
}

// metric is a metric, or NaN where the run has none.
func (t *Trial) metric(name string) float64 {
	if v, ok := t.Metric(name); ok {
		return v
	}
	return math.NaN()
}

// boundValue is a bound and the ratio to it; NaN where there is none.
type boundValue struct{ value, ratio float64 }

// bound is the bound of that name.
func (t *Trial) bound(name string) boundValue {
	for _, b := range t.Bounds {
		if b.Name == name {
			return boundValue{b.Value, b.Ratio}
		}
	}
	return boundValue{math.NaN(), math.NaN()}
}

// timeUnit names the unit of an instance's times.
func timeUnit(in *experiments.Instance) string {
	if _, ok := in.Unit(); ok {
		return "delay"
	}
	return "s"
}

// formatNumber prints a number in full, and nothing for what is none.
func formatNumber(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

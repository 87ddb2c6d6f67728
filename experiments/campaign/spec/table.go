package spec

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bullring/internal/pattern"
)

// Table is a table of a sweep for a paper. A place in it is a cell of the sweep.
type Table struct {
	Name    string    // unique; the stem of its files; default: the sweep's name
	Caption string    // in markup; default: the sweep's title
	Asks    string    // the question that the table answers, in markup; may be empty
	Rows    []string  // the fields that tell rows apart
	Columns []string  // the fields that tell columns apart
	Metrics []Measure // of each place
	Where   []Filter
	Width   string // columnWidth, TextWidth, or a length such as 84mm
	Pos     Pos
}

// Measure is a number of a place of a table.
type Measure struct {
	Kind      MeasureKind
	Name      string // the metric, the bound, or what is counted
	Statistic string // of a metric: one of statistics
	Label     string // in markup; "" for the caller's own words
	Unit      string // of a time: one of units; "" for the unit of the label or the caller's choice
	Pos       Pos
}

// MeasureKind says what a measure is of.
type MeasureKind uint8

// The kinds of measures.
const (
	OfMetric MeasureKind = iota // a statistic of a metric
	OfBound                     // the mean of what theory says
	OfCount                     // how many trials came out so
)

// The statistics of a metric, as summary.csv has them.
const (
	Mean      = "mean"      // with its interval
	Deviation = "deviation" // the standard deviation
	Valued    = "count"     // how many trials have a value
)

func statistics() []string {
	return []string{Mean, Deviation, "min", "q1", Median, "q3", "p95", "max", Valued}
}

// The widths of tables that have names.
const (
	columnWidth = "column" // of a two-column page
	TextWidth   = "text"   // of a page with one column
)

// NamedUnit returns the unit of times that the measure names: see Scale.NamedUnit.
func (m *Measure) NamedUnit() string { return Scale{Label: m.Label, Unit: m.Unit}.NamedUnit() }

// Select returns the cells of the table, in their order, and their indices.
func (t *Table) Select(cells []Cell) (chosen []Cell, at []int) {
	f := Figure{Where: t.Where}
	for i, c := range cells {
		if f.Matches(c) {
			chosen, at = append(chosen, c), append(at, i)
		}
	}
	return chosen, at
}

// Lengths of a width, in points of TeX.
var lengths = map[string]float64{"pt": 1, "mm": 72.27 / 25.4, "cm": 72.27 / 2.54, "in": 72.27}

// widths of tables that have names, in points: a column of most two-column pages, and the text of
// LaTeX's article and of most pages with one column.
var widths = map[string]float64{columnWidth: 84 * 72.27 / 25.4, TextWidth: 345}

// Points is the width of the table in points of TeX.
func (t *Table) Points() float64 {
	if w, named := widths[t.Width]; named {
		return w
	}
	parts := lengthPattern().FindStringSubmatch(t.Width)
	value, _ := strconv.ParseFloat(parts[1], 64)
	return value * lengths[parts[2]]
}

var lengthPattern = pattern.Of(`^([1-9][0-9]{0,3}(?:\.[0-9]{1,2})?)(mm|cm|in|pt)$`)

// DefaultRows returns the fields that tell the cells of a table with these columns apart, the
// label first; the label if none does.
func DefaultRows(cells []Cell, columns []string) []string {
	groups := make([]string, len(cells))
	for _, field := range columns {
		join(groups, cells, field)
	}
	rows := tellApart(cells, groups, "")
	if len(rows)+len(columns) == 0 {
		return []string{"label"}
	}
	return rows
}

// tableReader reads tables.
type tableReader struct{ figureReader }

// tables reads `tables` into the sweep. Without sound cells it does not check what depends on
// them.
func (r tableReader) tables(n *node, s *Spec, soundCells bool) {
	if n == nil {
		return
	}
	cells := s.cellsIf(soundCells)
	first := map[string]Pos{}
	r.each(n, "tables", func(item *node) {
		t := Table{Pos: item.pos}
		if r.sound(func() { r.table(item, &t, s.Name, cells) }) && soundCells {
			r.fill(&t, cells)
		}
		if earlier, dup := first[t.Name]; dup && t.Name != "" {
			r.add(Error{Pos: t.Pos, Other: earlier,
				Message: fmt.Sprintf("two tables are named %s, the first at %d:%d; a table without a name has the sweep's", t.Name, earlier.Line, earlier.Column)})
		} else {
			first[t.Name] = t.Pos
		}
		s.Tables = append(s.Tables, t)
	})
}

// table reads one table, and compares its filters with the cells, if any.
func (r tableReader) table(n *node, t *Table, name string, cells []Cell) {
	if n.kind == mapping {
		t.Name = name
	}
	usual := ""
	given := r.mapping(n, "a table", r.tableFields(t, &usual, cells))
	for i := range t.Metrics {
		if m := &t.Metrics[i]; m.Kind == OfMetric {
			m.Statistic = cmp.Or(m.Statistic, usual, Mean)
		}
	}
	t.Width = cmp.Or(t.Width, TextWidth)
	for _, field := range t.Columns {
		if slices.Contains(t.Rows, field) {
			r.errorf(given["columns"].pos, "columns names %s, which is among the table's rows already", field)
		}
	}
}

// tableFields are the keys of a table.
func (r tableReader) tableFields(t *Table, statistic *string, cells []Cell) []field {
	return []field{
		{"name", false, like(stemPattern()).About("of its files; default: the sweep's name"), func(n *node) { t.Name = r.stem(n, "name") }},
		{"caption", false, line().About("default: the sweep's title"), func(n *node) { t.Caption = r.markup(n, "caption") }},
		{"asks", false, line().About("the question that the table answers; default: none"), func(n *node) { t.Asks = r.markup(n, "asks") }},
		{"rows", false, fieldsSchema().About("fields whose values are the rows; default: those in which its cells differ, without columns"), func(n *node) { t.Rows = r.fields(n, "rows") }},
		{"columns", false, fieldsSchema().About("fields whose values are columns; default: none"), func(n *node) { t.Columns = r.fields(n, "columns") }},
		{"metrics", true, oneOrMore(anyOf(ref("shown"), ref("measure"))).About("what each place shows, in columns"), func(n *node) {
			r.each(n, "metrics", func(item *node) { t.Metrics = append(t.Metrics, r.measure(item)) })
		}},
		{"statistic", false, word(statistics()).About("of its metrics; default: mean"), func(n *node) { *statistic = r.word(n, "statistic", statistics()) }},
		{"where", false, object(fieldProperties()...).About("values that its cells have"), func(n *node) { t.Where = r.where(n, cells) }},
		{"width", false, anyOf(word([]string{columnWidth, TextWidth}), like(lengthPattern())).About("that it fits into: a column of 84mm, a text of 345pt, or a length; default: text"),
			func(n *node) { t.Width = r.width(n) }},
	}
}

// fields reads names of fields, each once.
func (r tableReader) fields(n *node, what string) (names []string) {
	r.each(n, what, func(item *node) {
		switch name := r.word(item, what, Fields()); {
		case name == "":
		case slices.Contains(names, name):
			r.errorf(item.pos, "%s names %s twice", what, name)
		default:
			names = append(names, name)
		}
	})
	return names
}

// width reads the width of a table; "" after an error.
func (r tableReader) width(n *node) string {
	if _, named := widths[n.text]; n.kind == text && (named || lengthPattern().MatchString(n.text)) {
		return n.text
	}
	r.unwanted(n, "width", "column, text, or a length such as 84mm, 8.4cm, 3.3in or 240pt", "")
	return ""
}

// measure reads a measure: the name of a metric, or a mapping.
func (r tableReader) measure(n *node) Measure {
	m := Measure{Pos: n.pos}
	if n.kind != mapping {
		m.Name = r.metricName(n, true)
		return m
	}
	given := r.mapping(n, "an entry of metrics", r.measureFields(&m))
	var kinds []string
	for _, key := range measureKinds {
		if given[key] != nil {
			kinds = append(kinds, key)
		}
	}
	switch {
	case given == nil:
	case len(kinds) != 1:
		r.errorf(n.pos, "an entry of metrics takes one of the keys %s, and has %s", strings.Join(measureKinds, ", "), cmp.Or(strings.Join(kinds, ", "), "none"))
	case m.Kind != OfMetric && m.Statistic != "":
		r.errorf(given["statistic"].pos, "statistic is for a metric; a %s has none", kinds[0])
	case m.Unit == "" || m.Name == "":
	case m.Kind == OfCount || m.Kind == OfMetric && !r.timed(m.Name):
		r.errorf(given["unit"].pos, "unit is %s, but %s is no time", m.Unit, m.Name)
	}
	if named := (Scale{Label: m.Label}).labelUnit(); m.Unit != "" && named != "" && named != m.Unit {
		r.errorf(given["unit"].pos, "unit is %s, but the label has another in brackets: %q", m.Unit, m.Label)
	}
	return m
}

// measureKinds are the keys that name what is measured.
var measureKinds = []string{"metric", "bound", "count"}

func (r tableReader) measureFields(m *Measure) []field {
	return []field{
		{"metric", false, ref("shown"), func(n *node) { m.Kind, m.Name = OfMetric, r.metricName(n, true) }},
		{"bound", false, line().About("that algorithms of the table declare: the mean of what theory says"), func(n *node) { m.Kind, m.Name = OfBound, r.line(n, "bound") }},
		{"count", false, line().About("a column of summary.csv that counts trials: an outcome, or a verdict of a check"), func(n *node) { m.Kind, m.Name = OfCount, r.line(n, "count") }},
		{"statistic", false, word(statistics()).About("of the metric; default: the table's"), func(n *node) { m.Statistic = r.word(n, "statistic", statistics()) }},
		{"label", false, line().About("in the head; default: words of the program"), func(n *node) { m.Label = r.markup(n, "label") }},
		{"unit", false, word(units()).About("of times; default: the one in brackets at the end of the label, or one that suits the numbers"), func(n *node) { m.Unit = r.word(n, "unit", units()) }},
	}
}

// fill compares a table with its cells, and completes its rows.
func (r tableReader) fill(t *Table, cells []Cell) {
	chosen, _ := t.Select(cells)
	if len(chosen) == 0 {
		r.errorf(t.Pos, "the table has no cell: its filters exclude each other in this sweep")
		return
	}
	if t.Rows == nil {
		t.Rows = DefaultRows(chosen, t.Columns)
	}
	places := make([]string, len(chosen))
	for _, field := range slices.Concat(t.Rows, t.Columns) {
		join(places, chosen, field)
	}
	if fields := tellApart(chosen, places, ""); len(fields) > 0 {
		r.errorf(t.Pos, "cells that differ in %s would share a place in the table: name these fields in rows or columns, or choose cells by where", strings.Join(fields, ", "))
	}
}

// fieldsSchema is one or more fields.
func fieldsSchema() *schema { return oneOrMore(word(Fields())) }

// measureSchema is a mapping with what is measured.
func (r tableReader) measureSchema() *schema {
	s := objectOf(r.measureFields(nil))
	for _, key := range measureKinds {
		s.OneOf = append(s.OneOf, &schema{Required: []string{key}})
	}
	return s
}

package tables

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/spec"
	"bullring/experiments/trial"
	"bullring/plots"
)

// making is a table while it is made.
type making struct {
	*Source
	asked    *spec.Table
	cells    []spec.Cell // of the table
	at       []int       // their indices in the sweep
	measures []measure
	numbers  [][]number // by cell of the table and measure
}

// make makes a table. Without records, it has no numbers.
func (s *Source) make(t *spec.Table) (*Table, error) {
	m := &making{Source: s, asked: t}
	m.cells, m.at = t.Select(s.Cells)
	algorithms, err := m.algorithms()
	if err != nil {
		return nil, err
	}
	for _, asked := range t.Metrics {
		one, err := s.measureOf(asked, algorithms)
		if err != nil {
			return nil, err
		}
		m.measures = append(m.measures, one)
	}
	if err := m.read(); err != nil {
		return nil, err
	}
	return m.layOut(), nil
}

// algorithms are those of the cells of the table.
func (m *making) algorithms() (all []*trial.Algorithm, err error) {
	for _, name := range spec.Values(m.cells, "algorithm") {
		a, err := m.Registry.Find(name)
		if err != nil {
			return nil, err
		}
		all = append(all, a)
	}
	return all, nil
}

// read reads the numbers, and converts times to the unit of their column.
func (m *making) read() error {
	m.numbers = make([][]number, len(m.cells))
	units := make([]results.RowUnit, len(m.cells))
	for i, cell := range m.at {
		m.numbers[i] = make([]number, len(m.measures))
		r := m.records[cell]
		if r == nil {
			continue
		}
		var err error
		if units[i], err = r.Unit(); err != nil {
			return err
		}
		for k := range m.measures {
			if m.numbers[i][k], err = m.measures[k].read(r); err != nil {
				return err
			}
		}
	}
	for k := range m.measures {
		if err := m.chooseUnit(k, units); err != nil {
			return err
		}
	}
	for i := range m.cells {
		for k := range m.measures {
			if one := &m.measures[k]; one.timed {
				m.numbers[i][k] = m.numbers[i][k].times(one.rowUnit(units[i]).Factor(one.unit))
			}
		}
	}
	return nil
}

// rowUnit is the unit of a measure in a row of which times are in the given unit.
func (one *measure) rowUnit(row results.RowUnit) results.RowUnit {
	if one.metric.IsTime() {
		return row
	}
	return results.RowUnit{Length: 1e9}
}

// chooseUnit chooses the unit of a measure that is a time, as figures do: the one that the spec
// names; message delays if all rows count in them; otherwise one that suits the numbers of all
// measures of the metric.
func (m *making) chooseUnit(k int, units []results.RowUnit) error {
	one := &m.measures[k]
	named := one.NamedUnit()
	if !one.timed || named != "" && named != spec.Delays {
		return nil
	}
	var times []float64
	constant := true
	for i := range m.cells {
		for j := range m.measures {
			other, n := &m.measures[j], m.numbers[i][j]
			if !other.timed || other.metric.Name != one.metric.Name || !n.ok {
				continue
			}
			unit := one.rowUnit(units[i])
			times = append(times, n.value*unit.Length.Seconds())
			if !unit.Constant && named == spec.Delays {
				return spec.Error{Pos: one.Pos, Message: fmt.Sprintf("the label %q says message delays, but the times of %s are in seconds: choose cells of constant delay by where, or let the label name s, ms or us",
					one.Label, results.CellName(&m.cells[i]))}
			}
			constant = constant && unit.Constant
		}
	}
	switch {
	case times == nil: // nothing is known yet, or nothing was measured
	case constant:
		one.unit = results.Delays
	default:
		one.unit = results.ScaleOfAll(times, false)
	}
	return nil
}

// layOut puts numbers and heads in their places.
func (m *making) layOut() *Table {
	t := &Table{Name: m.asked.Name, Asks: m.asked.Asks, limit: width{m.asked.Points(), widthWords(m.asked)}}
	for _, field := range m.asked.Rows {
		_, numbers := orderOf(spec.Values(m.cells, field))
		t.stubs = append(t.stubs, stub{head: headOf(field), numbers: numbers && !m.hasNames(field)})
	}
	rows, columns := m.keys(m.asked.Rows), m.keys(m.asked.Columns)
	t.levels, t.heads = m.headWords(columns)
	places := map[string]int{}
	for i := range m.cells {
		places[m.keyOf(i, m.asked.Rows).text+"\x00"+m.keyOf(i, m.asked.Columns).text] = i
	}
	for _, r := range rows {
		line := row{}
		for i, field := range m.asked.Rows {
			line.stubs = append(line.stubs, results.CategoryWords(m.Spec, field, r.values[i]))
		}
		for _, c := range columns {
			i, there := places[r.text+"\x00"+c.text]
			for k := range m.measures {
				if !there {
					line.cells = append(line.cells, cell{})
					continue
				}
				line.cells = append(line.cells, cellOf(m.numbers[i][k], m.marks(i, k)))
			}
		}
		t.rows = append(t.rows, line)
	}
	t.Caption = m.caption(t)
	t.Notes = m.notes(t)
	return t
}

// marks reports whether a number comes from trials outside the model.
func (m *making) marks(i, k int) bool {
	return m.outside[m.at[i]] != nil && m.measures[k].Kind != spec.OfBound
}

// widthWords name the width of a table.
func widthWords(t *spec.Table) string {
	if strings.ContainsAny(t.Width, "0123456789") && !strings.HasSuffix(t.Width, "pt") {
		return fmt.Sprintf("%s, which is %.0f pt", t.Width, t.Points())
	}
	if strings.HasSuffix(t.Width, "pt") {
		return t.Width
	}
	return fmt.Sprintf("%s of %.0f pt", t.Width, t.Points())
}

// headOf is the head of a field's column.
func headOf(field string) string {
	if field == "n" {
		return "*n*"
	}
	return escaped(field)
}

// escaped is a name as markup, with spaces for its underscores.
func escaped(name string) string { return plots.Escape(strings.ReplaceAll(name, "_", " ")) }

// key is the values of some fields, and where they stand among others.
type key struct {
	values []string
	text   string // of all values
	order  []float64
}

// keyOf returns the values of fields in a cell of the table.
func (m *making) keyOf(i int, fields []string) key {
	k := key{}
	for _, field := range fields {
		v, _ := m.cells[i].Field(field)
		k.values = append(k.values, v)
	}
	k.text = fmt.Sprintf("%q", k.values)
	return k
}

// keys returns the different values of fields in the cells, in order: field by field, numbers by
// size, others in order of appearance.
func (m *making) keys(fields []string) []key {
	orders := make([]map[string]float64, len(fields))
	for i, field := range fields {
		orders[i], _ = orderOf(spec.Values(m.cells, field))
	}
	seen := map[string]bool{}
	var all []key
	for i := range m.cells {
		k := m.keyOf(i, fields)
		if seen[k.text] {
			continue
		}
		seen[k.text] = true
		for f, v := range k.values {
			k.order = append(k.order, orders[f][v])
		}
		all = append(all, k)
	}
	slices.SortStableFunc(all, func(a, b key) int { return slices.Compare(a.order, b.order) })
	return all
}

// hasNames reports whether the sweep gives names to values of the field.
func (m *making) hasNames(field string) bool {
	return slices.ContainsFunc(spec.Values(m.cells, field), func(v string) bool { return m.Spec.NameOf(field, v) != "" })
}

// orderOf says where values stand, and whether all are numbers.
func orderOf(values []string) (order map[string]float64, numbers bool) {
	order, numbers = map[string]float64{}, true
	for _, v := range values {
		n, err := strconv.ParseFloat(v, 64)
		numbers = numbers && err == nil && !math.IsNaN(n)
		order[v] = n
	}
	if !numbers {
		for i, v := range values {
			order[v] = float64(i)
		}
	}
	return order, numbers
}

// headWords are the heads of the columns: levels of the fields that tell them apart, and of the
// measures, the lowest apart. A single measure stands above the fields.
func (m *making) headWords(columns []key) (levels [][]span, lowest []string) {
	fields := m.asked.Columns
	if fields == nil {
		for k := range m.measures {
			lowest = append(lowest, m.measures[k].words())
		}
		return nil, lowest
	}
	words := func(c key, i int) string {
		given := m.Spec.NameOf(fields[i], c.values[i])
		if given != "" {
			return plots.Escape(given)
		}
		return cmp.Or(results.FieldWords(fields[i], c.values[i]), results.CategoryWords(m.Spec, fields[i], c.values[i]))
	}
	each, upper := len(m.measures), len(fields)
	if each == 1 {
		levels = append(levels, []span{{m.measures[0].words(), len(columns)}})
		upper--
	}
	for i := range upper {
		var level []span
		for j, c := range columns {
			if j > 0 && slices.Equal(c.values[:i+1], columns[j-1].values[:i+1]) {
				level[len(level)-1].columns += each
				continue
			}
			level = append(level, span{words(c, i), each})
		}
		levels = append(levels, level)
	}
	for _, c := range columns {
		if each == 1 {
			lowest = append(lowest, words(c, upper))
			continue
		}
		for k := range m.measures {
			lowest = append(lowest, m.measures[k].words())
		}
	}
	return levels, lowest
}

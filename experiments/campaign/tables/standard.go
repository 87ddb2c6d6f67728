package tables

import (
	"cmp"
	"slices"

	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/spec"
)

// Summary returns the table of all cells, which each folder has: in rows the fields in which they
// differ, in columns the means of the metrics that figures and tables of the sweep show, or of
// messages. It has several parts if it would not fit into the text of a page. Long texts break.
func (s *Source) Summary() ([]*Table, error) {
	t := &spec.Table{Name: s.Spec.Name, Width: spec.TextWidth, Rows: spec.DefaultRows(s.Cells, nil)}
	if s.differ(trialsColumn, "") {
		t.Metrics = append(t.Metrics, spec.Measure{Kind: spec.OfCount, Name: trialsColumn})
	}
	for _, name := range s.shown() {
		t.Metrics = append(t.Metrics, spec.Measure{Name: name, Statistic: spec.Mean})
		if s.differ(name+"_n", trialsColumn) {
			t.Metrics = append(t.Metrics, spec.Measure{Name: name, Statistic: spec.Valued})
		}
	}
	made, err := s.make(t)
	if err != nil {
		return nil, err
	}
	made.wrap()
	ends := made.ends()
	if len(ends) == 1 {
		return []*Table{made}, nil
	}
	var parts []*Table
	from, metrics := 0, t.Metrics
	for _, to := range ends {
		t.Metrics = metrics[from:to]
		part, err := s.make(t)
		if err != nil {
			return nil, err
		}
		part.stubs = made.stubs
		parts, from = append(parts, part), to
	}
	return parts, nil
}

// shown are the metrics of the figures and tables, or messages if there are none. They are
// columns of summary.csv.
func (s *Source) shown() (names []string) {
	add := func(name string) {
		if !slices.Contains(names, name) && s.has(name+"_mean") {
			names = append(names, name)
		}
	}
	for i := range s.Spec.Figures {
		for _, name := range s.Spec.Figures[i].Metrics() {
			add(name)
		}
	}
	for i := range s.Spec.Tables {
		for _, m := range s.Spec.Tables[i].Metrics {
			add(m.Name)
		}
	}
	if names == nil {
		names = []string{"messages"}
	}
	return names
}

// differ reports whether a column of summary.csv differs from another one in some row or, without
// another one, between rows.
func (s *Source) differ(column, other string) bool {
	var first *results.Record
	for i := range s.Cells {
		r := s.records[i]
		if r == nil {
			continue
		}
		first = cmp.Or(first, r)
		beside := r
		if other == "" {
			beside = first
		}
		a, err := r.Field(column)
		b, errOther := beside.Field(cmp.Or(other, column))
		if err == nil && errOther == nil && a != b {
			return true
		}
	}
	return false
}

// wrap breaks the lines of the texts that leave no room for the widest column of numbers: those
// that are wider than their share.
func (t *Table) wrap() {
	e := t.estimate()
	n := len(t.stubs)
	room := t.limit.points - between*float64(n)
	if len(t.heads) > 0 {
		room -= slices.Max(e.columns[n:])
	}
	order := make([]int, n) // the narrowest first
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(e.columns[a], e.columns[b]) })
	for k, i := range order {
		share := room / float64(n-k)
		if e.columns[i] > share {
			t.stubs[i].wrap = max(share, between)
		}
		room -= min(e.columns[i], share)
	}
}

// ends are where the parts of a table end that fit into its width: each has as many columns of
// numbers as it has room for, but one at least. The table has no levels.
func (t *Table) ends() (ends []int) {
	from := 0
	for to := 2; to <= len(t.heads); to++ {
		if to-from > 1 && t.part(from, to).estimate().total > t.limit.points {
			ends, from = append(ends, to-1), to-1
		}
	}
	return append(ends, len(t.heads))
}

// part returns the table with some of its columns.
func (t *Table) part(from, to int) *Table {
	p := *t
	p.heads, p.rows = t.heads[from:to], make([]row, len(t.rows))
	for i, r := range t.rows {
		p.rows[i] = row{r.stubs, r.cells[from:to]}
	}
	return &p
}

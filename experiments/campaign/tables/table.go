package tables

import (
	"slices"
	"strings"

	"bullring/plots"
)

// Table is a table as readers see it. Its words are in the markup of labels.
type Table struct {
	Name    string // stem of its files
	Caption string // all of it
	Asks    string // the question that it answers; may be empty
	Notes   []string

	stubs  []stub   // columns that say what a row is
	levels [][]span // heads over several columns, from above
	heads  []string // the lowest heads, by column of numbers
	rows   []row
	limit  width // that the table has to fit into
}

// stub is a column that says what a row is.
type stub struct {
	head    string
	numbers bool
	wrap    float64 // points at which lines break; 0 for never
}

// span is a head over several columns of numbers.
type span struct {
	head    string
	columns int
}

// row is a row: what it is, and its numbers.
type row struct {
	stubs []string
	cells []cell
}

// width is a width in points of TeX, and its name.
type width struct {
	points float64
	name   string
}

// flatHeads are the heads of the columns of numbers, each with the heads above it.
func (t *Table) flatHeads() []string {
	flat := slices.Clone(t.heads)
	for i := len(t.levels) - 1; i >= 0; i-- {
		at := 0
		for _, s := range t.levels[i] {
			for range s.columns {
				if s.head != "" {
					flat[at] = s.head + ", " + flat[at]
				}
				at++
			}
		}
	}
	return flat
}

// Flat returns the table with one row of heads, in markup, and rows of plain text. missing
// stands where there is no number.
func (t *Table) Flat(missing string) (head []string, rows [][]string) {
	for _, s := range t.stubs {
		head = append(head, s.head)
	}
	head = append(head, t.flatHeads()...)
	for _, r := range t.rows {
		var texts []string
		for _, text := range r.stubs {
			texts = append(texts, plots.Plain(text))
		}
		for i := range r.cells {
			texts = append(texts, r.cells[i].text(missing))
		}
		rows = append(rows, texts)
	}
	return head, rows
}

// Stubs is the number of columns that say what a row is.
func (t *Table) Stubs() int { return len(t.stubs) }

// paired reports whether a column has something beside its values: half of an interval, or its
// ends.
func (t *Table) paired(column int) bool {
	return slices.ContainsFunc(t.rows, func(r row) bool { return r.cells[column].tailed() })
}

// marked reports whether a number of a column is marked.
func (t *Table) marked(column int) bool {
	return slices.ContainsFunc(t.rows, func(r row) bool { return r.cells[column].mark })
}

// repeats reports whether the stub of a row says the same as that of the row above, and all
// stubs before it do.
func (t *Table) repeats(row, stub int) bool {
	return row > 0 && slices.Equal(t.rows[row].stubs[:stub+1], t.rows[row-1].stubs[:stub+1])
}

// sentence ends a text with a full stop.
func sentence(text string) string { return strings.TrimSuffix(plots.Markup(text), ".") + "." }

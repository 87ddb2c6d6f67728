package plots

import (
	"encoding/csv"
	"io"

	"bullring/plots/internal/page"
)

// CSV writes the numbers in the figure, one row a point, with the columns
//
//	kind,label,key,x,x_high,y,y_low,y_high
//
// kind is series, curve, histogram, ecdf, box, outlier, reference or scatter. A bar of a
// histogram reaches from x to x_high; a step of a distribution function is the share y from x
// on. Fields without a value are empty. Labels are
// without markup, and x is the name of a category where the axis has them.
//
// A figure with boxes has the further columns
//
//	low_whisker,high_whisker,mean,n
//
// y of a box is its median, y_low and y_high are its quartiles. Its outliers follow
// it, a row each.
//
// A heat map has one row a cell instead, with the columns
//
//	kind,x,y,z
//
// kind is cell, and x and y are numbers or the names of categories.
func (f *Figure) CSV(w io.Writer) error {
	if err := f.Validate(); err != nil {
		return err
	}
	out := csv.NewWriter(w)
	// The writer keeps its first error until Flush.
	for _, row := range f.csvRows() {
		_ = out.Write(row)
	}
	out.Flush()
	return out.Error()
}

// usualColumns are the columns of a figure, unless a mark of it has columns of its own.
var usualColumns = []string{"kind", "label", "key", "x", "x_high", "y", "y_low", "y_high"}

// A table collects the rows of a CSV.
type table struct {
	axis Axis // along x
	rows [][]string
}

// add adds a row. The columns after the given values are empty.
func (t *table) add(kind, label, key, x string, more ...string) {
	t.rows = append(t.rows, append([]string{kind, Plain(label), key, x}, more...))
}

// x returns a value along x, or the name of its category.
func (t *table) x(v float64) string {
	if t.axis.Categories != nil {
		return Plain(t.axis.Categories[int(v)])
	}
	return page.Number(v)
}

func (f *Figure) csvRows() [][]string {
	head, t := usualColumns, table{axis: f.X}
	for _, p := range f.parts() {
		if own, ok := p.Mark.(tabled); ok {
			head = own.columns()
		}
		p.rows(&t)
	}
	for i, row := range t.rows {
		t.rows[i] = append(row, make([]string, len(head)-len(row))...)
	}
	return append([][]string{head}, t.rows...)
}

package plots

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"
)

// CSV writes the numbers in the figure, one row a point, with the columns
//
//	kind,label,key,x,x_high,y,y_low,y_high
//
// kind is series, curve, histogram, box, outlier, reference or scatter. A bar of a
// histogram reaches from x to x_high. Fields without a value are empty. Labels are
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

func (f *Figure) csvRows() [][]string {
	if f.HeatMap != nil {
		return f.HeatMap.csvRows()
	}
	x := f.X.name
	rows := [][]string{{"kind", "label", "key", "x", "x_high", "y", "y_low", "y_high"}}
	for _, s := range f.Series {
		for _, p := range s.Points {
			row := []string{"series", Plain(s.Label), s.Key, x(p.X), "", number(p.Y), "", ""}
			if p.hasInterval() {
				row[6], row[7] = number(p.YLow), number(p.YHigh)
			}
			rows = append(rows, row)
		}
	}
	for _, c := range f.Curves {
		for _, p := range c.Points {
			rows = append(rows, []string{"curve", Plain(c.Label), c.Key, x(p.X), "", number(p.Y), "", ""})
		}
	}
	for _, h := range f.Histograms {
		for i, v := range h.Values {
			rows = append(rows, []string{"histogram", Plain(h.Label), h.Key, x(h.Edges[i]), x(h.Edges[i+1]), number(v), "", ""})
		}
	}
	rows = append(rows, f.boxRows()...)
	for _, r := range f.References {
		rows = append(rows, []string{"reference", Plain(r.Label), r.Key, x(r.X), "", "", "", ""})
	}
	for _, s := range f.Scatters {
		for _, p := range s.Points {
			rows = append(rows, []string{"scatter", Plain(s.Label), s.Key, x(p.X), "", number(p.Y), "", ""})
		}
	}
	if len(f.Boxes) > 0 {
		rows[0] = append(rows[0], "low_whisker", "high_whisker", "mean", "n")
		fill(rows)
	}
	return rows
}

// boxRows returns the rows of all boxes, each with its outliers.
func (f *Figure) boxRows() [][]string {
	var rows [][]string
	for _, s := range f.Boxes {
		for _, b := range s.Boxes {
			mean, n := "", ""
			if b.Mean != nil {
				mean = number(*b.Mean)
			}
			if b.N > 0 {
				n = strconv.Itoa(b.N)
			}
			label, x := Plain(s.Label), f.X.name(b.X)
			rows = append(rows, []string{
				"box", label, s.Key, x, "", number(b.Median), number(b.Q1), number(b.Q3), number(b.LowWhisker), number(b.HighWhisker), mean, n,
			})
			for _, v := range b.Outliers {
				rows = append(rows, []string{"outlier", label, s.Key, x, "", number(v), "", ""})
			}
		}
	}
	return rows
}

// fill makes all rows as long as the first, with empty fields.
func fill(rows [][]string) {
	for i := range rows {
		rows[i] = append(rows[i], make([]string, len(rows[0])-len(rows[i]))...)
	}
}

// name returns a value along the axis, or the name of its category.
func (a Axis) name(v float64) string {
	if a.Categories != nil {
		return Plain(a.Categories[int(v)])
	}
	return number(v)
}

func (h *HeatMap) csvRows() [][]string {
	rows := [][]string{{"kind", "x", "y", "z"}}
	for j, values := range h.Values {
		for i, v := range values {
			z := ""
			if !math.IsNaN(v) {
				z = number(v)
			}
			rows = append(rows, []string{"cell", h.X.name(i), h.Y.name(j), z})
		}
	}
	return rows
}

// name returns the value or the category of a column or row.
func (s Side) name(i int) string {
	if s.Categories != nil {
		return Plain(s.Categories[i])
	}
	return number(s.Values[i])
}

// number formats v with as many digits as it takes to read it back exactly.
func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

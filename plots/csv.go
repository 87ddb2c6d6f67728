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
	head := []string{"kind", "label", "key", "x", "x_high", "y", "y_low", "y_high"}
	if len(f.Boxes) > 0 {
		head = append(head, "low_whisker", "high_whisker", "mean", "n")
	}
	rows := [][]string{head}
	add := func(kind, label, key, x string, more ...string) { // the rest of the row is empty
		row := append([]string{kind, Plain(label), key, x}, more...)
		rows = append(rows, append(row, make([]string, len(head)-len(row))...))
	}
	for _, s := range f.Series {
		for _, p := range s.Points {
			if p.hasInterval() {
				add("series", s.Label, s.Key, x(p.X), "", number(p.Y), number(p.YLow), number(p.YHigh))
			} else {
				add("series", s.Label, s.Key, x(p.X), "", number(p.Y))
			}
		}
	}
	for _, c := range f.Curves {
		for _, p := range c.Points {
			add("curve", c.Label, c.Key, x(p.X), "", number(p.Y))
		}
	}
	for _, h := range f.Histograms {
		for i, v := range h.Values {
			add("histogram", h.Label, h.Key, x(h.Edges[i]), x(h.Edges[i+1]), number(v))
		}
	}
	for _, s := range f.Boxes {
		for _, b := range s.Boxes {
			mean, n := "", ""
			if b.Mean != nil {
				mean = number(*b.Mean)
			}
			if b.N > 0 {
				n = strconv.Itoa(b.N)
			}
			add("box", s.Label, s.Key, x(b.X), "", number(b.Median), number(b.Q1), number(b.Q3), number(b.LowWhisker), number(b.HighWhisker), mean, n)
			for _, v := range b.Outliers {
				add("outlier", s.Label, s.Key, x(b.X), "", number(v))
			}
		}
	}
	for _, r := range f.References {
		add("reference", r.Label, r.Key, x(r.X))
	}
	for _, s := range f.Scatters {
		for _, p := range s.Points {
			add("scatter", s.Label, s.Key, x(p.X), "", number(p.Y))
		}
	}
	return rows
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

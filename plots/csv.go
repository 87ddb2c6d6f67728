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
// kind is series, curve, histogram, reference or scatter. A bar of a histogram reaches
// from x to x_high. Fields without a value are empty. Labels are without
// markup.
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
	rows := [][]string{{"kind", "label", "key", "x", "x_high", "y", "y_low", "y_high"}}
	for _, s := range f.Series {
		for _, p := range s.Points {
			row := []string{"series", plainText(s.Label), s.Key, number(p.X), "", number(p.Y), "", ""}
			if p.hasInterval() {
				row[6], row[7] = number(p.YLow), number(p.YHigh)
			}
			rows = append(rows, row)
		}
	}
	for _, c := range f.Curves {
		for _, p := range c.Points {
			rows = append(rows, []string{"curve", plainText(c.Label), c.Key, number(p.X), "", number(p.Y), "", ""})
		}
	}
	for _, h := range f.Histograms {
		for i, v := range h.Values {
			rows = append(rows, []string{"histogram", plainText(h.Label), h.Key, number(h.Edges[i]), number(h.Edges[i+1]), number(v), "", ""})
		}
	}
	for _, r := range f.References {
		rows = append(rows, []string{"reference", plainText(r.Label), r.Key, number(r.X), "", "", "", ""})
	}
	for _, s := range f.Scatters {
		for _, p := range s.Points {
			rows = append(rows, []string{"scatter", plainText(s.Label), s.Key, number(p.X), "", number(p.Y), "", ""})
		}
	}
	return rows
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
		return plainText(s.Categories[i])
	}
	return number(s.Values[i])
}

// number formats v with as many digits as it takes to read it back exactly.
func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

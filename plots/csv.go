package plots

import (
	"encoding/csv"
	"io"
	"strconv"
)

// CSV writes the numbers in the figure, one row a point, with the columns
//
//	kind,label,key,x,x_high,y,y_low,y_high
//
// kind is series, curve, histogram or reference. A bar of a histogram reaches
// from x to x_high. Fields without a value are empty. Labels are without
// markup.
func (f *Figure) CSV(w io.Writer) error {
	if err := f.Validate(); err != nil {
		return err
	}
	out := csv.NewWriter(w)
	// The writer keeps its first error until Flush.
	_ = out.Write([]string{"kind", "label", "key", "x", "x_high", "y", "y_low", "y_high"})
	for _, row := range f.csvRows() {
		_ = out.Write(row)
	}
	out.Flush()
	return out.Error()
}

func (f *Figure) csvRows() [][]string {
	var rows [][]string
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
	return rows
}

// number formats v with as many digits as it takes to read it back exactly.
func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

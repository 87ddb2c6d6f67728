package figures

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"bullring/experiments/results"
	"bullring/experiments/spec"
	"bullring/experiments/stats"
	"bullring/plots"
)

// fillHeatmap draws the mean of each cell as a colour.
func (d *drawing) fillHeatmap(f *plots.Figure) error {
	f.X = axis(d.X, d.sideWords(d.X))
	f.Y = axis(d.Y, d.sideWords(d.Y))
	m := &plots.HeatMap{
		X:      d.x.plot(d.X),
		Y:      d.y.plot(d.Y),
		Z:      d.colors(),
		Values: make([][]float64, len(d.y.texts)),
	}
	f.Marks = []plots.Mark{m}
	for i := range m.Values {
		m.Values[i] = slices.Repeat([]float64{math.NaN()}, len(d.x.texts))
	}
	for cell, p := range d.places {
		text, _ := d.Cells[cell].Field(d.Y.Name)
		if values := p.line.values[p.x]; len(values) > 0 {
			m.Values[d.y.index(text)][int(p.x)] = stats.Summarize(values).Mean
		}
	}
	return nil
}

// colors is the scale of the metric. A proportion has the scale from 0 to 1, so that
// figures can be compared.
func (d *drawing) colors() plots.Axis {
	z := axis(d.Z, d.metricWords())
	if d.measured.Proportion && !z.Log {
		z.Min = cmp.Or(z.Min, new(0.0))
		z.Max = cmp.Or(z.Max, new(results.FullProportion(d.measured)))
	}
	return z
}

// side holds the values of a field along a side of a heat map, or of boxes along x.
type side struct {
	texts []string  // as cells print them, in order
	at    []float64 // coordinates in the unit of the side, ascending; nil for categories
}

// newSide sorts the values in the cells: numbers by size, categories in order of
// appearance.
func newSide(s spec.Scale, cells []spec.Cell, unit timeScale) side {
	texts := spec.Values(cells, s.Name)
	at, _, err := s.Coordinates(texts)
	if err != nil {
		return side{texts: texts} // the spec was checked: it does not ask for numbers
	}
	order := make(map[string]float64, len(texts))
	for i, text := range texts {
		at[i] = unit.convert(at[i])
		order[text] = at[i]
	}
	slices.SortFunc(texts, func(a, b string) int { return cmp.Compare(order[a], order[b]) })
	slices.Sort(at)
	return side{texts, at}
}

// index is the index of a value, which is its column or row.
func (s side) index(text string) int { return slices.Index(s.texts, text) }

func (s side) plot(scale spec.Scale) plots.Side {
	if s.at != nil {
		return plots.Side{Values: s.at, Ordinal: scale.Ordinal}
	}
	return plots.Side{Categories: s.names(scale)}
}

// names are the values as labels, in markup.
func (s side) names(scale spec.Scale) []string {
	var names []string
	for _, text := range s.texts {
		names = append(names, categoryWords(scale.Name, text))
	}
	return names
}

// categoryWords names a value beside an axis that is labelled with the field.
func categoryWords(field, value string) string {
	switch {
	case field == "fifo":
		return fieldWords(field, value)
	case value == "" && (field == "fault" || field == "link"):
		return "none"
	case value == "":
		return "default"
	}
	return plots.Escape(strings.ReplaceAll(value, "\n", "; "))
}

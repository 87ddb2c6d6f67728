package figures

import (
	"cmp"
	"math"
	"slices"

	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/stats"
	"bullring/plots"
)

// heatmap draws the mean of each cell as a colour.
type heatmap struct{ chart }

func newHeatmap(d *drawing) kind {
	h := &heatmap{}
	h.chart = chart{d, "a field", h.fill}
	return h
}

func (h *heatmap) words() string {
	if h.measured.Proportion {
		return "Colours are shares of trials: " + h.measuredWords() + "."
	}
	return "Colours are means of " + h.measuredWords() + "."
}

func (h *heatmap) fill(f *plots.Figure) error {
	f.X = axis(h.X, h.x.words())
	f.Y = axis(h.Y, h.y.words())
	m := &plots.HeatMap{
		X:      h.x.plot(),
		Y:      h.y.plot(),
		Z:      h.colors(),
		Values: make([][]float64, len(h.y.texts)),
	}
	f.Marks = []plots.Mark{m}
	for i := range m.Values {
		m.Values[i] = slices.Repeat([]float64{math.NaN()}, len(h.x.texts))
	}
	for cell, p := range h.places {
		text, _ := h.Cells[cell].Field(h.Y.Name)
		if values := p.line.values[p.x]; len(values) > 0 {
			m.Values[h.y.index(text)][int(p.x)] = stats.Summarize(values).Mean
		}
	}
	return nil
}

// colors is the scale of the metric. A proportion has the scale from 0 to 1, so that
// figures can be compareh.
func (h *heatmap) colors() plots.Axis {
	z := axis(h.Z, h.metricWords())
	if h.measured.Proportion && !z.Log {
		z.Min = cmp.Or(z.Min, new(0.0))
		z.Max = cmp.Or(z.Max, new(results.FullProportion(h.measured)))
	}
	return z
}

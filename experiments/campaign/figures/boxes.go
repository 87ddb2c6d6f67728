package figures

import (
	"maps"
	"slices"

	"bullring/experiments/campaign/stats"
	"bullring/plots"
)

// boxes draws the quartiles, the outliers and the mean of each cell.
type boxes struct{ chart }

func newBoxes(d *drawing) kind {
	b := &boxes{}
	b.chart = chart{d, "a box", b.fill}
	return b
}

func (b *boxes) words() string {
	return "Boxes of " + b.measuredWords() + ", from the first to the third quartile, with the median and, as a diamond, the mean; whiskers to the last value within 1.5 box lengths; circles are the values beyond, of which none is left out."
}

func (b *boxes) fill(f *plots.Figure) error {
	f.X = axis(b.X, b.x.words())
	f.X.Whole = !b.categories && b.whole()
	f.Y = axis(b.Y, b.metricWords())
	if b.categories {
		f.X.Categories = b.x.names()
	}
	for _, l := range b.lines {
		if boxes := b.boxes(l); len(boxes) > 0 {
			f.Marks = append(f.Marks, &plots.BoxSeries{Label: l.label, Key: l.key, Boxes: boxes})
		}
	}
	return theory{b.drawing}.addCurves(f)
}

// boxes are the boxes of a line. A logarithmic axis leaves out a cell with a value that is
// not positive.
func (b *boxes) boxes(l *line) []plots.Box {
	var boxes []plots.Box
	for _, x := range slices.Sorted(maps.Keys(l.values)) {
		values := l.values[x]
		if b.Y.Log && slices.Min(values) <= 0 {
			continue
		}
		of, mean := stats.BoxOf(values), stats.Summarize(values).Mean
		boxes = append(boxes, plots.Box{
			X: x, LowWhisker: of.LowWhisker, Q1: of.Q1, Median: of.Median, Q3: of.Q3, HighWhisker: of.HighWhisker,
			Outliers: of.Outliers, Mean: &mean, N: of.N,
		})
	}
	return boxes
}

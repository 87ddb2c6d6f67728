package figures

import (
	"maps"
	"slices"

	"bullring/experiments/stats"
	"bullring/plots"
)

// fillBoxes draws the quartiles, the outliers and the mean of each cell.
func (d *drawing) fillBoxes(f *plots.Figure) error {
	f.X = axis(d.X, d.sideWords(d.X))
	f.X.Whole = !d.categories && d.whole()
	f.Y = axis(d.Y, d.metricWords())
	if d.categories {
		f.X.Categories = d.x.names(d.X)
	}
	for _, l := range d.lines {
		if boxes := d.boxes(l); len(boxes) > 0 {
			f.Marks = append(f.Marks, &plots.BoxSeries{Label: l.label, Key: l.key, Boxes: boxes})
		}
	}
	return d.addCurves(f)
}

// boxes are the boxes of a line. A logarithmic axis leaves out a cell with a value that is
// not positive.
func (d *drawing) boxes(l *line) []plots.Box {
	var boxes []plots.Box
	for _, x := range slices.Sorted(maps.Keys(l.values)) {
		values := l.values[x]
		if d.Y.Log && slices.Min(values) <= 0 {
			continue
		}
		b, mean := stats.BoxOf(values), stats.Summarize(values).Mean
		boxes = append(boxes, plots.Box{
			X: x, LowWhisker: b.LowWhisker, Q1: b.Q1, Median: b.Median, Q3: b.Q3, HighWhisker: b.HighWhisker,
			Outliers: b.Outliers, Mean: &mean, N: b.N,
		})
	}
	return boxes
}

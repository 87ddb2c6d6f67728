package experiments

import (
	"maps"
	"slices"

	"bullring/experiments/stats"
	"bullring/plots"
)

// fillBoxes draws the quartiles, the outliers and the mean of every cell.
func (d *drawing) fillBoxes(f *plots.Figure) error {
	f.X = axis(d.X, d.sideWords(d.X))
	f.Y = axis(d.Y, d.metricWords())
	if d.categories {
		f.X.Categories = d.x.names(d.X)
	}
	for _, l := range d.lines {
		if boxes := d.boxes(l); len(boxes) > 0 {
			f.Boxes = append(f.Boxes, plots.BoxSeries{Label: l.label, Key: l.key, Boxes: boxes})
		}
	}
	return d.addCurves(f)
}

// boxes are those of a line. A logarithmic axis has no place for a sample with a
// value of 0.
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

// colourApart gives lines of one algorithm colours of their own, and a line of
// several algorithms that of none of them: boxes and bars have no markers that would
// tell them apart.
func (d *drawing) colourApart() {
	owners := map[string]map[*line]bool{} // lines by algorithm
	parts := map[*line]map[string]bool{}  // algorithms by line
	for i, p := range d.places {
		name := d.cells[i].Algorithm
		if owners[name] == nil {
			owners[name] = map[*line]bool{}
		}
		if parts[p.line] == nil {
			parts[p.line] = map[string]bool{}
		}
		owners[name][p.line], parts[p.line][name] = true, true
	}
	d.shared = map[string]bool{}
	for _, l := range d.lines {
		for name := range parts[l] {
			if len(owners[name]) > 1 || len(parts[l]) > 1 {
				l.key = l.fields
				d.shared[name] = true
			}
		}
	}
}

// keyOf is the key of theory about an algorithm: none if its colour is that of no
// line.
func (d *drawing) keyOf(algorithm string) string {
	if d.shared[algorithm] {
		return ""
	}
	return algorithm
}

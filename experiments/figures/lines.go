package figures

import (
	"maps"
	"math"
	"slices"

	"bullring/experiments/results"
	"bullring/experiments/spec"
	"bullring/experiments/stats"
	"bullring/plots"
)

func (d *drawing) fillLines(f *plots.Figure) error {
	f.X = axis(d.X, d.sideWords(d.X))
	f.X.Whole = d.whole()
	f.Y = axis(d.Y, d.metricWords())
	for _, l := range d.lines {
		if points := d.points(l); len(points) > 0 {
			f.Marks = append(f.Marks, &plots.Series{Label: l.label, Key: l.key, Points: points})
		}
	}
	return d.addCurves(f)
}

// points are the means of a line with their intervals. A logarithmic axis leaves out values
// that are not positive.
func (d *drawing) points(l *line) []plots.Point {
	var points []plots.Point
	for _, x := range slices.Sorted(maps.Keys(l.values)) {
		s := stats.Summarize(l.values[x])
		p := plots.Point{X: x, Y: s.Mean}
		if d.Y.Deviation {
			p.Y = s.SD
		}
		if d.Y.Deviation && !s.HasInterval() || d.Y.Log && p.Y <= 0 {
			continue
		}
		if d.Y.Deviation { // the interval of a deviation depends on the distribution
			points = append(points, p)
			continue
		}
		lo, hi := results.Interval(d.measured, l.values[x])
		if lo < hi && (!d.Y.Log || lo > 0) {
			p.YLow, p.YHigh = lo, hi
		}
		points = append(points, p)
	}
	return points
}

// whole reports whether all values of x are whole numbers.
func (d *drawing) whole() bool {
	at, unit, err := d.X.Coordinates(d.texts())
	return err == nil && unit == "" && !slices.ContainsFunc(at, func(x float64) bool { return x != math.Trunc(x) })
}

func (d *drawing) addCurves(f *plots.Figure) error {
	for i := range d.Curves {
		c, err := d.curve(&d.Curves[i])
		if err != nil {
			return spec.Error{Pos: d.Curves[i].Pos, Message: err.Error(), Cause: err}
		}
		f.Marks = append(f.Marks, &c)
	}
	return nil
}

package spec

import "fmt"

// lineKind draws y over x. A line is a series.
var lineKind = figureKind{
	name:     "line",
	x:        axisSide(),
	y:        metricSide("statistic"),
	complete: tellSeriesApart,
	advice:   onePlace,
}

// tellSeriesApart sets the fields that tell the series apart, where the figure has none.
func tellSeriesApart(_ *report, f *Figure, drawn []Cell) {
	if f.Series == nil {
		f.Series = defaultSeries(drawn, f.X.Name)
	}
}

// onePlace advises against lines that are points.
func onePlace(f *Figure, drawn []Cell) string {
	values := Values(drawn, f.X.Name)
	if len(values) != 1 {
		return ""
	}
	return fmt.Sprintf("has one value along x, %s %s, so that its lines are points: give the axis several, draw over another axis, or kind: box over label",
		f.X.Name, shorten(values[0]))
}

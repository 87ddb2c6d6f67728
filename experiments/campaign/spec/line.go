package spec

import (
	"cmp"
	"fmt"
)

// Places of the labels of series.
const (
	legend = "legend" // above the axes
	Ends   = "ends"   // where the series end, if they fit there
)

// lineKind draws y over x. A line is a series.
var lineKind = figureKind{
	name:     "line",
	x:        axisSide(),
	y:        metricSide("statistic"),
	own:      lineFields,
	usual:    func(f *Figure) { f.Labels = cmp.Or(f.Labels, legend) },
	complete: tellSeriesApart,
	advice:   onePlace,
}

func lineFields(r words, f *Figure) []field {
	places := []string{legend, Ends}
	return []field{
		{"labels", false, word(places).About("of the series in a line chart: in the legend, or where the series end, if they fit there; default: legend"), func(n *node) { f.Labels = r.word(n, "labels", places) }},
	}
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

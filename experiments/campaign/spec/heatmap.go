package spec

import "strings"

// heatmapKind draws the mean of z as the colour of the cells of x and y.
var heatmapKind = figureKind{
	name:     "heatmap",
	x:        fieldSide(),
	y:        fieldSide(),
	z:        metricSide().neededFor("the metric that its colours show"),
	lacks:    lineKeys,
	because:  "it shows one value for each x and y",
	complete: onePlaceEach,
}

// onePlaceEach makes the rows of a heat map its series. It refuses cells that would share a
// place.
func onePlaceEach(r *report, f *Figure, drawn []Cell) {
	f.Series = []string{f.Y.Name}
	if fields := mixed(drawn, f.X.Name, f.Y.Name); len(fields) > 0 {
		r.errorf(f.Pos, "cells that differ in %s would share a place in the heat map: choose some of them by where", strings.Join(fields, ", "))
	}
}

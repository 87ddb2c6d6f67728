package spec

// histogramKind draws the distribution of y.
var histogramKind = figureKind{
	name:     "histogram",
	x:        without("it draws the distribution of y"),
	y:        metricSide(),
	complete: tellSeriesApart,
}

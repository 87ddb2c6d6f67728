package spec

// ecdfKind draws the share of the trials in which y is at most x.
var ecdfKind = figureKind{
	name:     "ecdf",
	x:        without("it draws the distribution of y"),
	y:        metricSide(),
	complete: tellSeriesApart,
}

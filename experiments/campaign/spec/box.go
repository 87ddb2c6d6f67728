package spec

// boxKind draws the quartiles and the outliers of y over x. A box is a cell of a series.
var boxKind = figureKind{
	name:     "box",
	x:        fieldSide(),
	y:        metricSide(),
	complete: tellBoxesApart,
}

// tellBoxesApart sets the fields that tell the boxes of one place apart. It refuses curves
// over categories.
func tellBoxesApart(r *report, f *Figure, drawn []Cell) {
	if !f.Categories(drawn) {
		tellSeriesApart(r, f, drawn)
		return
	}
	if len(f.Curves) > 0 {
		r.errorf(f.Curves[0].Pos, "a curve takes an x of numbers; the values of %s are categories here", f.X.Name)
	}
	if f.Series == nil { // the names along x tell some apart already
		f.Series = mixed(drawn, f.X.Name)
	}
}

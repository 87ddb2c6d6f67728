package plots

import (
	"image/color"

	"bullring/plots/looks"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Measures of a box plot in points.
const (
	medianWidth   = vg.Length(1.5)
	outlierRadius = vg.Length(1.1)
	outlierWidth  = vg.Length(0.5)
	meanRadius    = vg.Length(1.25) // at most: in a narrow box it would hide the median
)

// A boxShape is a box in its place on the page.
type boxShape struct {
	x, width                  vg.Length
	low, q1, median, q3, high vg.Length
}

// draw draws the part of the box that lies on the canvas. The opaque fill covers the grid.
func (b boxShape) draw(c draw.Canvas, col color.NRGBA) {
	left, right, end := b.x-b.width/2, b.x+b.width/2, b.width/4
	outline := box(left, right, b.q1, b.q3)
	c.FillPolygon(barColor(col), c.ClipPolygonXY(outline))
	level := func(y, half vg.Length) []vg.Point { return []vg.Point{{X: b.x - half, Y: y}, {X: b.x + half, Y: y}} }
	upright := func(from, to vg.Length) []vg.Point { return []vg.Point{{X: b.x, Y: from}, {X: b.x, Y: to}} }
	c.StrokeLines(draw.LineStyle{Color: col, Width: intervalWidth}, c.ClipLinesXY(
		append(outline, outline[0]),
		upright(b.low, b.q1), upright(b.q3, b.high), level(b.low, end), level(b.high, end),
	)...)
	c.StrokeLines(draw.LineStyle{Color: col, Width: medianWidth}, c.ClipLinesXY(level(b.median, b.width/2))...)
}

// drawMean marks the mean in a box of that width, in a shade that stands out from the median.
func drawMean(c draw.Canvas, at vg.Point, width vg.Length, col color.NRGBA) {
	drawMarker(c, looks.Diamond, at, min(meanRadius, width/6), mix(col, ink, 0.45))
}

func (p *painter) boxes() {
	p.eachBox(func(b Box, x, width vg.Length, col color.NRGBA) {
		boxShape{
			x: x, width: width, low: p.y.at(b.LowWhisker),
			q1: p.y.at(b.Q1), median: p.y.at(b.Median), q3: p.y.at(b.Q3), high: p.y.at(b.HighWhisker),
		}.draw(p.axes, col)
		p.axes.SetLineStyle(draw.LineStyle{Color: col, Width: outlierWidth})
		for _, v := range b.Outliers {
			if at := (vg.Point{X: x, Y: p.y.at(v)}); p.axes.Contains(at) {
				p.axes.Stroke(circlePath(at, outlierRadius))
			}
		}
	})
}

// boxMeans draws the means, above the curves that explain them.
func (p *painter) boxMeans() {
	p.eachBox(func(b Box, x, width vg.Length, col color.NRGBA) {
		if b.Mean == nil {
			return
		}
		if at := (vg.Point{X: x, Y: p.y.at(*b.Mean)}); p.axes.Contains(at) {
			drawMean(p.axes, at, width, col)
		}
	})
}

// eachBox calls f with every box whose place is on the axis, and with its middle, width
// and colour on the page.
func (p *painter) eachBox(f func(b Box, x, width vg.Length, col color.NRGBA)) {
	width := p.boxWidth()
	for i, s := range p.figure.Boxes {
		for _, b := range s.Boxes {
			if middle := p.x.at(b.X); p.axes.ContainsX(middle) {
				f(b, middle+p.offset(i, b.X, width), width, p.styles.boxes[i])
			}
		}
	}
}

// boxWidth returns the width of all boxes. The boxes of the fullest place fit between the
// two nearest places.
func (p *painter) boxWidth() vg.Length {
	room := p.x.to - p.x.from
	places := p.figure.places()
	for i := 1; i < len(places); i++ {
		room = min(room, p.x.at(places[i])-p.x.at(places[i-1]))
	}
	share := placeFilled * room / vg.Length(max(1, p.figure.mostBoxes()))
	return min(widestBox, max(narrowest, share-boxGap))
}

// offset returns the distance of a box of that series from its place. The boxes of a
// place stand side by side around it.
func (p *painter) offset(series int, x float64, width vg.Length) vg.Length {
	present := p.figure.boxesAt(x)
	for i, s := range present {
		if s == series {
			return (width + boxGap) * (vg.Length(i) - vg.Length(len(present)-1)/2)
		}
	}
	return 0
}

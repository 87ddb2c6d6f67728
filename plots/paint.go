package plots

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Widths of the lines of the frame in points.
const (
	axisWidth = vg.Length(0.5)
	gridWidth = vg.Length(0.4)
)

// A painter draws a layout on a canvas.
type painter struct {
	*layout
	page draw.Canvas
	axes draw.Canvas // the area of the data
}

// paint draws the layout.
func (l *layout) paint(c vg.Canvas) {
	p := &painter{layout: l, page: draw.NewCanvas(c, l.width, l.height)}
	p.axes = draw.Canvas{Canvas: c, Rectangle: vg.Rectangle{
		Min: vg.Point{X: l.x.from, Y: l.y.from},
		Max: vg.Point{X: l.x.to, Y: l.y.to},
	}}
	p.page.SetColor(white)
	p.page.Fill(p.page.Rectangle.Path())

	for at := range pass(passes) {
		switch {
		case at == passGrid && p.filler == nil:
			p.grid()
		case at == passAxes:
			p.axisLines()
		}
		for _, m := range l.marks {
			m.draw(p, at)
		}
	}
	p.labels()
}

// text draws a line of text in black.
func (p *painter) text(line textLine, at vg.Point, align float64) {
	p.page.SetColor(ink)
	line.draw(p.page, at, align)
}

// at returns the position of a value.
func (p *painter) at(x, y float64) vg.Point { return vg.Point{X: p.x.at(x), Y: p.y.at(y)} }

// line draws the part of a line that lies inside the axes.
func (p *painter) line(style draw.LineStyle, points []vg.Point) {
	p.axes.StrokeLines(style, p.axes.ClipLinesXY(points)...)
}

// places returns the places of points on the page.
func places[P any](points []P, at func(P) vg.Point) []vg.Point {
	all := make([]vg.Point, len(points))
	for i, q := range points {
		all[i] = at(q)
	}
	return all
}

// band draws the area between two lines in the passes of bands: pale and opaque, since PDF
// readers and printers disagree about transparency, with an edge that stays visible where
// bands overlap.
func (p *painter) band(at pass, col color.NRGBA, high, low []vg.Point) {
	slices.Reverse(low)
	switch at {
	case passBands:
		p.axes.FillPolygon(bandColor(col), p.axes.ClipPolygonXY(slices.Concat(high, low)))
	case passBandEdges:
		edge := draw.LineStyle{Color: mix(col, white, 0.5), Width: gridWidth}
		p.line(edge, high)
		p.line(edge, low)
	}
}

// bandColor returns the shade of a colour that fills bands.
func bandColor(c color.NRGBA) color.NRGBA { return mix(c, white, 0.78) }

// box returns the corners of a rectangle.
func box(left, right, bottom, top vg.Length) []vg.Point {
	return []vg.Point{{X: left, Y: bottom}, {X: right, Y: bottom}, {X: right, Y: top}, {X: left, Y: top}}
}

func (p *painter) grid() {
	style := draw.LineStyle{Color: gridGrey, Width: gridWidth}
	for _, t := range p.x.ticks {
		if t.label != "" {
			x := p.x.at(t.value)
			p.axes.StrokeLine2(style, x, p.y.from, x, p.y.to)
		}
	}
	for _, t := range p.y.ticks {
		if t.label != "" {
			y := p.y.at(t.value)
			p.axes.StrokeLine2(style, p.x.from, y, p.x.to, y)
		}
	}
}

func (p *painter) axisLines() {
	style := draw.LineStyle{Color: ink, Width: axisWidth}
	p.page.StrokeLines(style, []vg.Point{
		{X: p.x.from, Y: p.y.to}, {X: p.x.from, Y: p.y.from}, {X: p.x.to, Y: p.y.from},
	})
	for _, t := range p.x.ticks {
		x := p.x.at(t.value)
		p.page.StrokeLine2(style, x, p.y.from, x, p.y.from-t.length())
	}
	for _, t := range p.y.ticks {
		y := p.y.at(t.value)
		p.page.StrokeLine2(style, p.x.from, y, p.x.from-t.length(), y)
	}
}

func (t tick) length() vg.Length {
	if t.label == "" {
		return minorLength
	}
	return tickLength
}

// labels draws all text and the legend.
func (p *painter) labels() {
	const height = tickSize * capHeight
	for _, t := range p.x.ticks {
		line := p.types.mustSet(t.label, tickSize)
		at := vg.Point{X: p.x.at(t.value), Y: p.y.from - tickLength - tickGap}
		if p.upright {
			p.page.SetColor(ink)
			line.drawUpwards(p.page, vg.Point{X: at.X + height/2, Y: at.Y - line.width/2})
			continue
		}
		p.text(line, vg.Point{X: at.X, Y: at.Y - height}, alignCenter)
	}
	for _, t := range p.y.ticks {
		at := vg.Point{X: p.x.from - tickLength - tickGap, Y: p.y.at(t.value) - height/2}
		p.text(p.types.mustSet(t.label, tickSize), at, alignRight)
	}
	p.text(p.xLabel, vg.Point{X: p.middleBeside(p.xLabel.width, p.x, p.width), Y: margin + descent*labelSize}, alignCenter)
	p.page.SetColor(ink)
	p.yLabel.drawUpwards(p.page, vg.Point{X: margin + capHeight*labelSize, Y: p.middleBeside(p.yLabel.width, p.y, p.axesHeight)})

	top := p.height
	if p.figure.Title != "" {
		p.text(p.title, vg.Point{X: p.middleBeside(p.title.width, p.x, p.width), Y: top - margin - capHeight*titleSize}, alignCenter)
		top -= titleSize + titleGap
	}
	// The legend begins with the axis if it can.
	left := max(margin, min(p.x.from, p.width-margin-p.legend.width))
	p.legend.draw(p, vg.Point{X: left, Y: top - margin/2})
}

// middleBeside returns the middle of a text: the middle of the axis, or as near as the page
// allows.
func (p *painter) middleBeside(extent vg.Length, axis scale, page vg.Length) vg.Length {
	middle := (axis.from + axis.to) / 2
	return max(margin+extent/2, min(page-margin-extent/2, middle))
}

package plots

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bullring/plots/internal/page"
)

// A painter draws a layout on a canvas.
type painter struct {
	*layout
	page draw.Canvas
	axes draw.Canvas // the area of the data
}

// painter returns the painter of the layout on a canvas.
func (l *layout) painter(c vg.Canvas) *painter {
	return &painter{layout: l, page: draw.NewCanvas(c, l.width, l.height), axes: draw.Canvas{Canvas: c, Rectangle: vg.Rectangle{
		Min: vg.Point{X: l.x.From, Y: l.y.From},
		Max: vg.Point{X: l.x.To, Y: l.y.To},
	}}}
}

// paint draws a figure that stands alone.
func (l *layout) paint(c vg.Canvas) {
	p := l.painter(c)
	p.clear()
	p.endLabels()
	p.plot()
	p.head()
}

// clear makes the page white.
func (p *painter) clear() {
	p.page.SetColor(page.White)
	p.page.Fill(p.page.Rectangle.Path())
}

// plot draws marks and axes.
func (p *painter) plot() {
	for at := range pass(passes) {
		switch {
		case at == passGrid && p.filler == nil:
			p.grid()
		case at == passAxes:
			p.axisLines()
		}
		for _, m := range p.marks {
			m.draw(p, at)
		}
	}
	if !p.bareX {
		p.xTickLabels()
	}
	if !p.bareY {
		p.yTickLabels()
	}
	p.text(p.xLabel, vg.Point{X: p.middleBeside(p.xLabel.Width, p.x, p.width), Y: page.Margin + page.Descent*page.LabelSize}, page.AlignCenter)
	p.page.SetColor(page.Ink)
	p.yLabel.DrawUpwards(p.page, vg.Point{X: page.Margin + page.CapHeight*page.LabelSize, Y: p.middleBeside(p.yLabel.Width, p.y, p.axesHeight)})
}

// text draws a line of text in black.
func (p *painter) text(line page.TextLine, at vg.Point, align float64) {
	p.page.SetColor(page.Ink)
	line.Draw(p.page, at, align)
}

// at returns the position of a value.
func (p *painter) at(x, y float64) vg.Point { return vg.Point{X: p.x.At(x), Y: p.y.At(y)} }

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
		edge := draw.LineStyle{Color: page.Mix(col, page.White, 0.5), Width: page.GridWidth}
		p.line(edge, high)
		p.line(edge, low)
	}
}

// bandColor returns the shade of a colour that fills bands.
func bandColor(c color.NRGBA) color.NRGBA { return page.Mix(c, page.White, 0.78) }

func (p *painter) grid() {
	style := draw.LineStyle{Color: page.GridGrey, Width: page.GridWidth}
	for _, t := range p.x.Ticks {
		if t.Label != "" {
			x := p.x.At(t.Value)
			p.axes.StrokeLine2(style, x, p.y.From, x, p.y.To)
		}
	}
	for _, t := range p.y.Ticks {
		if t.Label != "" {
			y := p.y.At(t.Value)
			p.axes.StrokeLine2(style, p.x.From, y, p.x.To, y)
		}
	}
}

func (p *painter) axisLines() {
	style := draw.LineStyle{Color: page.Ink, Width: page.AxisWidth}
	p.page.StrokeLines(style, []vg.Point{
		{X: p.x.From, Y: p.y.To}, {X: p.x.From, Y: p.y.From}, {X: p.x.To, Y: p.y.From},
	})
	for _, t := range p.x.Ticks {
		x := p.x.At(t.Value)
		p.page.StrokeLine2(style, x, p.y.From, x, p.y.From-t.Length())
	}
	for _, t := range p.y.Ticks {
		y := p.y.At(t.Value)
		p.page.StrokeLine2(style, p.x.From, y, p.x.From-t.Length(), y)
	}
}

func (p *painter) xTickLabels() {
	const height = page.TickSize * page.CapHeight
	for _, t := range p.x.Ticks {
		line := p.types.MustSet(t.Label, page.TickSize)
		at := vg.Point{X: p.x.At(t.Value), Y: p.y.From - page.TickLength - page.TickGap}
		if p.upright {
			p.page.SetColor(page.Ink)
			line.DrawUpwards(p.page, vg.Point{X: at.X + height/2, Y: at.Y - line.Width/2})
			continue
		}
		p.text(line, vg.Point{X: at.X, Y: at.Y - height}, page.AlignCenter)
	}
}

func (p *painter) yTickLabels() {
	const height = page.TickSize * page.CapHeight
	for _, t := range p.y.Ticks {
		at := vg.Point{X: p.x.From - page.TickLength - page.TickGap, Y: p.y.At(t.Value) - height/2}
		p.text(p.types.MustSet(t.Label, page.TickSize), at, page.AlignRight)
	}
}

// head draws the title and the legend.
func (p *painter) head() {
	top := p.height
	if p.figure.Title != "" {
		p.text(p.title, vg.Point{X: p.middleBeside(p.title.Width, p.x, p.width), Y: top - page.Margin - page.CapHeight*page.TitleSize}, page.AlignCenter)
		top -= page.TitleSize + page.TitleGap
	}
	p.legend.draw(p, vg.Point{X: p.besideAxes(p.legend.width), Y: top - page.Margin/2})
}

// besideAxes returns the left end of a text above the axes: it begins with the axes if it can.
func (l *layout) besideAxes(extent vg.Length) vg.Length {
	return max(page.Margin, min(l.x.From, l.width-page.Margin-extent))
}

// middleBeside returns the middle of a text: the middle of the axis, or as near as the page
// allows.
func (l *layout) middleBeside(extent vg.Length, axis page.Scale, size vg.Length) vg.Length {
	middle := (axis.From + axis.To) / 2
	return max(page.Margin+extent/2, min(size-page.Margin-extent/2, middle))
}

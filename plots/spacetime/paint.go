package spacetime

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bullring/plots/internal/page"
)

// Widths of the lines of a diagram in points.
const (
	laneWidth   = vg.Length(0.8)
	downWidth   = vg.Length(0.6)
	periodWidth = vg.Length(0.5)
	lostWidth   = vg.Length(1.1)
	crashWidth  = vg.Length(1.5)
)

// signNames name the signs.
var signNames = [shapes]string{Delivery: "delivery", Start: "start", Timeout: "timeout", Crash: "crash", Restart: "restart"}

// draw draws the layout from the back to the front.
func (l *diagramLayout) draw(p pen) {
	p.fill(page.White, page.Box(0, l.width, 0, l.height)...)
	l.shadePeriods(p)
	l.drawAxis(p)
	l.drawPeriods(p)
	l.drawBands(p)
	l.drawLanes(p)
	for _, m := range l.marks {
		m.draw(p)
	}
	for _, pale := range []bool{true, false} {
		for _, f := range l.flights {
			if f.Faded == pale {
				f.draw(p)
			}
		}
		for _, t := range l.tags {
			if t.pale == pale {
				t.draw(p)
			}
		}
	}
	for _, pale := range []bool{true, false} {
		for _, s := range l.Signs {
			if s.Faded == pale {
				l.drawSign(p, s)
			}
		}
	}
	for _, w := range l.labels {
		p.words(w)
	}
	l.drawLegend(p)
}

// shadePeriods shades the periods, the darker the more of them overlap.
func (l *diagramLayout) shadePeriods(p pen) {
	var edges []float64
	for _, s := range l.Periods {
		edges = append(edges, s.From, s.To)
	}
	slices.Sort(edges)
	for i := range edges {
		if i == 0 || edges[i] == edges[i-1] {
			continue
		}
		depth := 0
		for _, s := range l.Periods {
			if s.From <= edges[i-1] && edges[i] <= s.To {
				depth++
			}
		}
		if depth > 0 {
			p.fill(periodFill(depth), page.Box(l.axis.At(edges[i-1]), l.axis.At(edges[i]), l.bottom, l.top)...)
		}
	}
}

// drawPeriods draws the lines at the ends of the periods, and their labels, each above a line
// as long as the period.
func (l *diagramLayout) drawPeriods(p pen) {
	style := draw.LineStyle{Color: periodEdge, Width: periodWidth, Dashes: []vg.Length{2, 1.6}}
	rise := func(i int) vg.Length { return l.top + periodRow*vg.Length(max(0, l.rows[i])) + 1 }
	for i, s := range l.Periods {
		for _, end := range []float64{s.From, s.To} {
			if end == s.From || end < 1 {
				x := l.axis.At(end)
				p.stroke(style, vg.Point{X: x, Y: l.bottom}, vg.Point{X: x, Y: rise(i)})
			}
		}
	}
	for i, row := range l.rows {
		if row >= 0 {
			w := l.periodLabel(i)
			w.at.Y += periodRow * vg.Length(row)
			w.halo = true
			p.words(w)
		}
	}
	for i, s := range l.Periods {
		if s.To > s.From && l.rows[i] >= 0 {
			y := rise(i)
			p.stroke(draw.LineStyle{Color: periodEdge, Width: 2 * periodWidth}, vg.Point{X: l.axis.At(s.From), Y: y}, vg.Point{X: l.axis.At(s.To), Y: y})
		}
	}
}

// drawAxis draws the ticks, with a line through all lanes at each, and the label.
func (l *diagramLayout) drawAxis(p pen) {
	base := l.bottom - page.TickGap - page.TickSize*page.CapHeight
	for _, t := range l.numbers.Ticks {
		if t.Label == "" {
			continue
		}
		x := l.numbers.At(t.Value)
		p.stroke(draw.LineStyle{Color: page.GridGrey, Width: page.GridWidth}, vg.Point{X: x, Y: l.bottom}, vg.Point{X: x, Y: l.top})
		w := l.words(t.Label, page.TickSize, page.Ink)
		w.at = vg.Point{X: min(x, l.width-page.Margin-w.line.Width/2), Y: base}
		p.words(w)
	}
	w := l.words(l.Axis, page.LabelSize, page.Ink)
	w.at = vg.Point{X: (l.axis.From + l.axis.To) / 2, Y: page.Margin + page.Descent*page.LabelSize}
	p.words(w)
}

func (l *diagramLayout) drawLanes(p pen) {
	left, right := l.axis.From-laneEnd, l.axis.To+laneEnd
	for i, lane := range l.Lanes {
		p.words(l.laneLabel(i))
		y := l.lane(i)
		line := func(style draw.LineStyle, from, to vg.Length) {
			if to > from {
				p.stroke(style, vg.Point{X: from, Y: y}, vg.Point{X: to, Y: y})
			}
		}
		at := left
		for _, s := range lane.Down {
			from, to := l.axis.At(s.From), l.axis.At(s.To)
			if s.To == 1 {
				to = right
			}
			line(draw.LineStyle{Color: page.DotGrey, Width: laneWidth}, at, from)
			line(draw.LineStyle{Color: page.DotGrey, Width: downWidth, Dashes: []vg.Length{0.8, 2.4}}, from, to)
			at = to
		}
		line(draw.LineStyle{Color: page.DotGrey, Width: laneWidth}, at, right)
	}
}

// draw draws an arrow.
func (f flight) draw(p pen) {
	style, c, bad := kindStyle(f.Kind), kindColor(f.Kind), page.Red
	if f.Faded {
		c, bad = faded(c), faded(bad)
	}
	style.Color = c
	tip := f.path[len(f.path)-1]
	if f.crossed() {
		style.Dashes = lostDashes
	}
	switch f.Fate {
	case Unheard, Vanished:
		p.stroke(style, f.path...)
		cross(p, tip, crossRadius, lostWidth, bad)
		return
	case Underway:
		p.stroke(style, f.path...)
		return
	}
	along := direction(f.path[len(f.path)-2], tip)
	across := vg.Point{X: -along.Y, Y: along.X}.Scale(headWidth / 2)
	foot := tip.Sub(along.Scale(headLength))
	shaft := slices.Clone(f.path)
	shaft[len(shaft)-1] = tip.Sub(along.Scale(headLength / 2))
	p.stroke(style, shaft...)
	p.fill(c, tip, foot.Add(across), foot.Sub(across))
}

// cross draws a saltire.
func cross(p pen, at vg.Point, radius, width vg.Length, c color.NRGBA) {
	style := draw.LineStyle{Color: c, Width: width}
	p.stroke(style, at.Add(vg.Point{X: -radius, Y: -radius}), at.Add(vg.Point{X: radius, Y: radius}))
	p.stroke(style, at.Add(vg.Point{X: -radius, Y: radius}), at.Add(vg.Point{X: radius, Y: -radius}))
}

// signColor is the colour of a shape.
func signColor(s Shape) color.NRGBA {
	switch s {
	case Timeout:
		return page.Mix(page.Orange, page.Ink, 0.1)
	case Crash:
		return page.Red
	}
	return page.Ink
}

func (l *diagramLayout) drawSign(p pen, s Sign) {
	at, c := l.spot(s.Spot), signColor(s.Shape)
	if s.Faded {
		c = faded(c)
	}
	if s.Marked {
		p.disc(page.Red, at, signRoom+ringWidth)
		p.disc(page.White, at, signRoom+ringWidth-1)
	}
	drawShape(p, s.Shape, at, c)
}

// drawShape draws the shape of a sign.
func drawShape(p pen, s Shape, at vg.Point, c color.NRGBA) {
	const r = signRadius
	corners := func(points ...vg.Point) []vg.Point {
		for i := range points {
			points[i] = points[i].Add(at)
		}
		return points
	}
	switch s {
	case Start:
		p.fill(c, corners(vg.Point{X: -0.8 * r, Y: -r}, vg.Point{X: r}, vg.Point{X: -0.8 * r, Y: r})...)
	case Restart:
		p.fill(c, corners(vg.Point{X: -0.9 * r, Y: -1.1 * r}, vg.Point{X: 1.15 * r}, vg.Point{X: -0.9 * r, Y: 1.1 * r})...)
		p.fill(page.White, corners(vg.Point{X: -0.6 * r, Y: -0.6 * r}, vg.Point{X: 0.5 * r}, vg.Point{X: -0.6 * r, Y: 0.6 * r})...)
	case Timeout:
		p.fill(c, corners(vg.Point{Y: 1.1 * r}, vg.Point{X: 0.95 * r}, vg.Point{Y: -1.1 * r}, vg.Point{X: -0.95 * r})...)
	case Crash:
		cross(p, at, r, crashWidth, c)
	default:
		p.disc(c, at, 1.7)
	}
}

func (l *diagramLayout) drawLegend(p pen) {
	top := l.height - page.Margin
	if l.Title != "" {
		w := l.words(l.Title, page.TitleSize, page.Ink)
		half := w.line.Width / 2
		middle := (l.axis.From + l.axis.To) / 2
		w.at = vg.Point{X: max(page.Margin+half, min(l.width-page.Margin-half, middle)), Y: top - page.CapHeight*page.TitleSize}
		p.words(w)
		top -= page.TitleSize + page.TitleGap
	}
	for _, e := range l.legend {
		y := top - (vg.Length(e.row)+0.5)*page.LegendRow
		e.sample(p, e.x, y)
		e.label.at = vg.Point{X: e.x + e.width() - e.label.line.Width/2, Y: y - page.CapHeight*page.LegendSize/2}
		p.words(e.label)
	}
}

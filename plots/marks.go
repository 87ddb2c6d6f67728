package plots

import (
	"image/color"
	"math"
	"slices"

	"bullring/plots/looks"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Widths of the lines and sizes of the markers in points.
const (
	seriesWidth   = vg.Length(1)
	curveWidth    = vg.Length(0.9)
	intervalWidth = vg.Length(0.6)
	markerRadius  = vg.Length(1.75)
	capWidth      = vg.Length(3.2) // of an error bar
	dotRadius     = vg.Length(0.8) // of a scatter's points
	openRadius    = vg.Length(3)
	openWidth     = vg.Length(0.8)
	filledRadius  = vg.Length(2.2)
)

const (
	// maxErrorBars is the number of points up to which intervals are error bars.
	maxErrorBars = 15
	// markerDistance is the least distance of two markers of a series in points:
	// a line of a thousand points has a few dozen.
	markerDistance = vg.Length(9)
)

// banded reports whether a series shows its intervals as a band.
func banded(s Series) bool { return len(s.Points) > maxErrorBars && hasIntervals(s) }

func hasIntervals(s Series) bool { return slices.ContainsFunc(s.Points, Point.hasInterval) }

// bands fills the intervals of long series: pale and opaque, since PDF readers
// and printers disagree about transparency, with an edge that stays visible
// where bands overlap.
func (p *painter) bands() {
	for i, s := range p.figure.Series {
		if banded(s) {
			p.axes.FillPolygon(bandColor(p.styles.series[i].color), p.axes.ClipPolygonXY(p.band(s)))
		}
	}
	for i, s := range p.figure.Series {
		if banded(s) {
			edge := draw.LineStyle{Color: mix(p.styles.series[i].color, white, 0.5), Width: gridWidth}
			outline := p.band(s)
			half := len(outline) / 2
			p.line(edge, outline[:half])
			p.line(edge, outline[half:])
		}
	}
}

// bandColor and barColor return the shades of a colour that fill areas.
func bandColor(c color.NRGBA) color.NRGBA { return mix(c, white, 0.78) }
func barColor(c color.NRGBA) color.NRGBA  { return mix(c, white, 0.62) }

// band returns the outline of a series' intervals: along the upper ends and
// back along the lower ones.
func (p *painter) band(s Series) []vg.Point {
	n := len(s.Points)
	outline := make([]vg.Point, 2*n)
	for i, point := range s.Points {
		low, high := point.YLow, point.YHigh
		if !point.hasInterval() {
			low, high = point.Y, point.Y
		}
		outline[i] = p.at(point.X, high)
		outline[2*n-1-i] = p.at(point.X, low)
	}
	return outline
}

// histograms fills the bars and then draws the outlines, so that the outlines of hidden
// bars are visible.
func (p *painter) histograms() {
	for i, h := range p.figure.Histograms {
		outline := p.steps(h)
		p.axes.FillPolygon(barColor(p.styles.histograms[i]), p.axes.ClipPolygonXY(outline))
	}
	for i, h := range p.figure.Histograms {
		p.line(p.barEdge(i), p.steps(h))
	}
}

// barEdge returns the outline of a histogram. Of several histograms each has shorter
// dashes than the previous one, so that all are visible where they coincide.
func (l *layout) barEdge(i int) draw.LineStyle {
	style := draw.LineStyle{Color: l.styles.histograms[i], Width: intervalWidth}
	const period = vg.Length(6)
	if n := len(l.styles.histograms); i > 0 {
		on := period * vg.Length(n-i) / vg.Length(n)
		style.Dashes = []vg.Length{on, period - on}
	}
	return style
}

// steps returns the outline of a histogram from its left foot to its right foot.
func (p *painter) steps(h Histogram) []vg.Point {
	foot := p.y.from
	if !p.y.log {
		foot = p.y.at(0)
	}
	outline := []vg.Point{{X: p.x.at(h.Edges[0]), Y: foot}}
	for i, v := range h.Values {
		top := foot
		if v > 0 {
			top = p.y.at(v)
		}
		outline = append(outline,
			vg.Point{X: p.x.at(h.Edges[i]), Y: top},
			vg.Point{X: p.x.at(h.Edges[i+1]), Y: top})
	}
	return append(outline, vg.Point{X: p.x.at(h.Edges[len(h.Edges)-1]), Y: foot})
}

func (p *painter) references() {
	for i, r := range p.figure.References {
		x := p.x.at(r.X)
		p.line(p.styles.references[i], []vg.Point{{X: x, Y: p.y.from}, {X: x, Y: p.y.to}})
	}
}

func (p *painter) seriesLines() {
	for i, s := range p.figure.Series {
		style := draw.LineStyle{Color: p.styles.series[i].color, Width: seriesWidth}
		p.line(style, places(s.Points, func(q Point) vg.Point { return p.at(q.X, q.Y) }))
	}
}

func (p *painter) curves() {
	for i, c := range p.figure.Curves {
		p.line(p.styles.curves[i], places(c.Points, func(q XY) vg.Point { return p.at(q.X, q.Y) }))
	}
}

// places returns the places of points on the page.
func places[P any](points []P, at func(P) vg.Point) []vg.Point {
	all := make([]vg.Point, len(points))
	for i, q := range points {
		all[i] = at(q)
	}
	return all
}

func (p *painter) errorBars() {
	for i, s := range p.figure.Series {
		if banded(s) {
			continue
		}
		for _, point := range s.Points {
			x := p.x.at(point.X)
			if point.hasInterval() && p.axes.ContainsX(x) {
				errorBar(p.axes, p.styles.series[i].color, x, p.y.at(point.YLow), p.y.at(point.YHigh))
			}
		}
	}
}

// errorBar draws an interval with caps, clipped at the lower and the upper edge of the
// canvas.
func errorBar(c draw.Canvas, col color.Color, x, low, high vg.Length) {
	left, right := x-capWidth/2, x+capWidth/2
	c.StrokeLines(draw.LineStyle{Color: col, Width: intervalWidth}, c.ClipLinesY(
		[]vg.Point{{X: x, Y: low}, {X: x, Y: high}},
		[]vg.Point{{X: left, Y: low}, {X: right, Y: low}},
		[]vg.Point{{X: left, Y: high}, {X: right, Y: high}},
	)...)
}

func (p *painter) markers() {
	for i, s := range p.figure.Series {
		st := p.styles.series[i]
		last := vg.Point{X: vg.Length(math.Inf(-1))}
		for _, point := range s.Points {
			at := p.at(point.X, point.Y)
			if len(s.Points) > maxErrorBars && distance(at, last) < markerDistance {
				continue
			}
			last = at
			if p.axes.Contains(at) {
				drawMarker(p.axes, st.marker, at, markerRadius, st.color)
			}
		}
	}
}

func (p *painter) scatters() {
	for i, s := range p.figure.Scatters {
		for _, point := range s.Points {
			if at := p.at(point.X, point.Y); p.axes.Contains(at) {
				s.Mark.draw(p.axes, at, p.styles.scatters[i])
			}
		}
	}
}

// draw draws the mark in a colour.
func (m Mark) draw(c draw.Canvas, at vg.Point, col color.NRGBA) {
	switch m {
	case Dot:
		c.SetColor(col)
		c.Fill(circlePath(at, dotRadius))
	case Open:
		c.SetLineStyle(draw.LineStyle{Color: col, Width: openWidth})
		c.Stroke(circlePath(at, openRadius))
	default:
		drawMarker(c, looks.Circle, at, filledRadius, col)
	}
}

func distance(a, b vg.Point) vg.Length {
	return vg.Length(math.Hypot(float64(a.X-b.X), float64(a.Y-b.Y)))
}

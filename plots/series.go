package plots

import (
	"errors"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bullring/plots/internal/page"
	"bullring/plots/looks"
)

// A Series is a measurement: markers joined by a solid line. Series that hide one another are
// drawn side by side: see [SideBySide].
type Series struct {
	// Label is the entry in the legend; without one there is no entry.
	Label string

	// Key chooses the colour: equal keys have equal colours in all figures.
	// Only letters and digits count, in either case: "Chang-Roberts" is
	// "changroberts". Without a key the label is the key.
	//
	// A key of [Figure].Looks has the look given there. Another key has the
	// colour of its hash. If the figure already uses that colour for another key,
	// either has the next free one.
	Key string

	// Points must be in ascending order of X.
	Points []Point
}

// A Point is one measured value.
type Point struct {
	X, Y float64

	// YLow and YHigh are the ends of an interval around Y, such as a confidence
	// interval of the mean; both zero means that there is none. Up to 15 points
	// show it as error bars, more as a band.
	YLow, YHigh float64
}

// hasInterval reports whether p comes with an interval.
func (p Point) hasInterval() bool { return p.YLow != 0 || p.YHigh != 0 }

func (s *Series) hasIntervals() bool { return slices.ContainsFunc(s.Points, Point.hasInterval) }

// banded reports whether the series shows its intervals as a band.
func (s *Series) banded() bool { return len(s.Points) > maxErrorBars && s.hasIntervals() }

func (s *Series) about() about {
	return about{kind: "series", label: s.Label, key: keyOf(s.Key, s.Label)}
}

func (s *Series) check(to *mistakes, name string) {
	if len(s.Points) == 0 {
		to.add(name, errors.New("no points"))
	}
	previous := math.Inf(-1)
	to.add(name, acceptAll(s.Points, func(p Point) error {
		err := to.figure.acceptPoint(p.X, p.Y, previous)
		if err == nil && p.hasInterval() {
			err = to.figure.acceptInterval(p.YLow, p.YHigh)
		}
		previous = p.X
		return err
	}))
}

func (s *Series) span(_ *Figure, x, y *span) {
	for _, p := range s.Points {
		x.add(p.X)
		y.add(p.Y)
		if p.hasInterval() {
			y.add(p.YLow)
			y.add(p.YHigh)
		}
	}
}

func (s *Series) rows(t *table) {
	for _, p := range s.Points {
		interval := []string{"", ""}
		if p.hasInterval() {
			interval = []string{page.Number(p.YLow), page.Number(p.YHigh)}
		}
		t.add("series", s.Label, s.Key, t.x(p.X), "", page.Number(p.Y), interval[0], interval[1])
	}
}

func (s *Series) style(f *Figure, looks *looker) styled {
	look := looks.look(keyOf(s.Key, s.Label))
	return &styledSeries{s, palette[look.Colour], look.Marker, berthOf(f, s)}
}

// Widths of the lines and sizes of the markers in points.
const (
	seriesWidth   = vg.Length(1)
	intervalWidth = vg.Length(0.6)
	markerRadius  = vg.Length(1.75)
	capWidth      = vg.Length(3.2) // of an error bar
)

const (
	// maxErrorBars is the number of points up to which intervals are error bars.
	maxErrorBars = 15
	// markerDistance is the least distance of two markers of a series in points:
	// a line of a thousand points has a few dozen.
	markerDistance = vg.Length(9)
)

type styledSeries struct {
	*Series
	color  color.NRGBA
	marker looks.Marker
	berth  berth
}

// at returns where a value at the x of a point is drawn.
func (s *styledSeries) at(p *painter, x, y float64) vg.Point {
	at := p.at(x, y)
	at.X += s.berth.shift(p, x)
	return at
}

func (s *styledSeries) draw(p *painter, at pass) {
	switch at {
	case passBands, passBandEdges:
		if s.banded() {
			high := s.ends(p, func(q Point) float64 { return q.YHigh })
			low := s.ends(p, func(q Point) float64 { return q.YLow })
			p.band(at, s.color, high, low)
		}
	case passLines:
		style := draw.LineStyle{Color: s.color, Width: seriesWidth}
		p.line(style, places(s.Points, func(q Point) vg.Point { return s.at(p, q.X, q.Y) }))
	case passErrorBars:
		if !s.banded() {
			s.errorBars(p)
		}
	case passMarkers:
		s.markers(p)
	}
}

// ends returns the places of one end of all intervals. A point without an interval is its own.
func (s *styledSeries) ends(p *painter, end func(Point) float64) []vg.Point {
	return places(s.Points, func(q Point) vg.Point {
		if !q.hasInterval() {
			return p.at(q.X, q.Y)
		}
		return p.at(q.X, end(q))
	})
}

func (s *styledSeries) errorBars(p *painter) {
	for _, point := range s.Points {
		if point.hasInterval() && p.axes.ContainsX(p.x.At(point.X)) {
			errorBar(p.axes, s.color, s.at(p, point.X, point.Y).X, p.y.At(point.YLow), p.y.At(point.YHigh))
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

func (s *styledSeries) markers(p *painter) {
	last := vg.Point{X: vg.Length(math.Inf(-1))}
	for _, point := range s.Points {
		at := s.at(p, point.X, point.Y)
		if len(s.Points) > maxErrorBars && distance(at, last) < markerDistance {
			continue
		}
		last = at
		if p.axes.Contains(at) {
			drawMarker(p.axes, s.marker, at, markerRadius, s.color)
		}
	}
}

func distance(a, b vg.Point) vg.Length {
	return vg.Length(math.Hypot(float64(a.X-b.X), float64(a.Y-b.Y)))
}

func (s *styledSeries) sample(p *painter, x, y vg.Length) {
	middle := x + page.SampleWidth/2
	const half = page.LegendRow * 0.34
	switch {
	case s.banded():
		p.page.FillPolygon(bandColor(s.color), page.Box(x, x+page.SampleWidth, y-half, y+half))
	case s.hasIntervals():
		errorBar(p.page, s.color, middle, y-half, y+half)
	}
	p.page.StrokeLine2(draw.LineStyle{Color: s.color, Width: seriesWidth}, x, y, x+page.SampleWidth, y)
	drawMarker(p.page, s.marker, vg.Point{X: middle, Y: y}, markerRadius, s.color)
}

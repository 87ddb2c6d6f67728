package plots

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bullring/plots/internal/page"
	"bullring/plots/looks"
)

// An ECDF is an empirical distribution function: over each x, the share of a sample that is
// x or less. It is a line in steps, with a band around it.
type ECDF struct {
	Label string // as in Series
	Key   string // as in Series

	// Steps must be in ascending order of X, and P must not fall. Left of the first step the
	// function is 0. From the last step on it keeps its value, which is below 1 if some
	// values are unknown but large. A first step with P 0 gives the band left of the sample.
	Steps []Step
}

// A Step is the value of a distribution function from X up to the next step.
type Step struct {
	X, P float64

	// Low and High are the ends of the band, which the caller computes, between 0 and 1; both
	// zero means that there is none.
	Low, High float64
}

// hasBand reports whether s comes with a band.
func (s Step) hasBand() bool { return s.Low != 0 || s.High != 0 }

func (e *ECDF) hasBands() bool { return slices.ContainsFunc(e.Steps, Step.hasBand) }

func (e *ECDF) about() about {
	return about{kind: "ecdf", label: e.Label, key: keyOf(e.Key, e.Label)}
}

func (e *ECDF) check(to *mistakes, name string) {
	switch {
	case len(e.Steps) == 0:
		to.add(name, errors.New("no steps"))
		return
	case to.figure.Y.Log:
		to.add(name, errors.New("a distribution function begins at 0; the y axis is logarithmic"))
		return
	}
	previous := Step{X: math.Inf(-1)}
	for i, s := range e.Steps {
		if err := s.mistake(to.figure, previous); err != nil {
			to.add(name, fmt.Errorf("step %d: %w", i, err))
			return
		}
		previous = s
	}
}

func (s Step) mistake(f *Figure, previous Step) error {
	if err := f.acceptPoint(s.X, s.P, previous.X); err != nil {
		return err
	}
	switch {
	case s.P < previous.P:
		return fmt.Errorf("share P is %v after %v; it must not fall", s.P, previous.P)
	case s.P < 0 || s.P > 1:
		return fmt.Errorf("share P is %v; it is between 0 and 1", s.P)
	case s.hasBand() && !(0 <= s.Low && s.Low <= s.P && s.P <= s.High && s.High <= 1):
		return fmt.Errorf("band from %v to %v around %v; it must lie between 0 and 1", s.Low, s.High, s.P)
	}
	return nil
}

func (e *ECDF) span(_ *Figure, x, y *span) {
	for _, s := range e.Steps {
		x.add(s.X)
	}
	y.add(0)
	y.add(1)
}

func (e *ECDF) rows(t *table) {
	for _, s := range e.Steps {
		row := []string{t.x(s.X), "", page.Number(s.P)}
		if s.hasBand() {
			row = append(row, page.Number(s.Low), page.Number(s.High))
		}
		t.add("ecdf", e.Label, e.Key, row[0], row[1:]...)
	}
}

func (e *ECDF) style(_ *Figure, l *looker) styled {
	look := l.look(keyOf(e.Key, e.Label))
	return &styledECDF{e, palette[look.Colour], look.Marker}
}

// stepMarkers is the least distance of two markers on a distribution function in points: they
// only tell the lines apart.
const stepMarkers = vg.Length(32)

type styledECDF struct {
	*ECDF
	color  color.NRGBA
	marker looks.Marker
}

func (e *styledECDF) draw(p *painter, at pass) {
	switch at {
	case passBands, passBandEdges:
		if e.hasBands() {
			high := e.line(p, func(s Step) float64 { return max(s.P, s.High) })
			low := e.line(p, func(s Step) float64 {
				if s.hasBand() {
					return s.Low
				}
				return s.P
			})
			p.band(at, e.color, high, low)
		}
	case passLines:
		line := e.line(p, func(s Step) float64 { return s.P })
		p.line(draw.LineStyle{Color: e.color, Width: seriesWidth}, line)
	case passMarkers:
		e.markers(p)
	}
}

// line returns a line in steps at the given heights, from one end of the axis to the other.
func (e *styledECDF) line(p *painter, height func(Step) float64) []vg.Point {
	y := p.y.At(0)
	if first := e.Steps[0]; first.P == 0 {
		y = p.y.At(height(first))
	}
	line := []vg.Point{{X: min(p.x.From, p.x.At(e.Steps[0].X)), Y: y}}
	for _, s := range e.Steps {
		x := p.x.At(s.X)
		line = append(line, vg.Point{X: x, Y: y})
		y = p.y.At(height(s))
		line = append(line, vg.Point{X: x, Y: y})
	}
	return append(line, vg.Point{X: max(p.x.To, line[len(line)-1].X), Y: y})
}

func (e *styledECDF) markers(p *painter) {
	last := p.at(e.Steps[0].X, 0)
	for _, s := range e.Steps {
		if at := p.at(s.X, s.P); p.axes.Contains(at) && distance(at, last) >= stepMarkers {
			drawMarker(p.axes, e.marker, at, markerRadius, e.color)
			last = at
		}
	}
}

func (e *styledECDF) sample(p *painter, x, y vg.Length) {
	if e.hasBands() {
		const half = page.LegendRow * 0.34
		p.page.FillPolygon(bandColor(e.color), page.Box(x, x+page.SampleWidth, y-half, y+half))
	}
	p.page.StrokeLine2(draw.LineStyle{Color: e.color, Width: seriesWidth}, x, y, x+page.SampleWidth, y)
	drawMarker(p.page, e.marker, vg.Point{X: x + page.SampleWidth/2, Y: y}, markerRadius, e.color)
}

package plots

import (
	"errors"
	"fmt"
	"image/color"
	"math"

	"bullring/plots/looks"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bullring/plots/internal/page"
)

// A Scatter is points without a line, such as places in a plane. Each scatter of a figure is
// drawn on top of those before it.
type Scatter struct {
	Label  string // as in Series
	Key    string // as in Curve; dots are grey all the same
	Symbol Symbol
	Points []XY // in any order
}

// A Symbol is the shape of the points of a Scatter.
type Symbol int

// The symbols, from the least to the most important.
const (
	Dot    Symbol = iota // small and grey
	Open                 // a circle that shows what lies under it
	Filled               // a disc
)

// Sizes of the symbols in points.
const (
	dotRadius    = vg.Length(0.8)
	openRadius   = vg.Length(3)
	openWidth    = vg.Length(0.8)
	filledRadius = vg.Length(2.2)
)

// draw draws the symbol in a colour.
func (s Symbol) draw(c draw.Canvas, at vg.Point, col color.NRGBA) {
	switch s {
	case Dot:
		c.SetColor(col)
		c.Fill(page.CirclePath(at, dotRadius))
	case Open:
		c.SetLineStyle(draw.LineStyle{Color: col, Width: openWidth})
		c.Stroke(page.CirclePath(at, openRadius))
	default:
		drawMarker(c, looks.Circle, at, filledRadius, col)
	}
}

func (s *Scatter) about() about { return about{kind: "scatter", label: s.Label, key: s.Key} }

func (s *Scatter) check(to *mistakes, name string) {
	switch {
	case s.Symbol < Dot || s.Symbol > Filled:
		to.add(name, fmt.Errorf("symbol %d; allowed are %d to %d", s.Symbol, Dot, Filled))
	case len(s.Points) == 0:
		to.add(name, errors.New("no points"))
	default:
		to.add(name, acceptAll(s.Points, func(p XY) error { return to.figure.acceptPoint(p.X, p.Y, math.Inf(-1)) }))
	}
}

func (s *Scatter) span(_ *Figure, x, y *span) {
	for _, p := range s.Points {
		x.add(p.X)
		y.add(p.Y)
	}
}

func (s *Scatter) rows(t *table) {
	for _, p := range s.Points {
		t.add("scatter", s.Label, s.Key, t.x(p.X), "", page.Number(p.Y))
	}
}

func (s *Scatter) style(_ *Figure, looks *looker) styled {
	switch {
	case s.Symbol == Dot:
		return &styledScatter{s, page.DotGrey}
	case normalKey(s.Key) == "":
		return &styledScatter{s, page.Ink}
	}
	return &styledScatter{s, looks.color(s.Key)}
}

type styledScatter struct {
	*Scatter
	color color.NRGBA
}

func (s *styledScatter) draw(p *painter, at pass) {
	if at != passScatters {
		return
	}
	for _, point := range s.Points {
		if at := p.at(point.X, point.Y); p.axes.Contains(at) {
			s.Symbol.draw(p.axes, at, s.color)
		}
	}
}

func (s *styledScatter) sample(p *painter, x, y vg.Length) {
	s.Symbol.draw(p.page, vg.Point{X: x + page.SampleWidth/2, Y: y}, s.color)
}

package plots

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bullring/plots/internal/page"
)

// A Curve is theory: a dashed line. It is drawn above the lines of the series
// and below their markers, so that both show where they coincide.
type Curve struct {
	// Label is the entry in the legend; without one there is no entry.
	Label string

	// Key is the key of the series that the curve explains: the curve has a shade of
	// its colour. Without a key the curve is black.
	Key string

	// Points are the samples, in ascending order of X. Between them the curve
	// is straight.
	Points []XY
}

// XY is a sample of a curve.
type XY struct{ X, Y float64 }

func (c *Curve) about() about { return about{kind: "curve", label: c.Label, key: c.Key, theory: true} }

func (c *Curve) check(to *mistakes, name string) {
	if len(c.Points) < 2 {
		to.add(name, fmt.Errorf("%d points; a curve needs two", len(c.Points)))
		return
	}
	previous := math.Inf(-1)
	to.add(name, acceptAll(c.Points, func(p XY) error {
		err := to.figure.acceptPoint(p.X, p.Y, previous)
		previous = p.X
		return err
	}))
}

func (c *Curve) span(_ *Figure, x, y *span) {
	for _, p := range c.Points {
		x.add(p.X)
		y.add(p.Y)
	}
}

func (c *Curve) rows(t *table) {
	for _, p := range c.Points {
		t.add("curve", c.Label, c.Key, t.x(p.X), "", page.Number(p.Y))
	}
}

func (c *Curve) style(_ *Figure, looks *looker) styled {
	return &styledCurve{c, looks.theoryLine(c.Key)}
}

type styledCurve struct {
	*Curve
	line draw.LineStyle
}

func (c *styledCurve) draw(p *painter, at pass) {
	if at == passCurves {
		p.line(c.line, places(c.Points, func(q XY) vg.Point { return p.at(q.X, q.Y) }))
	}
}

func (c *styledCurve) sample(p *painter, x, y vg.Length) {
	p.page.StrokeLine2(c.line, x, y, x+page.SampleWidth, y)
}

package plots

import (
	"fmt"
	"image/color"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bullring/plots/internal/page"
)

// A Histogram is a distribution: bars from zero to Values[i] between Edges[i]
// and Edges[i+1]. The values are counts or densities.
type Histogram struct {
	Label  string // as in Series
	Key    string // as in Series
	Edges  []float64
	Values []float64 // one fewer than Edges, none negative
}

func (h *Histogram) about() about {
	return about{kind: "histogram", label: h.Label, key: keyOf(h.Key, h.Label)}
}

func (h *Histogram) check(to *mistakes, name string) { to.add(name, h.mistake(to.figure.X)) }

func (h *Histogram) mistake(x Axis) error {
	if len(h.Values) == 0 || len(h.Edges) != len(h.Values)+1 {
		return fmt.Errorf("%d values between %d edges", len(h.Values), len(h.Edges))
	}
	for i, e := range h.Edges {
		if err := x.accept("edge", e); err != nil {
			return fmt.Errorf("edge %d: %w", i, err)
		}
		if i > 0 && e <= h.Edges[i-1] {
			return fmt.Errorf("edge %d: %v after %v; the edges must ascend", i, e, h.Edges[i-1])
		}
	}
	for i, v := range h.Values {
		if !(v >= 0 && v <= page.Largest) {
			return fmt.Errorf("value %d is %v", i, v)
		}
	}
	return nil
}

func (h *Histogram) span(f *Figure, x, y *span) {
	for _, e := range h.Edges {
		x.add(e)
	}
	for _, v := range h.Values {
		if v > 0 || !f.Y.Log {
			y.add(v)
		}
	}
	if !f.Y.Log {
		y.add(0)
	}
}

func (h *Histogram) rows(t *table) {
	for i, v := range h.Values {
		t.add("histogram", h.Label, h.Key, t.x(h.Edges[i]), t.x(h.Edges[i+1]), page.Number(v))
	}
}

// style chooses shorter dashes for each histogram than for the previous one, so that all are
// visible where they coincide.
func (h *Histogram) style(f *Figure, looks *looker) styled {
	s := &styledHistogram{Histogram: h, color: looks.color(keyOf(h.Key, h.Label))}
	s.edge = draw.LineStyle{Color: s.color, Width: intervalWidth}
	const period = vg.Length(6)
	all := marksOf[*Histogram](f)
	if i, n := slices.Index(all, h), len(all); i > 0 {
		on := period * vg.Length(n-i) / vg.Length(n)
		s.edge.Dashes = []vg.Length{on, period - on}
	}
	return s
}

type styledHistogram struct {
	*Histogram
	color color.NRGBA
	edge  draw.LineStyle
}

// barColor returns the shade of a colour that fills bars and boxes.
func barColor(c color.NRGBA) color.NRGBA { return page.Mix(c, page.White, 0.62) }

func (h *styledHistogram) draw(p *painter, at pass) {
	switch at {
	case passAreas:
		p.axes.FillPolygon(barColor(h.color), p.axes.ClipPolygonXY(h.steps(p)))
	case passOutlines:
		p.line(h.edge, h.steps(p))
	}
}

// steps returns the outline from its left foot to its right foot.
func (h *styledHistogram) steps(p *painter) []vg.Point {
	foot := p.y.From
	if !p.y.Log {
		foot = p.y.At(0)
	}
	outline := []vg.Point{{X: p.x.At(h.Edges[0]), Y: foot}}
	for i, v := range h.Values {
		top := foot
		if v > 0 {
			top = p.y.At(v)
		}
		outline = append(outline,
			vg.Point{X: p.x.At(h.Edges[i]), Y: top},
			vg.Point{X: p.x.At(h.Edges[i+1]), Y: top})
	}
	return append(outline, vg.Point{X: p.x.At(h.Edges[len(h.Edges)-1]), Y: foot})
}

func (h *styledHistogram) sample(p *painter, x, y vg.Length) {
	const half = page.LegendRow * 0.3
	outline := page.Box(x, x+page.SampleWidth, y-half, y+half)
	p.page.FillPolygon(barColor(h.color), outline)
	p.page.StrokeLines(h.edge, append(outline, outline[0]))
}

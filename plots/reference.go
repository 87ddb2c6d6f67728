package plots

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bullring/plots/internal/page"
)

// A Reference is a vertical line at X, such as the exact mean of a
// distribution.
type Reference struct {
	Label string // as in Curve
	Key   string // as in Curve
	X     float64
}

func (r *Reference) about() about {
	return about{kind: "reference", label: r.Label, key: r.Key, theory: true}
}

func (r *Reference) check(to *mistakes, name string) { to.add(name, to.figure.X.accept("x", r.X)) }

func (r *Reference) span(_ *Figure, x, _ *span) { x.add(r.X) }

func (r *Reference) rows(t *table) { t.add("reference", r.Label, r.Key, t.x(r.X)) }

func (r *Reference) style(_ *Figure, looks *looker) styled {
	return &styledReference{r, looks.theoryLine(r.Key)}
}

type styledReference struct {
	*Reference
	line draw.LineStyle
}

func (r *styledReference) draw(p *painter, at pass) {
	if at == passReferences {
		x := p.x.At(r.X)
		p.line(r.line, []vg.Point{{X: x, Y: p.y.From}, {X: x, Y: p.y.To}})
	}
}

func (r *styledReference) sample(p *painter, x, y vg.Length) {
	middle := x + page.SampleWidth/2
	p.page.StrokeLine2(r.line, middle, y-page.LegendRow*0.45, middle, y+page.LegendRow*0.45)
}

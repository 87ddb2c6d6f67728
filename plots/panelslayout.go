package plots

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bullring/plots/internal/page"
)

// heading is the height of the letters and titles above a row of panels.
const heading = page.TitleSize + page.TitleGap

// A panelsLayout is panels with everything in its place.
type panelsLayout struct {
	columns       int
	panels        []*layout
	types         *page.Typesetter
	width, height vg.Length
	title         page.TextLine
	legend        legend

	// The distances of the axes from the edges of their panels, by column and by row.
	left, right, bottom, top []vg.Length
	axesWidth, axesHeight    vg.Length
}

// layout validates the panels and arranges them.
func (p *Panels) layout() (*panelsLayout, error) {
	if err := p.validateData(); err != nil {
		return nil, err
	}
	n := p.columns()
	rows := (len(p.Figures) + n - 1) / n
	g := &panelsLayout{
		columns: n, types: page.NewTypesetter(), width: page.Centimetres(p.Width, PageWidth),
		left: make([]vg.Length, n), right: make([]vg.Length, n), bottom: make([]vg.Length, rows), top: make([]vg.Length, rows),
	}
	entries, err := g.setPanels(p)
	if err != nil {
		return nil, err
	}
	if p.Title != "" {
		if g.title, err = g.types.Set(p.Title, page.TitleSize); err == nil && g.title.Width > g.width-2*page.Margin {
			err = errors.New("the title is wider than the page")
		}
		if err != nil {
			return nil, p.errorf("%w", err)
		}
	}
	g.legend = newLegend(entries.measured, entries.theory, g.width-2*page.Margin)
	if err := g.arrange(); err != nil {
		return nil, err
	}
	if err := g.checkShared(p); err != nil {
		return nil, err
	}
	g.height = g.legend.height()
	if p.Title != "" {
		g.height += page.TitleSize + page.TitleGap
	}
	for row := range rows {
		g.height += g.rowHeight(row)
	}
	return g, nil
}

// setPanels gives the marks of all panels their looks, typesets the texts, and returns the
// entries of the legend.
func (g *panelsLayout) setPanels(p *Panels) (legend legendEntries, err error) {
	x, y := emptySpan(), emptySpan()
	var parts []part
	for _, f := range p.figures() {
		l := &layout{figure: f, types: g.types, frame: f.frame()}
		l.bareX = p.ShareX && len(g.panels)+g.columns < len(p.Figures)
		l.bareY = p.ShareY && len(g.panels)%g.columns > 0
		x.join(l.xData)
		y.join(l.yData)
		g.panels = append(g.panels, l)
		parts = append(parts, f.parts()...)
	}
	looks := newLooker(p.Looks, keys(parts))
	shown := map[identity]bool{}
	var errs []error
	for _, l := range g.panels {
		if p.ShareX {
			l.xData = x
		}
		if p.ShareY {
			l.yData = y
		}
		parts := l.figure.parts()
		l.setStyles(parts, looks)
		entries, err := l.setTexts(parts)
		errs = append(errs, err)
		for _, e := range slices.Concat(entries.measured, entries.theory) {
			if !shown[e.of] {
				legend.add(e)
				shown[e.of] = true
			}
		}
	}
	return legend, errors.Join(errs...)
}

// arrange gives all panels axes of the same size. How much room the labels take depends on the
// ticks, and these on the size of the axes: it is tried until the room suffices.
func (g *panelsLayout) arrange() error {
	g.axesHeight = vg.Length(math.Inf(1))
	for first := true; ; first = false {
		for i, l := range g.panels {
			if !first {
				g.fit(i, l)
			}
			if err := l.arrange(); err != nil {
				return err
			}
		}
		if !g.widen() {
			return nil
		}
		if first {
			for _, l := range g.panels {
				g.axesHeight = min(g.axesHeight, l.y.To-l.y.From)
			}
		}
		room := g.width
		for column := range g.columns {
			room -= g.left[column] + g.right[column]
		}
		g.axesWidth = room / vg.Length(g.columns)
		const least = 28 // a centimetre
		if g.axesWidth < least || g.axesHeight < least {
			return g.panels[0].figure.errorf("labels leave %.0f by %.0f pt for the axes of a panel; it needs %d by %d", g.axesWidth, g.axesHeight, least, least)
		}
	}
}

// fit gives a panel its frame.
func (g *panelsLayout) fit(i int, l *layout) {
	column, row := i%g.columns, i/g.columns
	l.left, l.right, l.bottom, l.top = g.left[column], g.right[column], g.bottom[row], g.top[row]
	l.width = l.left + g.axesWidth + l.right
	l.axesHeight = l.bottom + g.axesHeight + l.top
}

// widen makes room for the labels as the panels are arranged now, and reports whether there
// was too little.
func (g *panelsLayout) widen() (more bool) {
	const enough = 0.01 // of a point: nobody sees less
	need := func(room *vg.Length, is vg.Length) {
		if is > *room+enough {
			*room, more = is, true
		}
	}
	for i, l := range g.panels {
		column, row := i%g.columns, i/g.columns
		need(&g.left[column], max(l.x.From, l.leftOfTicks()))
		need(&g.right[column], l.width-l.x.To)
		need(&g.bottom[row], l.y.From)
		need(&g.top[row], l.axesHeight-l.y.To)
	}
	return more
}

// leftOfTicks returns the room that the labels along x need left of the axes, so that they
// keep a distance from those of the panel before.
func (l *layout) leftOfTicks() vg.Length {
	if l.bareX || l.upright || len(l.x.Ticks) == 0 {
		return 0
	}
	first := l.x.Ticks[0]
	return 2*page.Margin + l.tickWidth(first.Label)/2 - (l.x.At(first.Value) - l.x.From)
}

// checkShared refuses cells of heat maps at other places of a shared axis.
func (g *panelsLayout) checkShared(p *Panels) error {
	same := func(a, b page.Scale) bool { return a.Lo == b.Lo && a.Hi == b.Hi }
	for i, l := range g.panels {
		if first := g.panels[0]; p.ShareX && !same(l.x, first.x) || p.ShareY && !same(l.y, first.y) {
			return p.errorf("the cells of panel (%s) are at other places than those of panel (a)", letter(i))
		}
	}
	return nil
}

func (g *panelsLayout) rowHeight(row int) vg.Length {
	return heading + g.top[row] + g.axesHeight + g.bottom[row]
}

// paint draws the panels.
func (g *panelsLayout) paint(c vg.Canvas) {
	whole := &painter{layout: &layout{types: g.types, frame: frame{width: g.width}}, page: draw.NewCanvas(c, g.width, g.height)}
	whole.clear()
	top := g.height
	if len(g.title.Glyphs) > 0 {
		whole.text(g.title, vg.Point{X: g.width / 2, Y: top - page.Margin - page.CapHeight*page.TitleSize}, page.AlignCenter)
		top -= page.TitleSize + page.TitleGap
	}
	whole.x.From = g.left[0]
	g.legend.draw(whole, vg.Point{X: whole.besideAxes(g.legend.width), Y: top - page.Margin/2})
	top -= g.legend.height()

	corner := vg.Point{Y: top}
	for i, l := range g.panels {
		column, row := i%g.columns, i/g.columns
		if column == 0 {
			corner = vg.Point{Y: corner.Y - g.rowHeight(row)}
		}
		c.Push()
		c.Translate(corner)
		panel := l.painter(c)
		panel.plot()
		panel.text(l.title, vg.Point{X: l.besideAxes(l.title.Width), Y: l.axesHeight + page.Descent*page.TitleSize}, page.AlignLeft)
		c.Pop()
		corner.X += l.width
	}
}

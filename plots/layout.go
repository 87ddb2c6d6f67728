package plots

import (
	"errors"
	"fmt"

	"gonum.org/v1/plot/vg"

	"bullring/plots/internal/page"
)

// A layout is a figure with everything in its place.
type layout struct {
	figure *Figure
	types  *page.Typesetter
	marks  []styled
	filler filler // nil for none
	frame
	height  vg.Length // of the page
	x, y    page.Scale
	xLabel  page.TextLine
	yLabel  page.TextLine
	title   page.TextLine
	legend  legend
	ends    []endLabel // labels beside the axes
	upright bool       // the categories along x read upwards: side by side they would overlap
}

// A frame is the room of the axes with their labels, and what they show.
type frame struct {
	width, axesHeight        vg.Length
	left, right, bottom, top vg.Length // least distances of the axes from the edges of the frame
	xData, yData             span
	bareX, bareY             bool // without labels: another panel has them
}

// A filler is a styled mark that fills the axes alone, without a grid.
type filler interface {
	// setTexts typesets the texts at the axes.
	setTexts(l *layout, set setter)

	// arrange sets the scales of the axes and their ticks.
	arrange(l *layout) error
}

// A setter typesets a text for which there is some room.
type setter func(what, markup string, size, room vg.Length) page.TextLine

// layout validates the figure and arranges it.
func (f *Figure) layout() (*layout, error) {
	if err := f.validateData(); err != nil {
		return nil, err
	}
	parts := f.parts()
	l := &layout{figure: f, types: page.NewTypesetter(), frame: f.frame()}
	l.setStyles(parts, newLooker(f.Looks, keys(parts)))
	entries, err := l.setTexts(parts)
	if err != nil {
		return nil, err
	}
	if f.Ends {
		if entries, err = l.placeEnds(parts, entries); err != nil {
			return nil, err
		}
	}
	l.legend = newLegend(entries.measured, entries.theory, l.width-2*page.Margin)
	if err := l.arrange(); err != nil {
		return nil, err
	}
	l.height = l.axesHeight + l.legend.height()
	if f.Title != "" {
		l.height += page.TitleSize + page.TitleGap
	}
	return l, nil
}

// frame is the room of a figure that stands alone.
func (f *Figure) frame() frame {
	room := frame{width: page.Centimetres(f.Width, ColumnWidth), axesHeight: page.Centimetres(f.Height, DefaultHeight)}
	room.xData, room.yData = f.spans()
	return room
}

// setStyles gives the marks their looks.
func (l *layout) setStyles(parts []part, looks *looker) {
	for _, p := range parts {
		looks.turn = p
		mark := p.style(l.figure, looks)
		l.marks = append(l.marks, mark)
		if f, ok := mark.(filler); ok {
			l.filler = f
		}
	}
}

// setTexts typesets the texts of the figure, and returns the entries of the legend.
func (l *layout) setTexts(parts []part) (entries legendEntries, err error) {
	f := l.figure
	var errs []error
	set := func(what, markup string, size, room vg.Length) page.TextLine {
		line, err := l.types.Set(markup, size)
		if err == nil && line.Width > room {
			err = fmt.Errorf("%q is %.0f pt wide, there is room for %.0f", markup, line.Width, room)
		}
		if err != nil {
			errs = append(errs, f.errorf("%s: %w", what, err))
		}
		return line
	}
	room := l.width - 2*page.Margin
	l.title = set("title", f.Title, page.TitleSize, room)
	if !l.bareX {
		l.xLabel = set("x axis", f.X.Label, page.LabelSize, room)
	}
	if !l.bareY {
		l.yLabel = set("y axis", f.Y.Label, page.LabelSize, l.axesHeight-2*page.Margin)
	}

	for i, p := range parts {
		if p.label == "" {
			continue
		}
		label := set(p.name, p.label, page.LegendSize, room-page.SampleWidth-page.SampleGap)
		entries.add(&legendEntry{p.id, label, l.marks[i].sample})
	}
	l.setColumnNames(f.X.Categories, set)
	if l.filler != nil {
		l.filler.setTexts(l, set)
	}
	return entries, errors.Join(errs...)
}

// setColumnNames typesets the names along x.
func (l *layout) setColumnNames(names []string, set setter) {
	for i, name := range names {
		set(page.NameOf("column", i, name), name, page.TickSize, columnRoom*l.axesHeight)
	}
}

// arrange gives the axes their places, scales and ticks in the frame.
func (l *layout) arrange() error {
	l.upright = false
	if l.filler != nil {
		return l.filler.arrange(l)
	}
	l.arrangeAxes()
	return nil
}

// arrangeAxes sets the scales and their ticks. The vertical axis comes first: the
// horizontal one begins behind its labels.
func (l *layout) arrangeAxes() {
	l.x.Log, l.y.Log = l.figure.X.Log, l.figure.Y.Log
	l.x.Whole, l.y.Whole = l.figure.X.Whole, l.figure.Y.Whole
	l.x.Lo, l.x.Hi = l.figure.X.limits(l.xData)
	l.y.Lo, l.y.Hi = l.figure.Y.limits(l.yData)

	l.y.From = max(l.bottom, l.footHeight(page.TickSize*page.CapHeight))
	l.y.To = min(l.axesHeight-page.Margin-page.TickSize*page.CapHeight/2, l.axesHeight-l.top)
	l.y.SetTicks(func(string) vg.Length { return page.TickSize * page.CapHeight }, 1.6*page.TickSize)

	l.x.From = max(l.left, l.sideWidth())
	l.x.To = min(l.width-3*page.Margin, l.width-l.right)
	l.setColumns()
	if l.bareX {
		return
	}
	// The last label may reach beyond the axis.
	for _, t := range l.x.Ticks {
		if over := l.x.At(t.Value) + l.tickWidth(t.Label)/2 - (l.width - page.Margin); over > 0 {
			l.x.To -= over
		}
	}
}

// setColumns puts ticks along x: at the categories, at the places of the boxes if their
// labels fit, or at round numbers.
func (l *layout) setColumns() {
	switch places := l.figure.places(); {
	case l.figure.X.Categories != nil:
		l.setCategories(Side{Categories: l.figure.X.Categories})
	case len(places) > 0:
		side := Side{Values: places}
		setSlots(&l.x, side, side.slots(l.x.Log, false), l.tickWidth)
	default:
		l.x.SetTicks(l.tickWidth, page.TickSize)
	}
}

// setCategories puts ticks at the categories along x. Names without room side by side
// stand upright. The figure then grows, and the axes keep their height.
func (l *layout) setCategories(side Side) {
	const height = page.TickSize * page.CapHeight
	slots := side.slots(false, false)
	setSlots(&l.x, side, slots, l.tickWidth)
	if len(l.x.Ticks) == len(slots) {
		return
	}
	setSlots(&l.x, side, slots, func(string) vg.Length { return height })
	l.upright = true
	if l.bareX {
		return
	}
	more := max(0, l.widest(l.x.Ticks)-height-(l.y.From-l.footHeight(height)))
	l.axesHeight += more
	l.y.From += more
	l.y.To += more
}

// footHeight returns the height below the axes, for tick labels of the given height.
func (l *layout) footHeight(labels vg.Length) vg.Length {
	if l.bareX {
		return page.Margin + page.TickLength
	}
	height := page.Margin + labels + page.TickGap + page.TickLength
	if l.figure.X.Label != "" {
		height += page.LabelSize*(page.Descent+page.CapHeight) + page.LabelGap
	}
	return height
}

// sideWidth returns the width left of the axes.
func (l *layout) sideWidth() vg.Length {
	if l.bareY {
		return page.Margin + page.TickLength
	}
	width := page.Margin + l.widest(l.y.Ticks) + page.TickGap + page.TickLength
	if l.figure.Y.Label != "" {
		width += page.LabelSize*(page.CapHeight+page.Descent) + page.LabelGap
	}
	return width
}

// tickWidth returns the width of the label of a tick.
func (l *layout) tickWidth(label string) vg.Length {
	return l.types.MustSet(label, page.TickSize).Width
}

// widest returns the width of the widest label.
func (l *layout) widest(ticks []page.Tick) vg.Length {
	var w vg.Length
	for _, t := range ticks {
		w = max(w, l.tickWidth(t.Label))
	}
	return w
}

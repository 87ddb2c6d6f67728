package plots

import (
	"errors"
	"fmt"

	"gonum.org/v1/plot/vg"
)

// Sizes of the text in points.
const (
	titleSize  = vg.Length(8)
	labelSize  = vg.Length(8)
	tickSize   = vg.Length(7)
	legendSize = vg.Length(7)
)

// Distances in points.
const (
	margin      = vg.Length(2)   // along the edge of the page
	tickLength  = vg.Length(2.6) // of a labelled tick
	minorLength = vg.Length(1.5)
	tickGap     = vg.Length(2.4) // between a tick and its label
	labelGap    = vg.Length(4)   // between the labels of the ticks and of the axis
	titleGap    = vg.Length(4)   // below the title
)

// A layout is a figure with everything in its place.
type layout struct {
	figure        *Figure
	types         *typesetter
	marks         []styled
	filler        filler // nil for none
	width, height vg.Length
	axesHeight    vg.Length
	x, y          scale
	xLabel        textLine
	yLabel        textLine
	title         textLine
	legend        legend
	upright       bool // the categories along x read upwards: side by side they would overlap
}

// A filler is a styled mark that fills the axes alone, without a grid.
type filler interface {
	// setTexts typesets the texts at the axes.
	setTexts(l *layout, set setter)

	// arrange sets the scales of the axes and their ticks.
	arrange(l *layout) error
}

// A setter typesets a text for which there is some room.
type setter func(what, markup string, size, room vg.Length) textLine

// layout validates the figure and arranges it.
func (f *Figure) layout() (*layout, error) {
	if err := f.validateData(); err != nil {
		return nil, err
	}
	l := &layout{
		figure:     f,
		types:      newTypesetter(),
		width:      centimetres(f.Width, ColumnWidth),
		axesHeight: centimetres(f.Height, DefaultHeight),
	}
	parts := f.parts()
	l.setStyles(parts)
	if err := l.setTexts(parts); err != nil {
		return nil, err
	}
	if l.filler == nil {
		l.arrangeAxes()
	} else if err := l.filler.arrange(l); err != nil {
		return nil, err
	}
	l.height = l.axesHeight + l.legend.height()
	if f.Title != "" {
		l.height += titleSize + titleGap
	}
	return l, nil
}

// centimetres converts a length, with a default for zero.
func centimetres(v, fallback float64) vg.Length {
	if v == 0 {
		v = fallback
	}
	return vg.Length(v) * vg.Centimeter
}

// setStyles gives the marks their looks.
func (l *layout) setStyles(parts []part) {
	looks := newLooker(l.figure.Looks, keys(parts))
	for _, p := range parts {
		mark := p.style(l.figure, looks)
		l.marks = append(l.marks, mark)
		if f, ok := mark.(filler); ok {
			l.filler = f
		}
	}
}

// setTexts typesets the texts of the figure and makes the legend.
func (l *layout) setTexts(parts []part) error {
	f := l.figure
	var errs []error
	set := func(what, markup string, size, room vg.Length) textLine {
		line, err := l.types.set(markup, size)
		if err == nil && line.width > room {
			err = fmt.Errorf("%q is %.0f pt wide, there is room for %.0f", markup, line.width, room)
		}
		if err != nil {
			errs = append(errs, f.errorf("%s: %w", what, err))
		}
		return line
	}
	room := l.width - 2*margin
	l.title = set("title", f.Title, titleSize, room)
	l.xLabel = set("x axis", f.X.Label, labelSize, room)
	l.yLabel = set("y axis", f.Y.Label, labelSize, l.axesHeight-2*margin)

	var measured, theory []*legendEntry
	for i, p := range parts {
		if p.label == "" {
			continue
		}
		entry := &legendEntry{set(p.name, p.label, legendSize, room-sampleWidth-sampleGap), l.marks[i].sample}
		if p.theory {
			theory = append(theory, entry)
		} else {
			measured = append(measured, entry)
		}
	}
	l.setColumnNames(f.X.Categories, set)
	if l.filler != nil {
		l.filler.setTexts(l, set)
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	l.legend = newLegend(measured, theory, room)
	return nil
}

// setColumnNames typesets the names along x.
func (l *layout) setColumnNames(names []string, set setter) {
	for i, name := range names {
		set(nameOf("column", i, name), name, tickSize, columnRoom*l.axesHeight)
	}
}

// arrangeAxes sets the scales and their ticks. The vertical axis comes first: the
// horizontal one begins behind its labels.
func (l *layout) arrangeAxes() {
	xData, yData := l.figure.spans()
	l.x.log, l.y.log = l.figure.X.Log, l.figure.Y.Log
	l.x.whole, l.y.whole = l.figure.X.Whole, l.figure.Y.Whole
	l.x.lo, l.x.hi = l.figure.X.limits(xData)
	l.y.lo, l.y.hi = l.figure.Y.limits(yData)

	l.y.from = l.footHeight(tickSize * capHeight)
	l.y.to = l.axesHeight - margin - tickSize*capHeight/2
	l.y.setTicks(func(string) vg.Length { return tickSize * capHeight }, 1.6*tickSize)

	l.x.from = l.sideWidth()
	l.x.to = l.width - 3*margin
	l.setColumns()
	// The last label may reach beyond the axis.
	for _, t := range l.x.ticks {
		if over := l.x.at(t.value) + l.tickWidth(t.label)/2 - (l.width - margin); over > 0 {
			l.x.to -= over
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
		l.x.setSlots(side, side.slots(l.x.log, false), l.tickWidth)
	default:
		l.x.setTicks(l.tickWidth, tickSize)
	}
}

// setCategories puts ticks at the categories along x. Names without room side by side
// stand upright. The figure then grows, and the axes keep their height.
func (l *layout) setCategories(side Side) {
	const height = tickSize * capHeight
	slots := side.slots(false, false)
	l.x.setSlots(side, slots, l.tickWidth)
	if len(l.x.ticks) == len(slots) {
		return
	}
	l.x.setSlots(side, slots, func(string) vg.Length { return height })
	l.upright = true
	more := l.widest(l.x.ticks) - height
	l.axesHeight += more
	l.y.from += more
	l.y.to += more
}

// footHeight returns the height below the axes, for tick labels of the given height.
func (l *layout) footHeight(labels vg.Length) vg.Length {
	height := margin + labels + tickGap + tickLength
	if l.figure.X.Label != "" {
		height += labelSize*(descent+capHeight) + labelGap
	}
	return height
}

// sideWidth returns the width left of the axes.
func (l *layout) sideWidth() vg.Length {
	width := margin + l.widest(l.y.ticks) + tickGap + tickLength
	if l.figure.Y.Label != "" {
		width += labelSize*(capHeight+descent) + labelGap
	}
	return width
}

// tickWidth returns the width of the label of a tick.
func (l *layout) tickWidth(label string) vg.Length {
	return l.types.mustSet(label, tickSize).width
}

// widest returns the width of the widest label.
func (l *layout) widest(ticks []tick) vg.Length {
	var w vg.Length
	for _, t := range ticks {
		w = max(w, l.tickWidth(t.label))
	}
	return w
}

package spacetime

import (
	"cmp"
	"errors"
	"image/color"
	"slices"
	"strconv"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bullring/plots"
	"bullring/plots/internal/page"
)

// Measures of a diagram in points.
const (
	newsSize      = vg.Length(6.6)
	smallSize     = vg.Length(5.8) // of the labels of arrows and the notes of signs
	periodSize    = vg.Length(6.2)
	laneGap       = vg.Length(6) // between the label of a lane and the lane
	laneEnd       = vg.Length(6) // from the end of a lane to the first and last place
	rightMargin   = vg.Length(6)
	arrowWidth    = vg.Length(0.8)
	headLength    = vg.Length(4.6)
	headWidth     = vg.Length(3.2)
	signRadius    = vg.Length(2.8)
	signRoom      = vg.Length(3.2) // half of the room of a sign
	ringWidth     = vg.Length(2)   // from the room of a sign to the outside of its ring
	tipGap        = vg.Length(1.9) // from the tip of an arrow to the middle of its sign
	sideBySideGap = vg.Length(1.8) // between arrows of one way
	widestBundle  = vg.Length(6)   // of such arrows
	crossRadius   = vg.Length(2)   // of a lost message
	hump          = vg.Length(9)   // height of an arrow from a lane to itself
	periodRow     = vg.Length(8.6)
	mostRows      = 8    // of labels of periods
	laneRoom      = 0.25 // of the width, for the labels of lanes
	periodExtent  = 0.7  // of the width, for the label of a period
)

// A diagramLayout is a diagram with everything in its place.
type diagramLayout struct {
	*Diagram
	types         *page.Typesetter
	width, height vg.Length
	axis          page.Scale // of the places, from 0 to 1
	numbers       page.Scale // of the ticks
	top           vg.Length  // of the area of the lanes
	bottom        vg.Length
	pitch         vg.Length // between two lanes
	legend        []diagramEntry
	legendRows    int
	rows          []int // of the labels of the periods, from the bottom; -1 for none
	flights       []flight
	marks         []mark // of changes
	labels        []words
	tags          []tag // on arrows
	wanted        int   // labels that the diagram has
	hidden        int   // labels without room
}

// layout validates the diagram and arranges it.
func (d *Diagram) layout() (*diagramLayout, error) {
	if err := d.validate(); err != nil {
		return nil, err
	}
	l := &diagramLayout{Diagram: d, types: page.NewTypesetter(), width: page.Centimetres(d.Width, plots.PageWidth)}
	if err := l.checkTexts(); err != nil {
		return nil, err
	}
	l.arrange()
	l.placeArrows()
	l.placeChanges()
	l.placeLabels()
	return l, nil
}

// checkTexts typesets every text once, so that later steps may rely on it.
func (l *diagramLayout) checkTexts() error {
	c := &textChecker{types: l.types}
	room := l.width - 2*page.Margin
	c.set("title", l.Title, page.TitleSize, room)
	c.set("axis", l.Axis, page.LabelSize, room)
	for i, lane := range l.Lanes {
		c.set(page.NameOf("lane", i, ""), lane.Label, page.TickSize, laneRoom*l.width)
	}
	for i, k := range l.Kinds {
		c.set(page.NameOf("kind", i, ""), k, page.LegendSize, room-page.SampleWidth-page.SampleGap)
	}
	for i, b := range l.Bands {
		c.set(page.NameOf("band", i, ""), b.Label, page.LegendSize, room-page.SampleWidth-page.SampleGap)
	}
	for i, t := range l.Ticks {
		c.set(page.NameOf("tick", i, ""), t.Label, page.TickSize, 0)
	}
	for i, a := range l.Arrows {
		c.set(page.NameOf("arrow", i, ""), a.Label, smallSize, 0)
	}
	for i, s := range l.Signs {
		c.set(page.NameOf("sign", i, ""), s.News, newsSize, 0)
		c.set(page.NameOf("sign", i, ""), s.Note, smallSize, 0)
	}
	for i, p := range l.Periods {
		c.set(page.NameOf("period", i, ""), p.Label, periodSize, 0)
	}
	return errors.Join(c.errs...)
}

// arrange places lanes, axis, legend and the labels of the periods.
func (l *diagramLayout) arrange() {
	left := vg.Length(0)
	for _, lane := range l.Lanes {
		left = max(left, l.types.MustSet(lane.Label, page.TickSize).Width)
	}
	left += page.Margin + laneGap
	l.axis = page.Scale{Hi: 1, From: left + laneEnd, To: l.width - rightMargin - laneEnd}
	l.setTicks()

	// Few lanes stand far apart, so that labels have room.
	n := float64(len(l.Lanes))
	l.pitch = page.Centimetres(min(1.4, max(0.8, 12/n)), 0)
	l.bottom = page.Margin + page.TickSize*page.CapHeight + page.TickGap + page.Margin
	if l.Axis != "" {
		l.bottom += page.LabelSize*(page.CapHeight+page.Descent) + page.LabelGap
	}
	l.top = l.bottom + l.pitch*vg.Length(n)
	l.rows = l.periodRows()
	l.height = l.top + periodRow*vg.Length(1+slices.Max(append(l.rows, -1)))
	l.arrangeLegend()
	l.height += vg.Length(l.legendRows)*page.LegendRow + page.LegendPadding + page.Margin
	if l.Title != "" {
		l.height += page.TitleSize + page.TitleGap
	}
}

// setTicks chooses the ticks: at round numbers, or those of the diagram that have room.
func (l *diagramLayout) setTicks() {
	const gap = vg.Length(8)
	width := func(label string) vg.Length { return l.types.MustSet(label, page.TickSize).Width }
	if l.End > l.Begin && !page.TooNarrow(l.Begin, l.End) {
		l.numbers = page.Scale{Whole: l.Whole, Lo: l.Begin, Hi: l.End, From: l.axis.From, To: l.axis.To}
		l.numbers.SetTicks(width, gap)
		return
	}
	l.numbers = l.axis
	for _, i := range ordered(len(l.Ticks), func(i, j int) int { return cmp.Compare(l.Ticks[i].At, l.Ticks[j].At) }) {
		t := l.Ticks[i]
		more := append(slices.Clone(l.numbers.Ticks), page.Tick{Value: t.At, Label: t.Label})
		if l.numbers.Fit(more, width, gap) {
			l.numbers.Ticks = more
		}
	}
}

// ordered returns the indices 0 to n-1 in an order; equal ones ascend.
func ordered(n int, compare func(i, j int) int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, compare)
	return order
}

// lane returns the height of a lane.
func (l *diagramLayout) lane(i int) vg.Length { return l.top - (vg.Length(i)+0.5)*l.pitch }

// spot returns the point of a spot.
func (l *diagramLayout) spot(s Spot) vg.Point { return vg.Point{X: l.axis.At(s.At), Y: l.lane(s.Lane)} }

// periodRows chooses rows for the labels of the periods, which have a line as long as the
// period below them. They are taken from the last to
// the first, so that the line up to a label runs left of the labels in the rows below it.
func (l *diagramLayout) periodRows() []int {
	rows := make([]int, len(l.Periods))
	var free [mostRows]vg.Length // where the labels of a row begin
	for i := range free {
		free[i] = l.width + page.ColumnGap
	}
	for _, i := range ordered(len(rows), func(i, j int) int { return cmp.Compare(l.Periods[j].From, l.Periods[i].From) }) {
		rows[i] = -1
		if l.Periods[i].Label == "" {
			continue
		}
		l.wanted++
		w := l.periodLabel(i)
		left := min(w.at.X-w.line.Width/2, l.axis.At(l.Periods[i].From))
		right := max(w.at.X+w.line.Width/2, l.axis.At(l.Periods[i].To))
		for row := range free {
			if right <= free[row]-page.ColumnGap/2 {
				rows[i], free[row] = row, left
				break
			}
		}
		if rows[i] < 0 {
			l.hidden++
		}
	}
	return rows
}

// periodLabel returns the label of a period, to the right of its beginning, in row 0. A long
// one is cut.
func (l *diagramLayout) periodLabel(i int) words {
	p := l.Periods[i]
	line, markup := l.types.MustSet(p.Label, periodSize), p.Label
	for text := []rune(plots.Plain(p.Label)); line.Width > periodExtent*l.width; text = text[:len(text)-1] {
		markup = plots.Escape(string(text)) + "..."
		line = l.types.MustSet(markup, periodSize)
	}
	left := min(l.axis.At(p.From)+2, l.width-page.Margin-line.Width-1)
	return words{
		markup: markup, line: line, size: periodSize, color: periodInk, along: level,
		at: vg.Point{X: left + line.Width/2, Y: l.top + 2.6},
	}
}

// A diagramEntry is an entry of the legend.
type diagramEntry struct {
	label  words
	wide   vg.Length // the sample
	sample func(p pen, x, y vg.Length)
	x      vg.Length
	row    int
}

// width is the width of the entry.
func (e diagramEntry) width() vg.Length { return e.wide + page.SampleGap + e.label.line.Width }

// arrangeLegend puts the entries side by side, and into as many rows as that takes.
func (l *diagramLayout) arrangeLegend() {
	left := l.axis.From - laneEnd
	x, row := left, 0
	for _, e := range l.legendEntries() {
		if x > left && x+e.width() > l.width-page.Margin {
			x, row = left, row+1
		}
		// The longest entry may need the room above the labels of the lanes.
		e.x, e.row = max(page.Margin, min(x, l.width-page.Margin-e.width())), row
		l.legend = append(l.legend, e)
		x += e.width() + page.ColumnGap
	}
	if len(l.legend) > 0 {
		l.legendRows = row + 1
	}
}

// legendEntries are the kinds and the signs that the diagram has.
func (l *diagramLayout) legendEntries() (entries []diagramEntry) {
	add := func(label string, wide vg.Length, sample func(p pen, x, y vg.Length)) {
		entries = append(entries, diagramEntry{label: l.words(label, page.LegendSize, page.Ink), wide: wide, sample: sample})
	}
	for k, name := range l.Kinds {
		if !slices.ContainsFunc(l.Arrows, func(a Arrow) bool { return a.Kind == k }) {
			continue
		}
		add(name, page.SampleWidth, func(p pen, x, y vg.Length) {
			p.stroke(kindStyle(k), vg.Point{X: x, Y: y}, vg.Point{X: x + page.SampleWidth, Y: y})
			if t, ok := newTag(l.types, k, vg.Point{X: x + page.SampleWidth/2, Y: y}, false); ok {
				t.draw(p)
			}
		})
	}
	l.bandEntries(add)
	for shape, name := range signNames {
		// A delivery is where an arrow ends, and needs no entry.
		if Shape(shape) != Delivery && slices.ContainsFunc(l.Signs, func(s Sign) bool { return int(s.Shape) == shape }) {
			add(name, 2*signRadius, func(p pen, x, y vg.Length) {
				drawShape(p, Shape(shape), vg.Point{X: x + signRadius, Y: y}, signColor(Shape(shape)))
			})
		}
	}
	l.changeEntries(add)
	if slices.ContainsFunc(l.Arrows, func(a Arrow) bool { return a.Fate == Unheard || a.Fate == Vanished }) {
		const wide = page.SampleWidth - 4
		add("lost", wide, func(p pen, x, y vg.Length) {
			end := vg.Point{X: x + wide - crossRadius, Y: y}
			p.stroke(draw.LineStyle{Color: page.Ink, Width: arrowWidth, Dashes: lostDashes}, vg.Point{X: x, Y: y}, end)
			cross(p, end, crossRadius, lostWidth, page.Red)
		})
	}
	return entries
}

// The colours of the kinds of messages, in their order: strong enough for thin lines and
// small letters. The first kinds have dashes of their own, for prints in grey; the others share
// these, and have a number. As the two lists differ in length, equal colours have other dashes.
var (
	kindColors = []color.NRGBA{
		page.Blue, page.Red, page.Green, page.Purple,
		page.Mix(page.Orange, page.Ink, 0.2), page.Mix(page.Sky, page.Ink, 0.2), {0x55, 0x5B, 0x63, 0xFF}, {0x8A, 0x5F, 0xBF, 0xFF},
	}
	kindDashes = [][]vg.Length{nil, {5, 1.4}, {4, 1.2, 1, 1.2}, {1.2, 1.1}, {6, 1.1, 0.9, 1.1, 0.9, 1.1}, {1.3, 3.2}}
	lostDashes = []vg.Length{2, 1.8}
	periodInk  = page.Mix(page.Red, page.Ink, 0.35)
	periodEdge = page.Mix(page.Red, page.White, 0.4)
)

// kindColor is the colour of a kind.
func kindColor(kind int) color.NRGBA { return kindColors[kind%len(kindColors)] }

// kindStyle is the line of a kind.
func kindStyle(kind int) draw.LineStyle {
	return draw.LineStyle{Color: kindColor(kind), Width: arrowWidth, Dashes: kindDashes[kind%len(kindDashes)]}
}

// kindTag is the number on the arrows of a kind that shares its dashes with another: it is that
// of the kind, from 1. Others have "".
func kindTag(kind int) string {
	if kind < len(kindDashes) {
		return ""
	}
	return strconv.Itoa(kind + 1)
}

// periodFill is the colour where so many periods overlap.
func periodFill(depth int) color.NRGBA {
	return page.Mix(page.Red, page.White, max(0.7, 1-0.08*float64(depth)))
}

// faded is the colour of what stands behind.
func faded(c color.NRGBA) color.NRGBA { return page.Mix(c, page.White, 0.68) }

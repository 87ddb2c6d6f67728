package plots

import (
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Measures of heat maps in points.
const (
	cellGap      = vg.Length(0.5) // white line between cells
	finestGap    = vg.Length(5)   // cells smaller than this touch each other
	cellPadding  = vg.Length(1.4) // beside the value in a cell
	hatchSpacing = vg.Length(3)
	barGap       = vg.Length(7) // between the cells and the colour bar
	barWidth     = vg.Length(7.5)
	barPoint     = vg.Length(6) // height of the pointed end of the bar
)

// Part of the figure that the names of columns, and of rows, may take.
const (
	columnRoom = 0.45
	rowRoom    = 0.4
)

var hatchGrey = mix(ink, white, 0.55)

// A heat is a heat map with its cells in their places.
type heat struct {
	*HeatMap
	columns, rows []slot
	bar           scale // from bottom to top
	label         textLine
	// points: the bar has a pointed end there, for values beyond it.
	pointLow, pointHigh bool
	largest             float64 // size of any value
	whole               bool    // all values are whole numbers
}

// style places the cells along their axes.
func (h *HeatMap) style(f *Figure, _ *looker) styled {
	data := h.zSpan()
	lo, hi := h.Z.colorLimits(data)
	return &heat{
		HeatMap:   h,
		columns:   h.X.slots(f.X.Log, false),
		rows:      h.Y.slots(f.Y.Log, true),
		bar:       scale{log: h.Z.Log, whole: h.Z.Whole, lo: lo, hi: hi},
		pointLow:  data.lo < lo,
		pointHigh: data.hi > hi,
		largest:   max(math.Abs(data.lo), math.Abs(data.hi)),
		whole:     h.whole(),
	}
}

// setTexts implements filler.
func (h *heat) setTexts(l *layout, set setter) {
	l.setColumnNames(h.X.Categories, set)
	h.label = set("z", h.Z.Label, labelSize, l.axesHeight-2*margin)
	for i, name := range h.Y.Categories {
		set(nameOf("row", i, name), name, tickSize, rowRoom*l.width)
	}
}

// arrange implements filler.
func (h *heat) arrange(l *layout) error {
	const height = tickSize * capHeight
	l.x.log, l.x.lo, l.x.hi = l.figure.X.Log, h.columns[0].low, h.columns[len(h.columns)-1].hi
	l.y.log, l.y.lo, l.y.hi = l.figure.Y.Log, h.rows[0].low, h.rows[len(h.rows)-1].hi

	l.y.from = l.footHeight(height)
	l.y.to = l.axesHeight - margin - height/2
	upwards := func(string) vg.Length { return height }
	l.y.setSlots(h.Y, h.rows, upwards)
	h.arrangeBar(l.y)

	l.x.from = l.sideWidth()
	l.x.to = l.width - margin - h.barRoom(l)
	if h.X.Categories != nil {
		l.setCategories(h.X)
		h.arrangeBar(l.y)
	} else {
		l.x.setSlots(h.X, h.columns, l.tickWidth)
	}
	return h.checkRoom(l)
}

// checkRoom refuses a figure in which labels and colour bar leave no room for the cells.
func (h *heat) checkRoom(l *layout) error {
	const least = 28 // a centimetre
	if width, height := l.x.to-l.x.from, l.y.to-l.y.from; width < least || height < least {
		return l.figure.errorf("labels and colour bar leave %.0f by %.0f pt for the cells of the heat map; it needs %d by %d", width, height, least, least)
	}
	return nil
}

// setSlots puts ticks at the middles of all cells if their labels fit. Else it
// puts them at every second cell, every third..., or, where the cells are not
// equally wide, at round numbers.
func (s *scale) setSlots(side Side, slots []slot, extent func(string) vg.Length) {
	const gap = tickSize * 0.35
	for stride := 1; ; stride++ {
		s.ticks = nil
		for i := 0; i < len(slots); i += stride {
			s.ticks = append(s.ticks, tick{slots[i].middle, slots[i].label})
		}
		if len(s.ticks) == 1 || s.fit(s.ticks, extent, gap) {
			return
		}
		if !side.equal() {
			s.setTicks(extent, tickSize)
			return
		}
	}
}

// arrangeBar puts the colour bar beside the axis.
func (h *heat) arrangeBar(beside scale) {
	h.bar.from, h.bar.to = beside.from, beside.to
	if h.pointLow {
		h.bar.from += barPoint
	}
	if h.pointHigh {
		h.bar.to -= barPoint
	}
	h.bar.setTicks(func(string) vg.Length { return tickSize * capHeight }, 1.6*tickSize)
}

// barRoom returns the width of the colour bar with its labels and the gap before
// it.
func (h *heat) barRoom(l *layout) vg.Length {
	room := barGap + barWidth + tickLength + tickGap + l.widest(h.bar.ticks)
	if h.Z.Label != "" {
		room += labelGap + labelSize*(capHeight+descent)
	}
	return room
}

func (h *heat) draw(p *painter, at pass) {
	if at == passAreas {
		h.cells(p)
		h.colorBar(p)
	}
}

// cells fills the cells, writes the values in them, and frames them.
func (h *heat) cells(p *painter) {
	size := h.valueSize(p)
	gap := h.narrowest(p) >= finestGap
	for _, row := range h.rows {
		for _, column := range h.columns {
			cell := p.cell(column, row, gap)
			v := h.Values[row.index][column.index]
			if math.IsNaN(v) {
				p.hatch(cell)
				continue
			}
			fill := h.color(v)
			p.axes.SetColor(fill)
			p.axes.Fill(cell.Path())
			if size > 0 {
				p.value(h.format(v), size, cell, inkOn(fill))
			}
		}
	}
	frame := draw.LineStyle{Color: ink, Width: axisWidth}
	p.page.StrokeLine2(frame, p.x.from, p.y.to, p.x.to, p.y.to)
	p.page.StrokeLine2(frame, p.x.to, p.y.from, p.x.to, p.y.to)
}

// cell returns the rectangle of a cell. Cells with a gap keep half of it on each side.
// Other cells reach a little under their later neighbours: between two edges that only
// touch, a viewer lets the paper through.
func (p *painter) cell(column, row slot, gap bool) vg.Rectangle {
	r := vg.Rectangle{Min: p.at(column.low, row.low), Max: p.at(column.hi, row.hi)}
	if gap {
		const half = cellGap / 2
		return vg.Rectangle{
			Min: vg.Point{X: r.Min.X + half, Y: r.Min.Y + half},
			Max: vg.Point{X: r.Max.X - half, Y: r.Max.Y - half},
		}
	}
	const overlap = 0.25
	r.Max.X = min(r.Max.X+overlap, p.x.to)
	r.Max.Y = min(r.Max.Y+overlap, p.y.to)
	return r
}

// narrowest returns the least width or height of a cell.
func (h *heat) narrowest(p *painter) vg.Length {
	return min(p.x.narrowest(h.columns), p.y.narrowest(h.rows))
}

func (s scale) narrowest(slots []slot) vg.Length {
	least := s.to - s.from
	for _, one := range slots {
		least = min(least, s.at(one.hi)-s.at(one.low))
	}
	return least
}

// color returns the colour of a value.
func (h *heat) color(v float64) color.NRGBA { return colorAt(h.bar.part(v)) }

// hatch marks a cell without a value. The lines continue from one such cell to the next.
func (p *painter) hatch(cell vg.Rectangle) {
	area := draw.Canvas{Canvas: p.page.Canvas, Rectangle: cell}
	area.SetColor(white)
	area.Fill(cell.Path())
	height := cell.Max.Y - cell.Min.Y
	style := draw.LineStyle{Color: hatchGrey, Width: gridWidth}
	// The lines are those with X - Y a multiple of the spacing.
	first := math.Ceil(float64((cell.Min.X - cell.Max.Y) / hatchSpacing))
	for d := vg.Length(first) * hatchSpacing; d < cell.Max.X-cell.Min.Y; d += hatchSpacing {
		foot := vg.Point{X: cell.Min.Y + d, Y: cell.Min.Y}
		area.StrokeLines(style, area.ClipLinesXY([]vg.Point{foot, {X: foot.X + height, Y: foot.Y + height}})...)
	}
}

// value writes a value in the middle of its cell.
func (p *painter) value(text string, size vg.Length, cell vg.Rectangle, col color.Color) {
	p.page.SetColor(col)
	middle := vg.Point{X: (cell.Min.X + cell.Max.X) / 2, Y: (cell.Min.Y + cell.Max.Y - capHeight*size) / 2}
	p.types.mustSet(text, size).draw(p.page, middle, alignCenter)
}

// valueSize returns the largest size of text in which all values fit into their
// cells, 0 for none.
func (h *heat) valueSize(p *painter) vg.Length {
	for _, size := range []vg.Length{7, 6.5, 6} {
		if h.valuesFit(p, size) {
			return size
		}
	}
	return 0
}

func (h *heat) valuesFit(p *painter, size vg.Length) bool {
	if p.y.narrowest(h.rows) < size*capHeight+2*cellPadding {
		return false
	}
	for _, column := range h.columns {
		room := p.x.at(column.hi) - p.x.at(column.low) - 2*cellPadding
		if room < size/2 {
			return false // narrower than a digit
		}
		for _, row := range h.rows {
			v := h.Values[row.index][column.index]
			if !math.IsNaN(v) && p.types.mustSet(h.format(v), size).width > room {
				return false
			}
		}
	}
	return true
}

// format formats a value for its cell: with as many decimals in all cells as the largest
// value has in three digits, or, on a logarithmic scale, with three digits of its own.
func (h *heat) format(v float64) string {
	largest := h.largest
	if h.Z.Log {
		largest = math.Abs(v)
	}
	if math.Abs(v) >= 1e5 || largest > 0 && largest < 1e-3 {
		rounded, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'e', 1, 64), 64) // its own output
		return formatScientific(rounded)
	}
	return formatDecimal(v, h.decimals(largest))
}

// decimals returns the number of decimals for a largest value.
func (h *heat) decimals(largest float64) int {
	switch {
	case h.whole || largest >= 100:
		return 0
	case largest >= 10:
		return 1
	case largest >= 0.1 || largest == 0:
		return 2
	}
	return 1 - decade(largest)
}

// sample shows a cell without a value.
func (h *heat) sample(p *painter, x, y vg.Length) {
	const half = legendRow * 0.38
	left := x + sampleWidth/4
	outline := box(left, left+sampleWidth/2, y-half, y+half)
	p.hatch(vg.Rectangle{Min: outline[0], Max: outline[2]})
	p.page.StrokeLines(draw.LineStyle{Color: ink, Width: axisWidth}, append(outline, outline[0]))
}

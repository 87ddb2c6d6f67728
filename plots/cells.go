package plots

import (
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bullring/plots/internal/page"
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

var hatchGrey = page.Mix(page.Ink, page.White, 0.55)

// A heat is a heat map with its cells in their places.
type heat struct {
	*HeatMap
	columns, rows []slot
	bar           page.Scale // from bottom to top
	label         page.TextLine
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
		bar:       page.Scale{Log: h.Z.Log, Whole: h.Z.Whole, Lo: lo, Hi: hi},
		pointLow:  data.lo < lo,
		pointHigh: data.hi > hi,
		largest:   max(math.Abs(data.lo), math.Abs(data.hi)),
		whole:     h.whole(),
	}
}

// setTexts implements filler.
func (h *heat) setTexts(l *layout, set setter) {
	l.setColumnNames(h.X.Categories, set)
	h.label = set("z", h.Z.Label, page.LabelSize, l.axesHeight-2*page.Margin)
	for i, name := range h.Y.Categories {
		set(page.NameOf("row", i, name), name, page.TickSize, rowRoom*l.width)
	}
}

// arrange implements filler.
func (h *heat) arrange(l *layout) error {
	const height = page.TickSize * page.CapHeight
	l.x.Log, l.x.Lo, l.x.Hi = l.figure.X.Log, h.columns[0].low, h.columns[len(h.columns)-1].hi
	l.y.Log, l.y.Lo, l.y.Hi = l.figure.Y.Log, h.rows[0].low, h.rows[len(h.rows)-1].hi

	l.y.From = max(l.bottom, l.footHeight(height))
	l.y.To = min(l.axesHeight-page.Margin-height/2, l.axesHeight-l.top)
	upwards := func(string) vg.Length { return height }
	setSlots(&l.y, h.Y, h.rows, upwards)
	h.arrangeBar(l.y)

	l.x.From = max(l.left, l.sideWidth())
	l.x.To = min(l.width-page.Margin-h.barRoom(l), l.width-l.right)
	if h.X.Categories != nil {
		l.setCategories(h.X)
		h.arrangeBar(l.y)
	} else {
		setSlots(&l.x, h.X, h.columns, l.tickWidth)
	}
	return h.checkRoom(l)
}

// checkRoom refuses a figure in which labels and colour bar leave no room for the cells.
func (h *heat) checkRoom(l *layout) error {
	const least = 28 // a centimetre
	if width, height := l.x.To-l.x.From, l.y.To-l.y.From; width < least || height < least {
		return l.figure.errorf("labels and colour bar leave %.0f by %.0f pt for the cells of the heat map; it needs %d by %d", width, height, least, least)
	}
	return nil
}

// setSlots puts ticks at the middles of all cells if their labels fit. Else it
// puts them at every second cell, every third..., or, where the cells are not
// equally wide, at round numbers.
func setSlots(s *page.Scale, side Side, slots []slot, extent func(string) vg.Length) {
	const gap = page.TickSize * 0.35
	for stride := 1; ; stride++ {
		s.Ticks = nil
		for i := 0; i < len(slots); i += stride {
			s.Ticks = append(s.Ticks, page.Tick{Value: slots[i].middle, Label: slots[i].label})
		}
		if len(s.Ticks) == 1 || s.Fit(s.Ticks, extent, gap) {
			return
		}
		if !side.equal() {
			s.SetTicks(extent, page.TickSize)
			return
		}
	}
}

// arrangeBar puts the colour bar beside the axis.
func (h *heat) arrangeBar(beside page.Scale) {
	h.bar.From, h.bar.To = beside.From, beside.To
	if h.pointLow {
		h.bar.From += barPoint
	}
	if h.pointHigh {
		h.bar.To -= barPoint
	}
	h.bar.SetTicks(func(string) vg.Length { return page.TickSize * page.CapHeight }, 1.6*page.TickSize)
}

// barRoom returns the width of the colour bar with its labels and the gap before
// it.
func (h *heat) barRoom(l *layout) vg.Length {
	room := barGap + barWidth + page.TickLength + page.TickGap + l.widest(h.bar.Ticks)
	if h.Z.Label != "" {
		room += page.LabelGap + page.LabelSize*(page.CapHeight+page.Descent)
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
	frame := draw.LineStyle{Color: page.Ink, Width: page.AxisWidth}
	p.page.StrokeLine2(frame, p.x.From, p.y.To, p.x.To, p.y.To)
	p.page.StrokeLine2(frame, p.x.To, p.y.From, p.x.To, p.y.To)
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
	r.Max.X = min(r.Max.X+overlap, p.x.To)
	r.Max.Y = min(r.Max.Y+overlap, p.y.To)
	return r
}

// narrowest returns the least width or height of a cell.
func (h *heat) narrowest(p *painter) vg.Length {
	return min(narrowestOf(p.x, h.columns), narrowestOf(p.y, h.rows))
}

func narrowestOf(s page.Scale, slots []slot) vg.Length {
	least := s.To - s.From
	for _, one := range slots {
		least = min(least, s.At(one.hi)-s.At(one.low))
	}
	return least
}

// color returns the colour of a value.
func (h *heat) color(v float64) color.NRGBA { return colorAt(h.bar.Part(v)) }

// hatch marks a cell without a value. The lines continue from one such cell to the next.
func (p *painter) hatch(cell vg.Rectangle) {
	area := draw.Canvas{Canvas: p.page.Canvas, Rectangle: cell}
	area.SetColor(page.White)
	area.Fill(cell.Path())
	height := cell.Max.Y - cell.Min.Y
	style := draw.LineStyle{Color: hatchGrey, Width: page.GridWidth}
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
	middle := vg.Point{X: (cell.Min.X + cell.Max.X) / 2, Y: (cell.Min.Y + cell.Max.Y - page.CapHeight*size) / 2}
	p.types.MustSet(text, size).Draw(p.page, middle, page.AlignCenter)
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
	if narrowestOf(p.y, h.rows) < size*page.CapHeight+2*cellPadding {
		return false
	}
	for _, column := range h.columns {
		room := p.x.At(column.hi) - p.x.At(column.low) - 2*cellPadding
		if room < size/2 {
			return false // narrower than a digit
		}
		for _, row := range h.rows {
			v := h.Values[row.index][column.index]
			if !math.IsNaN(v) && p.types.MustSet(h.format(v), size).Width > room {
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
		return page.FormatScientific(rounded)
	}
	return page.FormatDecimal(v, h.decimals(largest))
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
	return 1 - page.Decade(largest)
}

// sample shows a cell without a value.
func (h *heat) sample(p *painter, x, y vg.Length) {
	const half = page.LegendRow * 0.38
	left := x + page.SampleWidth/4
	outline := page.Box(left, left+page.SampleWidth/2, y-half, y+half)
	p.hatch(vg.Rectangle{Min: outline[0], Max: outline[2]})
	p.page.StrokeLines(draw.LineStyle{Color: page.Ink, Width: page.AxisWidth}, append(outline, outline[0]))
}

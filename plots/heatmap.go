package plots

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"bullring/plots/internal/page"
)

// A HeatMap shows a value over two axes by its colour: a cell for every column and row,
// with a colour bar at the right. In small maps the value stands in its cell. Nothing else
// is drawn in the axes of its figure.
//
// The scale of colours is viridis: equal steps look equally large, it goes from dark to
// light without a turn, so that it works in grey, and it does not need red to be told from
// green.
type HeatMap struct {
	// X places the columns from left to right, Y the rows: numbers upwards, as on
	// any axis, and categories downwards, as one reads them.
	X, Y Side

	// Z scales the colours. Without bounds they range over the values. A value beyond
	// a bound has the colour of that end, and the bar ends in a point there.
	Z Axis

	// Values[row][column] is the value of a cell. NaN is no value: the cell is
	// hatched.
	Values [][]float64
}

// A Side is an edge of a heat map with the places of the cells along it. It has
// either values or categories.
type Side struct {
	// Values are numbers in ascending order, along the figure's axis, linear or
	// logarithmic. A cell reaches half-way to its neighbours. The ticks are at the
	// values themselves.
	Values []float64

	// Ordinal makes the cells of all values equally wide, whatever the distances
	// of the values.
	Ordinal bool

	// Categories are the names of cells that have no numbers, in markup.
	Categories []string
}

// maxCells is the largest number of columns or rows: on the width of a page they are then
// 0.4 mm wide.
const maxCells = 400

// size returns the number of cells along the side.
func (s Side) size() int { return max(len(s.Values), len(s.Categories)) }

// equal reports whether all cells are equally wide, whatever their values.
func (s Side) equal() bool { return s.Ordinal || s.Categories != nil }

// A slot is the place of a column or row along its axis.
type slot struct {
	index           int // of the column or row in Values
	low, middle, hi float64
	label           string // in markup
}

// slots returns the places of the cells, in the order of the axis.
func (s Side) slots(log, downwards bool) []slot {
	slots := make([]slot, s.size())
	if s.equal() {
		for i := range slots {
			at, label := float64(i), ""
			if s.Categories != nil {
				label = s.Categories[i]
			} else {
				label = formatShort(s.Values[i])
			}
			slots[i] = slot{i, at - 0.5, at, at + 0.5, label}
		}
	} else {
		edges := edgesOf(s.Values, log)
		for i, v := range s.Values {
			slots[i] = slot{i, edges[i], v, edges[i+1], formatShort(v)}
		}
	}
	if downwards && s.Categories != nil {
		last := len(slots) - 1
		for i := range slots {
			slots[i].index, slots[i].label = last-i, s.Categories[last-i]
		}
	}
	return slots
}

// edgesOf returns the borders of cells: half-way between the values. The first and the
// last value lie in the middle of their cells.
func edgesOf(values []float64, log bool) []float64 {
	n := len(values)
	if n == 1 {
		lo, hi := Axis{Log: log}.colorLimits(span{values[0], values[0]})
		return []float64{lo, hi}
	}
	edges := make([]float64, n+1)
	between := func(a, b, part float64) float64 {
		if log {
			return a * math.Pow(b/a, part)
		}
		return a + (b-a)*part
	}
	for i := 1; i < n; i++ {
		edges[i] = between(values[i-1], values[i], 0.5)
	}
	edges[0] = between(values[0], values[1], -0.5)
	edges[n] = between(values[n-2], values[n-1], 1.5)
	return edges
}

// formatShort formats a number in full, with thin spaces between thousands.
func formatShort(v float64) string {
	text := strconv.FormatFloat(math.Abs(v), 'f', -1, 64)
	const longest = 8 // digits that are read at a glance
	if len(text) > longest {
		return page.FormatScientific(v)
	}
	decimals := 0
	for i := range text {
		if text[i] == '.' {
			decimals = len(text) - i - 1
		}
	}
	return page.FormatDecimal(v, decimals)
}

// colorLimits returns the values at the ends of a scale of colours. The data fill it
// completely; an axis leaves them room.
func (a Axis) colorLimits(data span) (lo, hi float64) {
	lo, hi = data.lo, data.hi
	if page.TooNarrow(lo, hi) {
		lo, hi = a.limits(data) // of a single value
	}
	if a.Min != nil {
		lo = *a.Min
	}
	if a.Max != nil {
		hi = *a.Max
	}
	return lo, hi
}

// zSpan returns the range of the values.
func (h *HeatMap) zSpan() span {
	s := emptySpan()
	for _, v := range slices.Concat(h.Values...) {
		if !math.IsNaN(v) {
			s.add(v)
		}
	}
	return s
}

// incomplete reports whether a cell has no value.
func (h *HeatMap) incomplete() bool {
	return slices.ContainsFunc(slices.Concat(h.Values...), math.IsNaN)
}

// whole reports whether all values are whole numbers.
func (h *HeatMap) whole() bool {
	return !slices.ContainsFunc(slices.Concat(h.Values...), func(v float64) bool { return !math.IsNaN(v) && v != math.Trunc(v) })
}

func (h *HeatMap) about() about {
	a := about{kind: "heat map", quantity: h.Z.Label}
	if h.incomplete() {
		a.label = "no value"
	}
	return a
}

func (h *HeatMap) check(to *mistakes, _ string) {
	const name = "heat map" // a figure has one
	f := to.figure
	if len(f.Marks) > 1 {
		to.add(name, errors.New("a heat map fills its axes; other marks take a figure of their own"))
	}
	to.add("heat map, x", h.X.validate(f.X))
	to.add("heat map, y", h.Y.validate(f.Y))
	to.add(name, h.Z.validate("z"))
	to.add(name, h.validateValues())
}

func (h *HeatMap) span(f *Figure, x, y *span) {
	for _, side := range []struct {
		slots []slot
		to    *span
	}{{h.X.slots(f.X.Log, false), x}, {h.Y.slots(f.Y.Log, true), y}} {
		side.to.add(side.slots[0].low)
		side.to.add(side.slots[len(side.slots)-1].hi)
	}
}

func (h *HeatMap) columns() []string { return []string{"kind", "x", "y", "z"} }

func (h *HeatMap) rows(t *table) {
	for j, values := range h.Values {
		for i, v := range values {
			z := ""
			if !math.IsNaN(v) {
				z = page.Number(v)
			}
			t.rows = append(t.rows, []string{"cell", h.X.name(i), h.Y.name(j), z})
		}
	}
}

// name returns the value or the category of a column or row.
func (s Side) name(i int) string {
	if s.Categories != nil {
		return Plain(s.Categories[i])
	}
	return page.Number(s.Values[i])
}

func (s Side) validate(a Axis) error {
	switch {
	case (len(s.Values) == 0) == (len(s.Categories) == 0):
		return fmt.Errorf("%d values and %d categories; a side takes one of the two", len(s.Values), len(s.Categories))
	case s.size() > maxCells:
		return fmt.Errorf("%d cells; a side takes %d at most", s.size(), maxCells)
	case a.Log && s.equal():
		return errors.New("cells of equal width on a logarithmic axis")
	case a.Categories != nil:
		return errors.New("the axis has categories; a heat map has them in its sides")
	case a.Min != nil || a.Max != nil:
		return errors.New("the axis has a bound; a heat map shows all its cells")
	}
	for i, v := range s.Values {
		if err := a.accept("value", v); err != nil {
			return fmt.Errorf("cell %d: %w", i, err)
		}
		if i > 0 && (v <= s.Values[i-1] || page.TooNarrow(s.Values[i-1], v)) {
			return fmt.Errorf("cell %d: %v after %v; the values must ascend", i, v, s.Values[i-1])
		}
	}
	return nil
}

func (h *HeatMap) validateValues() error {
	if len(h.Values) != h.Y.size() {
		return fmt.Errorf("%d rows of values for %d on the y axis", len(h.Values), h.Y.size())
	}
	for i, row := range h.Values {
		if len(row) != h.X.size() {
			return fmt.Errorf("%d values in row %d for %d columns", len(row), i, h.X.size())
		}
		for j, v := range row {
			if math.IsNaN(v) {
				continue
			}
			if err := h.Z.accept("value", v); err != nil {
				return fmt.Errorf("row %d, column %d: %w", i, j, err)
			}
		}
	}
	data := h.zSpan()
	if data.lo > data.hi {
		return errors.New("no cell has a value")
	}
	if lo, hi := h.Z.colorLimits(data); !(lo < hi) || page.TooNarrow(lo, hi) {
		return fmt.Errorf("the scale of colours runs from %v to %v", lo, hi)
	}
	return nil
}

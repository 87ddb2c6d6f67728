package plots

import (
	"slices"

	"gonum.org/v1/plot/vg"

	"bullring/plots/internal/page"
)

// A legendEntry is a label with a sample.
type legendEntry struct {
	of    identity
	label page.TextLine
	// sample draws between x and x+sampleWidth, with y as its middle.
	sample func(p *painter, x, y vg.Length)
}

func (e legendEntry) width() vg.Length { return page.SampleWidth + page.SampleGap + e.label.Width }

// legendEntries are the entries of a legend: theory stands beside or below measurements.
type legendEntries struct{ measured, theory []*legendEntry }

func (l *legendEntries) add(e *legendEntry) {
	if e.of.theory {
		l.theory = append(l.theory, e)
	} else {
		l.measured = append(l.measured, e)
	}
}

// A legend is an arrangement of entries. It stands above the axes, where it hides
// no data.
type legend struct {
	cells []legendCell
	width vg.Length
	rows  int
}

type legendCell struct {
	*legendEntry
	x   vg.Length // from the left edge of the legend
	row int
}

// newLegend arranges the entries in the fewest rows that fit into the room.
func newLegend(measured, theory []*legendEntry, room vg.Length) legend {
	best := sideBySide(measured, theory, room)
	for _, l := range []legend{aligned(measured, theory, room), separate(measured, theory, room)} {
		if l.rows < best.rows {
			best = l
		}
	}
	return best
}

// sideBySide has only measurements or only theory in a column, so that theory can stand
// beside its measurement.
func sideBySide(measured, theory []*legendEntry, room vg.Length) legend {
	longest := max(len(measured), len(theory))
	return firstFitting(room, longest+1, func(i int) (l legend) {
		if i == longest {
			l.add([][]*legendEntry{slices.Concat(measured, theory)})
			return l
		}
		rows := i + 1
		columns := slices.Collect(slices.Chunk(measured, rows))
		l.add(slices.AppendSeq(columns, slices.Chunk(theory, rows)))
		return l
	})
}

// aligned puts theory below the measurements in the same columns.
func aligned(measured, theory []*legendEntry, room vg.Length) legend {
	longest := max(len(measured), len(theory))
	return firstFitting(room, longest, func(i int) (l legend) {
		n := longest - i
		padded := slices.Clone(measured)
		for len(padded)%n != 0 {
			padded = append(padded, nil)
		}
		l.add(across(slices.Concat(padded, theory), n))
		return l
	})
}

// separate puts theory below the measurements in columns of its own.
func separate(measured, theory []*legendEntry, room vg.Length) legend {
	var l legend
	for _, group := range [][]*legendEntry{measured, theory} {
		if len(group) == 0 {
			continue
		}
		l = firstFitting(room, len(group), func(i int) legend {
			extended := legend{slices.Clone(l.cells), l.width, l.rows}
			extended.add(across(group, len(group)-i))
			return extended
		})
	}
	return l
}

// firstFitting returns the first of n variants that fits into the room, or the last.
func firstFitting(room vg.Length, n int, variant func(i int) legend) (l legend) {
	for i := range n {
		if l = variant(i); l.width <= room {
			break
		}
	}
	return l
}

// across deals the entries to n columns, row by row.
func across(entries []*legendEntry, n int) [][]*legendEntry {
	columns := make([][]*legendEntry, n)
	for i, e := range entries {
		columns[i%n] = append(columns[i%n], e)
	}
	return columns
}

// add adds columns below what is there. A nil entry is a gap.
func (l *legend) add(columns [][]*legendEntry) {
	top := l.rows
	var x vg.Length
	for _, column := range columns {
		var widest vg.Length
		for row, e := range column {
			l.rows = max(l.rows, top+row+1)
			if e != nil {
				l.cells = append(l.cells, legendCell{e, x, top + row})
				widest = max(widest, e.width())
			}
		}
		l.width = max(l.width, x+widest)
		x += widest + page.ColumnGap
	}
}

// height returns the height with the padding below; without entries it is zero.
func (l legend) height() vg.Length {
	if l.rows == 0 {
		return 0
	}
	return vg.Length(l.rows)*page.LegendRow + page.LegendPadding
}

// draw draws the legend with its upper left corner at the given point.
func (l legend) draw(p *painter, corner vg.Point) {
	for _, cell := range l.cells {
		x := corner.X + cell.x
		middle := corner.Y - (vg.Length(cell.row)+0.5)*page.LegendRow
		cell.sample(p, x, middle)
		p.text(cell.label, vg.Point{X: x + page.SampleWidth + page.SampleGap, Y: middle - page.CapHeight*page.LegendSize/2}, page.AlignLeft)
	}
}

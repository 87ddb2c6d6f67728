package plots

import (
	"cmp"
	"image/color"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bullring/plots/internal/page"
)

// An endLabel is the label of a series beside its last point, right of the axes.
type endLabel struct {
	label  page.TextLine
	series *styledSeries
	last   Point
	at     vg.Length // the height of the label's middle
}

// Measures of labels at the ends.
const (
	endLeader = vg.Length(9)          // from the axes to a label
	endGap    = vg.Length(1.5)        // between its line and the label
	endRow    = page.LegendSize * 1.2 // least distance of two labels
	endFar    = 2 * endRow            // furthest distance of a label from its series
	endRoom   = 0.4                   // largest part of the width that labels may take
)

// placeEnds puts the labels of the series at their ends, and returns the other entries of the
// legend. If they do not fit, all stay in the legend: some are too far from their series or too
// wide, or a series ends before another one.
func (l *layout) placeEnds(parts []part, entries legendEntries) (legendEntries, error) {
	ends := l.endsOf(parts, entries)
	if ends == nil {
		return entries, nil
	}
	var widest vg.Length
	for _, e := range ends {
		widest = max(widest, e.label.Width)
	}
	l.right = endLeader + widest + page.Margin
	height := l.axesHeight // arranging may make room for names along x; it comes again
	if err := l.arrange(); err != nil {
		return entries, err
	}
	l.axesHeight = height
	if l.right > endRoom*l.width || !l.spread(ends) {
		l.right = 0
		return entries, nil
	}
	l.ends = ends
	return legendEntries{theory: entries.theory}, nil
}

// endsOf returns the labels of the series; nil if they cannot stand at their ends.
func (l *layout) endsOf(parts []part, entries legendEntries) (ends []endLabel) {
	for _, e := range entries.measured {
		i := slices.IndexFunc(parts, func(p part) bool { return p.id == e.of })
		s, ok := l.marks[i].(*styledSeries)
		if !ok {
			return nil
		}
		ends = append(ends, endLabel{label: e.label, series: s, last: s.Points[len(s.Points)-1]})
	}
	for _, e := range ends {
		if e.last.X != ends[0].last.X {
			return nil
		}
	}
	return ends
}

// spread gives the labels their heights, from the bottom: those of their series, but apart from
// one another and within the axes. It reports whether each is near its series.
func (l *layout) spread(ends []endLabel) bool {
	height := func(e endLabel) vg.Length { return l.y.At(e.last.Y) }
	slices.Reverse(ends) // of points side by side the left one is above: lines to the labels do not cross
	slices.SortStableFunc(ends, func(a, b endLabel) int { return cmp.Compare(height(a), height(b)) })
	// A heap is labels that touch: they stand around the middle of their series.
	type heap struct{ first, n int }
	bottom := func(h heap) vg.Length {
		var sum vg.Length
		for _, e := range ends[h.first : h.first+h.n] {
			sum += height(e)
		}
		half := endRow * vg.Length(h.n-1) / 2
		return max(l.y.From, min(sum/vg.Length(h.n)-half, l.y.To-2*half))
	}
	var heaps []heap
	for i := range ends {
		heaps = append(heaps, heap{i, 1})
		for len(heaps) > 1 {
			last, before := heaps[len(heaps)-1], heaps[len(heaps)-2]
			if bottom(last) >= bottom(before)+endRow*vg.Length(before.n) {
				break
			}
			heaps = append(heaps[:len(heaps)-2], heap{before.first, before.n + last.n})
		}
	}
	for _, h := range heaps {
		for k := range h.n {
			e := &ends[h.first+k]
			e.at = bottom(h) + endRow*vg.Length(k)
			if y := height(*e); e.at-y > endFar || y-e.at > endFar || y < l.y.From || y > l.y.To || e.at > l.y.To {
				return false
			}
		}
	}
	at := l.x.At(ends[0].last.X)
	return at >= l.x.From && at <= l.x.To
}

// endLabels draws the labels at the ends, each with a thin line from its series.
func (p *painter) endLabels() {
	for _, e := range p.ends {
		x := p.x.To + endLeader
		end := e.series.at(p, e.last.X, e.last.Y)
		p.page.StrokeLine2(draw.LineStyle{Color: e.series.color, Width: page.AxisWidth}, end.X, end.Y, x-endGap, e.at)
		p.page.SetColor(readable(e.series.color))
		e.label.Draw(p.page, vg.Point{X: x, Y: e.at - page.CapHeight*page.LegendSize/2}, page.AlignLeft)
	}
}

// readable returns a darker shade of a colour, for letters.
func readable(c color.NRGBA) color.NRGBA { return page.Mix(c, page.Ink, 0.35) }

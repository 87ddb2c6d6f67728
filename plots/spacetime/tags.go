package spacetime

import (
	"gonum.org/v1/plot/vg"

	"bullring/plots/internal/page"
)

// Measures of the numbers on arrows in points.
const (
	tagSize   = vg.Length(5)
	tagRadius = vg.Length(3.1)
)

// A tag is the number of a kind on an arrow.
type tag struct {
	words
	pale bool
}

// newTag returns the number of a kind, in the middle of a place; ok is false if the kind has none.
func newTag(types *page.Typesetter, kind int, at vg.Point, pale bool) (t tag, ok bool) {
	markup, c := kindTag(kind), kindColor(kind)
	if markup == "" {
		return t, false
	}
	if pale {
		c = faded(c)
	}
	return tag{words{markup: markup, line: types.MustSet(markup, tagSize), size: tagSize, color: c, at: at, along: level}, pale}, true
}

// room is the place of the tag.
func (t tag) room() plate { return plate{t.at, level, tagRadius, tagRadius} }

// draw draws the tag in a circle.
func (t tag) draw(p pen) {
	p.disc(t.color, t.at, tagRadius)
	p.disc(page.White, t.at, tagRadius-0.5)
	t.at.Y -= page.CapHeight * t.size / 2
	p.words(t.words)
}

// tagParts are the places of a tag along an arrow, the best first.
var tagParts = []vg.Length{0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82}

// tagged returns the tag of an arrow, clear of lanes and of what is in the crowd, and adds it to
// that. Where there is no such place it stands in the middle, in front of the others.
func (f flight) tagged(types *page.Typesetter, c *crowd, lanes []vg.Length) (t tag, ok bool) {
	if t, ok = newTag(types, f.Kind, f.at(tagParts[0]), f.Faded); !ok {
		return t, false
	}
	for _, part := range tagParts {
		better := t
		better.at = f.at(part)
		if c.has(better.room()) && clearOf(lanes, better.room()) {
			t = better
			break
		}
	}
	c.plates = append(c.plates, t.room())
	return t, true
}

// clearOf reports whether a plate lies on no lane.
func clearOf(lanes []vg.Length, p plate) bool {
	for _, y := range lanes {
		if p.middle.Y-p.high < y && y < p.middle.Y+p.high {
			return false
		}
	}
	return true
}

// at is the point of an arrow at a part of its way.
func (f flight) at(part vg.Length) vg.Point {
	steps := vg.Length(len(f.path)-1) * part
	i := min(int(steps), len(f.path)-2)
	return f.path[i].Add(f.path[i+1].Sub(f.path[i]).Scale(steps - vg.Length(i)))
}

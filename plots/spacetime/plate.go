package spacetime

import (
	"math"

	"gonum.org/v1/plot/vg"
)

// A plate is a rectangle that may be turned.
type plate struct {
	middle, along vg.Point
	half, high    vg.Length // half of its extents along and across
}

// corners returns the corners in order.
func (p plate) corners() [4]vg.Point {
	u, v := p.along.Scale(p.half), vg.Point{X: -p.along.Y, Y: p.along.X}.Scale(p.high)
	return [4]vg.Point{
		p.middle.Sub(u).Sub(v), p.middle.Add(u).Sub(v), p.middle.Add(u).Add(v), p.middle.Sub(u).Add(v),
	}
}

// grown returns the plate with a rim.
func (p plate) grown(rim vg.Length) plate {
	p.half += rim
	p.high += rim
	return p
}

// overlaps reports whether two plates have a point in common: unless an edge of one of them
// separates them.
func (p plate) overlaps(q plate) bool {
	far := math.Hypot(float64(p.half), float64(p.high)) + math.Hypot(float64(q.half), float64(q.high))
	if d := p.middle.Sub(q.middle); math.Abs(float64(d.X)) > far || math.Abs(float64(d.Y)) > far {
		return false
	}
	return !p.separates(q.corners()) && !q.separates(p.corners())
}

// separates reports whether all corners lie beyond the same edge of the plate.
func (p plate) separates(corners [4]vg.Point) bool {
	lowX, lowY := vg.Length(math.Inf(1)), vg.Length(math.Inf(1))
	highX, highY := -lowX, -lowY
	for _, c := range corners {
		c = p.seen(c)
		lowX, highX = min(lowX, c.X), max(highX, c.X)
		lowY, highY = min(lowY, c.Y), max(highY, c.Y)
	}
	return lowX > p.half || highX < -p.half || lowY > p.high || highY < -p.high
}

// seen returns a point in the coordinates of the plate.
func (p plate) seen(q vg.Point) vg.Point {
	d := q.Sub(p.middle)
	return vg.Point{X: d.X*p.along.X + d.Y*p.along.Y, Y: d.Y*p.along.X - d.X*p.along.Y}
}

// crossed reports whether a line from a to b enters the plate (Liang and Barsky, 1984).
func (p plate) crossed(a, b vg.Point) bool {
	a, b = p.seen(a), p.seen(b)
	from, to := vg.Length(0), vg.Length(1)
	clip := func(start, change, limit vg.Length) bool { // start + t·change <= limit
		switch {
		case change == 0:
			return start <= limit
		case change > 0:
			to = min(to, (limit-start)/change)
		default:
			from = max(from, (limit-start)/change)
		}
		return from <= to
	}
	dx, dy := b.X-a.X, b.Y-a.Y
	return clip(a.X, dx, p.half) && clip(-a.X, -dx, p.half) && clip(a.Y, dy, p.high) && clip(-a.Y, -dy, p.high)
}

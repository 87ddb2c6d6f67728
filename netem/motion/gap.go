package motion

import "math/bits"

// gap is the place and the velocity of one process as another one sees it.
type gap struct{ x, y, vx, vy int64 }

// crossings are the times in 1..end at which two processes come into range and go out of it, 0 for
// never. While both keep their velocities, their squared distance is a parabola, so each happens at
// most once.
func (g gap) crossings(end, reach int64) (in, out int64) {
	if end <= 0 || g.far(end, reach) {
		return 0, 0
	}
	near := int64(0) // a time at which they are in range
	if !g.within(0, reach) {
		near = g.nearest(end)
		if !g.within(near, reach) {
			if near++; near > end || !g.within(near, reach) {
				return 0, 0
			}
		}
		in = first(0, near, func(t int64) bool { return g.within(t, reach) })
	}
	if !g.within(end, reach) {
		out = first(near, end, func(t int64) bool { return !g.within(t, reach) })
	}
	return in, out
}

// far reports, for most of those that never come into range, that they do not.
func (g gap) far(end, reach int64) bool {
	x, y := g.x+g.vx*end, g.y+g.vy*end
	return min(g.x, x) > reach || max(g.x, x) < -reach || min(g.y, y) > reach || max(g.y, y) < -reach
}

// within reports whether the processes are in range after t.
func (g gap) within(t, reach int64) bool {
	x, y := abs(g.x+g.vx*t), abs(g.y+g.vy*t)
	if max(x, y) > uint64(reach) {
		return false
	}
	hi, lo := square(x, y)
	mostHi, mostLo := bits.Mul64(uint64(reach), uint64(reach))
	return hi < mostHi || hi == mostHi && lo <= mostLo
}

// nearest is the last whole time in 0..end that is not after the least distance, which is at
// -(x*vx+y*vy)/(vx*vx+vy*vy). The least distance at a whole time is then, or at the next one.
func (g gap) nearest(end int64) int64 {
	speed := uint64(g.vx*g.vx) + uint64(g.vy*g.vy) // squared; two speeds are below 2^32 together
	hi, lo, approach := dot(g.x, g.vx, g.y, g.vy)
	switch {
	case speed == 0 || !approach:
		return 0
	case hi >= speed:
		return end
	}
	t, _ := bits.Div64(hi, lo, speed)
	return int64(min(t, uint64(end)))
}

// dot is |a*b+c*d| in 128 bits, and whether the sum is negative.
func dot(a, b, c, d int64) (hi, lo uint64, negative bool) {
	h1, l1 := bits.Mul64(abs(a), abs(b))
	h2, l2 := bits.Mul64(abs(c), abs(d))
	negative, other := (a < 0) != (b < 0), (c < 0) != (d < 0)
	if negative == other {
		lo, carry := bits.Add64(l1, l2, 0)
		hi, _ := bits.Add64(h1, h2, carry)
		return hi, lo, negative && hi|lo != 0
	}
	if h1 < h2 || h1 == h2 && l1 < l2 {
		h1, l1, h2, l2, negative = h2, l2, h1, l1, other
	}
	lo, borrow := bits.Sub64(l1, l2, 0)
	hi, _ = bits.Sub64(h1, h2, borrow)
	return hi, lo, negative && hi|lo != 0
}

// square is x*x+y*y in 128 bits, of numbers below 2^63.
func square(x, y uint64) (hi, lo uint64) {
	h1, l1 := bits.Mul64(x, x)
	h2, l2 := bits.Mul64(y, y)
	lo, carry := bits.Add64(l1, l2, 0)
	hi, _ = bits.Add64(h1, h2, carry)
	return hi, lo
}

func abs(x int64) uint64 {
	if x < 0 {
		return uint64(-x)
	}
	return uint64(x)
}

// root is the square root of a number of 128 bits below 2^126, rounded down.
func root(hi, lo uint64) int64 {
	r := uint64(0)
	for b := 62; b >= 0; b-- {
		try := r | 1<<b
		if h, l := bits.Mul64(try, try); h < hi || h == hi && l <= lo {
			r = try
		}
	}
	return int64(r)
}

// distance is the distance of two places, rounded down.
func distance(x, y int64) int64 { return root(square(abs(x), abs(y))) }

// first is the first t in lo+1..hi for which f, false at lo and true at hi, is true.
func first(lo, hi int64, f func(int64) bool) int64 {
	for lo+1 < hi {
		if mid := lo + (hi-lo)/2; f(mid) {
			hi = mid
		} else {
			lo = mid
		}
	}
	return hi
}

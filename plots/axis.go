package plots

import (
	"math"

	"bullring/plots/internal/page"
)

// A span is the range of the data along an axis.
type span struct{ lo, hi float64 }

func emptySpan() span { return span{math.Inf(1), math.Inf(-1)} }

func (s *span) add(v float64) {
	s.lo = min(s.lo, v)
	s.hi = max(s.hi, v)
}

// join adds another range.
func (s *span) join(t span) {
	s.lo = min(s.lo, t.lo)
	s.hi = max(s.hi, t.hi)
}

// headroom is the part of an axis left free at an end, so that no marker
// touches it.
const headroom = 0.04

// limits returns the values at the ends of an axis for the range of its data.
func (a Axis) limits(data span) (lo, hi float64) {
	if n := len(a.Categories); n > 0 {
		return -0.5, float64(n) - 0.5
	}
	lo, hi = a.linearLimits(data)
	if a.Log {
		lo, hi = logLimits(data)
	}
	if a.Min != nil {
		lo = *a.Min
	}
	if a.Max != nil {
		hi = *a.Max
	}
	return lo, hi
}

func (a Axis) linearLimits(data span) (lo, hi float64) {
	lo, hi = data.lo, data.hi
	if page.TooNarrow(lo, hi) {
		room := max(math.Abs(lo)/2, 1)
		return lo - room, hi + room
	}
	room := headroom * (hi - lo)
	switch {
	case lo >= 0 && lo < 0.3*hi:
		// Costs are compared by their ratio: show the zero when it is near.
		lo = 0
	default:
		lo -= room
	}
	return lo, hi + room
}

func logLimits(data span) (lo, hi float64) {
	if page.TooNarrow(data.lo, data.hi) {
		return data.lo / 2, data.hi * 2
	}
	room := math.Pow(data.hi/data.lo, headroom)
	return data.lo / room, data.hi * room
}

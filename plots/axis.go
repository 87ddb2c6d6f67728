package plots

import (
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
)

// A scale maps the values of an axis to positions on the page.
type scale struct {
	log      bool
	whole    bool      // ticks are at whole numbers
	lo, hi   float64   // values at the ends
	from, to vg.Length // positions of the ends
	ticks    []tick
}

// part returns where v lies between the ends: 0 at the first, 1 at the second.
func (s scale) part(v float64) float64 {
	if s.log {
		return math.Log(v/s.lo) / math.Log(s.hi/s.lo)
	}
	return (v - s.lo) / (s.hi - s.lo)
}

// at returns the position of v.
func (s scale) at(v float64) vg.Length { return s.from + vg.Length(s.part(v))*(s.to-s.from) }

// setTicks chooses the densest ticks whose labels, with the given extents along
// the axis, keep a gap between them.
func (s *scale) setTicks(extent func(label string) vg.Length, gap vg.Length) {
	fits := func(ticks []tick) bool {
		for _, t := range ticks {
			if s.whole && t.label != "" && t.value != math.Trunc(t.value) {
				return false
			}
		}
		return s.fit(ticks, extent, gap)
	}
	if s.log {
		s.ticks = logTicks(s.lo, s.hi, fits)
	} else {
		s.ticks = linearTicks(s.lo, s.hi, fits)
	}
}

// fit reports whether the labels of the ticks keep a gap between them.
func (s scale) fit(ticks []tick, extent func(label string) vg.Length, gap vg.Length) bool {
	end := vg.Length(math.Inf(-1))
	for _, t := range ticks {
		if t.label == "" {
			continue
		}
		half := extent(t.label) / 2
		if s.at(t.value)-half < end+gap {
			return false
		}
		end = s.at(t.value) + half
	}
	return true
}

// A span is the range of the data along an axis.
type span struct{ lo, hi float64 }

func emptySpan() span { return span{math.Inf(1), math.Inf(-1)} }

func (s *span) add(v float64) {
	s.lo = min(s.lo, v)
	s.hi = max(s.hi, v)
}

// spans returns the ranges of everything in the figure.
func (f *Figure) spans() (x, y span) {
	x, y = emptySpan(), emptySpan()
	for _, m := range f.Marks {
		m.span(f, &x, &y)
	}
	return x, y
}

// places returns the x where marks stand, each once, in ascending order.
func (f *Figure) places() (places []float64) {
	for _, m := range f.Marks {
		if m, ok := m.(placed); ok {
			places = append(places, m.places()...)
		}
	}
	slices.Sort(places)
	return slices.Compact(places)
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

// tooNarrow reports whether float64 can hardly tell the ticks of an axis apart.
func tooNarrow(lo, hi float64) bool {
	return hi-lo <= max(1e-9*max(math.Abs(lo), math.Abs(hi)), smallest)
}

func (a Axis) linearLimits(data span) (lo, hi float64) {
	lo, hi = data.lo, data.hi
	if tooNarrow(lo, hi) {
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
	if tooNarrow(data.lo, data.hi) {
		return data.lo / 2, data.hi * 2
	}
	room := math.Pow(data.hi/data.lo, headroom)
	return data.lo / room, data.hi * room
}

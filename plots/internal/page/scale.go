package page

import (
	"math"

	"gonum.org/v1/plot/vg"
)

// A Scale maps the values of an axis to positions on the page.
type Scale struct {
	Log      bool
	Whole    bool      // ticks are at whole numbers
	Lo, Hi   float64   // values at the ends
	From, To vg.Length // positions of the ends
	Ticks    []Tick
}

// Part returns where v lies between the ends: 0 at the first, 1 at the second.
func (s Scale) Part(v float64) float64 {
	if s.Log {
		return math.Log(v/s.Lo) / math.Log(s.Hi/s.Lo)
	}
	return (v - s.Lo) / (s.Hi - s.Lo)
}

// At returns the position of v.
func (s Scale) At(v float64) vg.Length { return s.From + vg.Length(s.Part(v))*(s.To-s.From) }

// SetTicks chooses the densest ticks whose labels, with the given extents along
// the axis, keep a gap between them.
func (s *Scale) SetTicks(extent func(label string) vg.Length, gap vg.Length) {
	fits := func(ticks []Tick) bool {
		for _, t := range ticks {
			if s.Whole && t.Label != "" && t.Value != math.Trunc(t.Value) {
				return false
			}
		}
		return s.Fit(ticks, extent, gap)
	}
	if s.Log {
		s.Ticks = logTicks(s.Lo, s.Hi, fits)
	} else {
		s.Ticks = linearTicks(s.Lo, s.Hi, fits)
	}
}

// Fit reports whether the labels of the ticks keep a gap between them.
func (s Scale) Fit(ticks []Tick, extent func(label string) vg.Length, gap vg.Length) bool {
	end := vg.Length(math.Inf(-1))
	for _, t := range ticks {
		if t.Label == "" {
			continue
		}
		half := extent(t.Label) / 2
		if s.At(t.Value)-half < end+gap {
			return false
		}
		end = s.At(t.Value) + half
	}
	return true
}

// Values beyond these are no measurements; arithmetic with them would overflow.
const (
	Largest  = 1e100
	Smallest = 1e-100
)

// TooNarrow reports whether float64 can hardly tell the ticks of an axis apart.
func TooNarrow(lo, hi float64) bool {
	return hi-lo <= max(1e-9*max(math.Abs(lo), math.Abs(hi)), Smallest)
}

package plots

import (
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
)

// SideBySide returns the groups of series of a figure that hide one another: of each, half of the points
// or more lie on points of another one of the group, within 1 % of the height of the axes. The
// points that a group has at one x are drawn side by side around it. Series with more points
// than show error bars do not belong to a group, since not all of their markers are drawn.
func SideBySide(f *Figure) (groups [][]*Series) {
	series := slices.DeleteFunc(marksOf[*Series](f), func(s *Series) bool { return len(s.Points) > maxErrorBars })
	near := nearIn(f)
	group := make([]int, len(series)) // of each series; the group of the first that it lies on
	for i := range series {
		group[i] = i
	}
	for i, s := range series {
		for j, other := range series[:i] {
			if liesNear(s, other, near) {
				from, to := group[i], group[j]
				for k := range group {
					if group[k] == from {
						group[k] = to
					}
				}
			}
		}
	}
	for i := range series {
		var members []*Series
		for k, s := range series {
			if group[k] == i {
				members = append(members, s)
			}
		}
		if len(members) > 1 {
			groups = append(groups, members)
		}
	}
	return groups
}

// nearIn returns the test whether two y are so near that one marker covers the other.
func nearIn(f *Figure) func(a, b float64) bool {
	_, y := f.spans()
	lo, hi := f.Y.limits(y)
	scale := func(v float64) float64 { return v }
	if f.Y.Log {
		scale = math.Log
	}
	const part = 0.01
	room := part * (scale(hi) - scale(lo))
	return func(a, b float64) bool { return math.Abs(scale(a)-scale(b)) <= room }
}

// liesNear reports whether half of the points of the shorter series or more lie on points of
// the other.
func liesNear(s, other *Series, near func(a, b float64) bool) bool {
	on := 0
	for _, p := range s.Points {
		if slices.ContainsFunc(other.Points, func(q Point) bool { return q.X == p.X && near(q.Y, p.Y) }) {
			on++
		}
	}
	return 2*on >= min(len(s.Points), len(other.Points))
}

// A berth is the place of a series among those that are drawn side by side with it.
type berth struct {
	nth, of int
	places  []float64 // where the group has points
}

// berthOf returns the place of a series.
func berthOf(f *Figure, s *Series) (place berth) {
	for _, group := range SideBySide(f) {
		nth := slices.Index(group, s)
		if nth < 0 {
			continue
		}
		place.nth, place.of = nth, len(group)
		for _, member := range group {
			for _, p := range member.Points {
				place.places = append(place.places, p.X)
			}
		}
		slices.Sort(place.places)
		place.places = slices.Compact(place.places)
	}
	return place
}

// Measures of points that are drawn side by side.
const (
	dodgeStep   = 2*markerRadius + vg.Length(0.7)
	dodgeFilled = 0.8 // part of the distance of two places that the points of one may take
)

// shift returns how far from its x a point is drawn. The points of a place stay inside the axes.
func (s berth) shift(p *painter, x float64) vg.Length {
	at := p.x.At(x)
	if s.of == 0 || at < p.x.From || at > p.x.To {
		return 0
	}
	gap := p.x.To - p.x.From
	i := slices.Index(s.places, x)
	if i > 0 {
		gap = min(gap, at-p.x.At(s.places[i-1]))
	}
	if i+1 < len(s.places) {
		gap = min(gap, p.x.At(s.places[i+1])-at)
	}
	step := min(dodgeStep, dodgeFilled*gap/vg.Length(s.of))
	wide := step * vg.Length(s.of-1)
	first := max(p.x.From, min(at-wide/2, p.x.To-wide))
	return first + step*vg.Length(s.nth) - at
}

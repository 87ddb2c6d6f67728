package figures

import (
	"math"
	"slices"
	"strings"

	"bullring/plots"
)

// hiddenWords say which series of a figure lie on another, or on their theory, at all of their
// points, and what becomes of such points: they are drawn side by side, or the reader sees only
// what is drawn last.
func hiddenWords(f *plots.Figure) string {
	var series []*plots.Series
	var curves []*plots.Curve
	for _, m := range f.Marks {
		switch m := m.(type) {
		case *plots.Series:
			series = append(series, m)
		case *plots.Curve:
			curves = append(curves, m)
		}
	}
	parts := coinciding(series)
	if on := onTheory(series, curves); on != nil {
		parts = append(parts, enumerate(on)+verb(on, " lies on its theory", " lie on their theory"))
	}
	beside := slices.Concat(plots.SideBySide(f)...)
	if beside != nil {
		parts = append(parts, sideBySide)
	}
	if near := hiddenNear(f.Y.Log, series, beside); near != nil {
		parts = append(parts, "Hidden under others, within 1 % of the height of the points: "+enumerate(near))
	}
	if parts == nil {
		return ""
	}
	return strings.Join(parts, ". ") + "."
}

// sideBySide says that points are not drawn where they are.
const sideBySide = "Points that would hide one another are drawn side by side around their x"

// coinciding says which series coincide, and which lie on a longer one.
func coinciding(series []*plots.Series) (parts []string) {
	done := map[*plots.Series]bool{}
	for i, s := range series {
		if done[s] {
			continue
		}
		same := []string{s.Label}
		for _, other := range series[i+1:] {
			if liesOn(s, other) && liesOn(other, s) {
				same, done[other] = append(same, other.Label), true
			}
		}
		if len(same) > 1 {
			parts = append(parts, enumerate(same)+" coincide")
		}
		for _, other := range series {
			if other != s && liesOn(s, other) && !liesOn(other, s) {
				parts = append(parts, enumerate(same)+verb(same, " lies on ", " lie on ")+enumerate([]string{other.Label}))
				break
			}
		}
	}
	return parts
}

// hiddenNear lists the series of which each point has a point of a later one so near that it
// covers it, without lying on one of them. Those drawn beside others are seen.
func hiddenNear(log bool, series, beside []*plots.Series) (labels []string) {
	scale := func(y float64) float64 { return y }
	if log {
		scale = math.Log
	}
	least, most := math.Inf(1), math.Inf(-1)
	for _, s := range series {
		for _, p := range s.Points {
			least, most = min(least, scale(p.Y)), max(most, scale(p.Y))
		}
	}
	for i, s := range series {
		later := series[i+1:]
		covered := func(p plots.Point) bool {
			return slices.ContainsFunc(later, func(other *plots.Series) bool {
				y, ok := heights(other)[p.X]
				return ok && math.Abs(scale(y)-scale(p.Y)) <= (most-least)/100
			})
		}
		lies := slices.ContainsFunc(later, func(other *plots.Series) bool { return liesOn(s, other) })
		if !lies && !slices.Contains(beside, s) && !slices.ContainsFunc(s.Points, func(p plots.Point) bool { return !covered(p) }) {
			labels = append(labels, s.Label)
		}
	}
	return labels
}

// enumerate lists names. A name with a comma is in quotes.
func enumerate(names []string) string {
	quoted := slices.Clone(names)
	for i, name := range quoted {
		if strings.Contains(name, ",") {
			quoted[i] = "“" + name + "”"
		}
	}
	last := len(quoted) - 1
	if last <= 0 {
		return strings.Join(quoted, "")
	}
	return strings.Join(quoted[:last], ", ") + " and " + quoted[last]
}

// verb is the form of a verb for so many names.
func verb(names []string, one, several string) string {
	if len(names) == 1 {
		return one
	}
	return several
}

// heights are the y of points by x.
func heights(s *plots.Series) map[float64]float64 {
	at := make(map[float64]float64, len(s.Points))
	for _, p := range s.Points {
		at[p.X] = p.Y
	}
	return at
}

// equal allows for the rounding of a mean.
func equal(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b)) }

// liesOn reports whether each point of a series is one of the other.
func liesOn(s, other *plots.Series) bool {
	at := heights(other)
	return !slices.ContainsFunc(s.Points, func(p plots.Point) bool {
		y, ok := at[p.X]
		return !ok || !equal(p.Y, y)
	})
}

// onTheory lists the series whose points all lie on a curve of their colour.
func onTheory(series []*plots.Series, curves []*plots.Curve) (labels []string) {
	for _, s := range series {
		if slices.ContainsFunc(curves, func(c *plots.Curve) bool { return c.Key != "" && plots.SameKey(c.Key, s.Key) && follows(s, c) }) {
			labels = append(labels, s.Label)
		}
	}
	return labels
}

// follows reports whether a curve goes through the points of a series.
func follows(s *plots.Series, c *plots.Curve) bool {
	at := make(map[float64]float64, len(c.Points))
	for _, p := range c.Points {
		at[p.X] = p.Y
	}
	for x, y := range heights(s) {
		if theory, ok := at[x]; !ok || !equal(y, theory) {
			return false
		}
	}
	return true
}

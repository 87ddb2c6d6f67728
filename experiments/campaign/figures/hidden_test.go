package figures

import (
	"testing"

	"bullring/plots"
)

// A figure tells which series lie on which, on their theory, and which are covered by others.
func TestHidden(t *testing.T) {
	const side = "Points that would hide one another are drawn side by side around their x."
	line := func(label string, ys ...float64) *plots.Series {
		s := &plots.Series{Label: label, Key: label}
		for i, y := range ys {
			if y >= 0 {
				s.Points = append(s.Points, plots.Point{X: float64(i), Y: y})
			}
		}
		return s
	}
	curve := &plots.Curve{Key: "a", Points: []plots.XY{{X: 0, Y: 1}, {X: 0.5, Y: 3}, {X: 1, Y: 2}}}
	for _, c := range []struct {
		marks []plots.Mark
		want  string
	}{
		{[]plots.Mark{line("a", 1, 2, 4), line("b", 1, 3, 5)}, ""},
		{[]plots.Mark{line("a", 1, 2), line("b, c", 1, 2), line("d", 0, 100)}, "a and “b, c” coincide. " + side},
		{[]plots.Mark{line("a", 1, 2, 3), line("b", -1, 2, 3), line("c", 0, 0, 0)}, "b lies on a. " + side},
		{[]plots.Mark{line("a", 1, 2), curve}, "a lies on its theory."},
		{[]plots.Mark{line("b", 1, 2), curve}, ""},
		{[]plots.Mark{line("a", 1, 2, 3), line("b", 1.5, 100, 50), line("c", 50, 2.9, 90), line("d", 50, 100, 3)}, "Hidden under others, within 1 % of the height of the points: a."},
		{[]plots.Mark{line("a", 1, 2, 3), line("b", 1.5, 100, 50), line("c", 50, 3.3, 90), line("d", 50, 100, 3)}, ""},
		{[]plots.Mark{line("a", 1, 2), line("b", 1.5, 100), line("c", 0, 2.9)}, side},
	} {
		if got := hiddenWords(&plots.Figure{Marks: c.marks}); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	if got := hiddenWords(&plots.Figure{Y: plots.Axis{Log: true}, Marks: []plots.Mark{line("a", 100, 1), line("b", 101, 1.001), line("c", 1, 1000)}}); got != side {
		t.Errorf("on a logarithm %q, want %q", got, side)
	}
}

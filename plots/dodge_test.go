package plots_test

import (
	"slices"
	"testing"

	"bullring/plots"
	"bullring/plots/internal/golden"
)

// besideFigure has three series of zeros, one that touches them once, and one that rises.
func besideFigure() *plots.Figure {
	series := func(label string, ys ...float64) *plots.Series {
		s := &plots.Series{Label: label}
		for i, y := range ys {
			s.Points = append(s.Points, plots.Point{X: float64(i), Y: y, YLow: max(0, y-0.03), YHigh: y + 0.03})
		}
		return s
	}
	return &plots.Figure{
		Name: "beside", X: plots.Axis{Label: "x"}, Y: plots.Axis{Label: "y"},
		Marks: []plots.Mark{
			series("a", 0, 0, 0, 0, 0, 0), series("b", 0, 0, 0.004, 0.2, 0.4, 0), series("c", 0, 0.001, 0, 0, 0, 0),
			series("touches", 0, 0.3, 0.5, 0.6, 0.65, 0.66), series("rises", 0.1, 0.4, 0.6, 0.8, 0.9, 1), series("falls", 0.9, 0.4, 0.3, 0.8, 0.9, 1),
		},
	}
}

func labels(groups [][]*plots.Series) (all [][]string) {
	for _, group := range groups {
		var names []string
		for _, s := range group {
			names = append(names, s.Label)
		}
		all = append(all, names)
	}
	return all
}

// Series that share half of their points are drawn side by side: b joins a and c, since it lies
// on them in four of six points, and the one that touches them once does not.
func TestSideBySide(t *testing.T) {
	f := besideFigure()
	want := [][]string{{"a", "b", "c"}, {"rises", "falls"}}
	if got := labels(plots.SideBySide(f)); !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("side by side are %q; want %q", got, want)
	}
	golden.Compare(t, "beside", golden.Render(t, f.PNG))

	// Of a series of many points not all markers are drawn.
	long := f.Marks[0].(*plots.Series)
	for x := 6.0; x < 20; x++ {
		long.Points = append(long.Points, plots.Point{X: x})
	}
	want[0] = want[0][1:]
	if got := labels(plots.SideBySide(f)); !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("with a long series side by side are %q; want %q", got, want)
	}

	f.Y.Log = true
	one := func(label string, y float64) *plots.Series {
		return &plots.Series{Label: label, Points: []plots.Point{{X: 1, Y: y}, {X: 2, Y: y}}}
	}
	f.Marks = []plots.Mark{one("a", 1), one("b", 1.1), one("c", 1e6), one("d", 1e6+1)}
	if got := labels(plots.SideBySide(f)); !slices.EqualFunc(got, [][]string{{"a", "b"}, {"c", "d"}}, slices.Equal) {
		t.Errorf("on a logarithm side by side are %q", got)
	}
}

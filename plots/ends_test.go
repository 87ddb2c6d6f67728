package plots_test

import (
	"slices"
	"testing"

	"bullring/plots"
	"bullring/plots/internal/golden"
)

// endsFigure has series that end apart, three that end together, and theory.
func endsFigure() *plots.Figure {
	f := besideFigure()
	f.Name, f.Ends = "ends", true
	f.Marks[5] = &plots.Curve{Label: "theory", Key: "rises", Points: []plots.XY{{X: 0, Y: 0.15}, {X: 5, Y: 1}}}
	return f
}

// Labels stand at the ends of their series, from the bottom, before the rest is drawn; those of
// theory stay in the legend, which is drawn last.
func TestEnds(t *testing.T) {
	golden.Compare(t, "ends", golden.Render(t, endsFigure().PNG))
	texts := svgTexts(t, golden.Render(t, endsFigure().SVG))
	if want := []string{"c", "b", "a", "touches", "rises"}; !slices.Equal(texts[:5], want) || texts[len(texts)-1] != "theory" {
		t.Errorf("the texts are %q; they begin with %q and end with theory", texts, want)
	}
	for what, change := range map[string]func(f *plots.Figure){
		"a series that ends before the others": func(f *plots.Figure) {
			s := f.Marks[3].(*plots.Series)
			s.Points = s.Points[:4]
		},
		"a label without room": func(f *plots.Figure) {
			f.Marks[0].(*plots.Series).Label = "a series of a very long name, wider than that"
		},
		"an end outside the axes": func(f *plots.Figure) { f.Y.Max = new(0.5) },
		"a label without room, below it names that stand upright": func(f *plots.Figure) {
			f.X.Categories = []string{"the first name", "the second name", "the third name", "the fourth name", "the fifth name", "the sixth name"}
			f.Marks[0].(*plots.Series).Label = "a series of a very long name, wider than that"
		},
		"too many at one place": func(f *plots.Figure) {
			for _, label := range []string{"d", "e", "f", "g"} {
				f.Marks = append(f.Marks, &plots.Series{Label: label, Points: f.Marks[0].(*plots.Series).Points})
			}
		},
	} {
		f := endsFigure()
		change(f)
		ends := golden.Render(t, f.PNG)
		f.Ends = false
		if legend := golden.Render(t, f.PNG); !slices.Equal(ends, legend) {
			t.Errorf("%s: the picture is not that with a legend", what)
		}
	}
}

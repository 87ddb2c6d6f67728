package plots_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"strings"
	"testing"

	"bullring/plots"
	"bullring/plots/internal/golden"
)

// smallBoxes returns two places of boxes, the first of which has outliers.
func smallBoxes() *plots.Figure {
	return &plots.Figure{
		Name: "boxes",
		X:    plots.Axis{Label: "*x*"},
		Y:    plots.Axis{Label: "*y*"},
		Marks: []plots.Mark{
			&plots.BoxSeries{Label: "*LCR*", Key: "lcr", Boxes: []plots.Box{
				{X: 0, LowWhisker: 1, Q1: 2, Median: 3, Q3: 4.5, HighWhisker: 6, Outliers: []float64{9, 0.5}, Mean: new(3.25), N: 12},
				{X: 1, LowWhisker: 2, Q1: 2, Median: 2, Q3: 2, HighWhisker: 2},
			}},
		},
	}
}

// boxSeries returns the first mark of a figure, a series of boxes.
func boxSeries(f *plots.Figure) *plots.BoxSeries { return f.Marks[0].(*plots.BoxSeries) }

func TestBoxCSV(t *testing.T) {
	f := smallBoxes()
	f.Marks = append(f.Marks, &plots.Curve{Label: "c", Points: []plots.XY{{X: 0, Y: 1}, {X: 1, Y: 2}}})
	numbers := [][]string{
		{"kind", "label", "key", "x", "x_high", "y", "y_low", "y_high", "low_whisker", "high_whisker", "mean", "n"},
		{"curve", "c", "", "0", "", "1", "", "", "", "", "", ""},
		{"curve", "c", "", "1", "", "2", "", "", "", "", "", ""},
		{"box", "LCR", "lcr", "0", "", "3", "2", "4.5", "1", "6", "3.25", "12"},
		{"outlier", "LCR", "lcr", "0", "", "9", "", "", "", "", "", ""},
		{"outlier", "LCR", "lcr", "0", "", "0.5", "", "", "", "", "", ""},
		{"box", "LCR", "lcr", "1", "", "2", "2", "2", "2", "2", "", ""},
	}
	for _, categories := range [][]string{nil, {"*a*, 1", "b"}} {
		f.X.Categories = categories
		got, err := csv.NewReader(bytes.NewReader(golden.Render(t, f.CSV))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprintf("%q", numbers)
		if categories != nil {
			want = strings.NewReplacer(`"c" "" "0"`, `"c" "" "a, 1"`, `"c" "" "1"`, `"c" "" "b"`,
				`"lcr" "0"`, `"lcr" "a, 1"`, `"lcr" "1"`, `"lcr" "b"`).Replace(want)
		}
		if fmt.Sprintf("%q", got) != want {
			t.Errorf("rows\n got %q\nwant %s", got, want)
		}
	}
}

func TestBoxValidate(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*plots.Figure, []plots.Box)
		want   string
	}{
		{"no boxes", func(f *plots.Figure, _ []plots.Box) { boxSeries(f).Boxes = nil }, "boxes 1 (LCR): no boxes"},
		{"order", func(_ *plots.Figure, b []plots.Box) { b[1].X = 0 }, "boxes 1 (LCR): box 1: x is 0 after 0"},
		{"NaN", func(_ *plots.Figure, b []plots.Box) { b[0].Median = math.NaN() }, "box 0: median is NaN"},
		{"quartiles", func(_ *plots.Figure, b []plots.Box) { b[0].Q1 = 3.5 }, "box 0: median is 3, below the first quartile, 3.5"},
		{"whisker", func(_ *plots.Figure, b []plots.Box) { b[0].HighWhisker = 4 }, "high whisker is 4, below the third quartile, 4.5"},
		{"outlier", func(_ *plots.Figure, b []plots.Box) { b[0].Outliers[1] = math.Inf(1) }, "box 0: outlier 1 is +Inf"},
		{"mean", func(_ *plots.Figure, b []plots.Box) { b[0].Mean = new(math.NaN()) }, "box 0: mean is NaN"},
		{"sample", func(_ *plots.Figure, b []plots.Box) { b[1].N = -1 }, "box 1: a sample of -1 values"},
		{"log y", func(f *plots.Figure, b []plots.Box) { f.Y.Log, b[0].Outliers[1] = true, 0 }, "outlier 1 is 0 on a logarithmic axis"},
		{"log x", func(f *plots.Figure, _ []plots.Box) { f.X.Log = true }, "box 0: x is 0 on a logarithmic axis"},
		{"place", func(f *plots.Figure, b []plots.Box) { f.X.Categories = []string{"a"} }, "box 1: x is 1; the places of the 1 categories are 0 to 0"},
		{"half a place", func(f *plots.Figure, b []plots.Box) { f.X.Categories, b[1].X = []string{"a", "b"}, 0.5 }, "box 1: x is 0.5"},
		{"log categories", func(f *plots.Figure, _ []plots.Box) { f.X.Categories, f.X.Log = []string{"a", "b"}, true }, "categories on an axis with a logarithm"},
		{"bound", func(f *plots.Figure, _ []plots.Box) { f.X.Categories, f.X.Max = []string{"a", "b"}, new(1.0) }, "with a logarithm or a bound"},
		{"categories of y", func(f *plots.Figure, _ []plots.Box) { f.Y.Categories = []string{"a"} }, "the y axis has categories"},
		{"category", func(f *plots.Figure, _ []plots.Box) { f.X.Categories = []string{"a", "b_{c"} }, `column 2 (b_{c): "b_{c"`},
		{"heat map", func(f *plots.Figure, _ []plots.Box) { f.Marks = append(f.Marks, smallHeat().Marks...) }, "other marks take a figure of their own"},
		{"label", func(f *plots.Figure, _ []plots.Box) { boxSeries(f).Label = "*" }, `boxes 1 (*): "*"`},
	} {
		f := smallBoxes()
		if err := f.Validate(); err != nil {
			t.Fatal(err)
		}
		test.change(f, boxSeries(f).Boxes)
		if err := f.Validate(); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v; want %q", test.name, err, test.want)
		}
	}
}

// Boxes can be drawn in any number and at any places.
func TestBoxesAnywhere(t *testing.T) {
	for name, xs := range map[string][]float64{
		"single":  {8},
		"zero":    {0},
		"close":   {1, 1.001, 1000},
		"extreme": {1e-99, 1e99},
		"many":    {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30},
	} {
		for _, log := range []bool{false, true} {
			if log && xs[0] <= 0 {
				continue
			}
			f := &plots.Figure{Name: "anywhere", X: plots.Axis{Label: "*x*", Log: log}, Y: plots.Axis{Label: "*y*"}}
			for i := range 5 {
				var boxes []plots.Box
				for _, x := range xs {
					boxes = append(boxes, plots.Box{X: x, LowWhisker: 1, Q1: 2, Median: 3, Q3: 4, HighWhisker: 5})
				}
				f.Marks = append(f.Marks, &plots.BoxSeries{Label: fmt.Sprint(i), Boxes: boxes})
			}
			svg := golden.Render(t, f.SVG)
			if bytes.Contains(svg, []byte("NaN")) || bytes.Contains(svg, []byte("Inf")) {
				t.Errorf("%s, log %v: the SVG has NaN or Inf", name, log)
			}
		}
	}
}

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

// smallHeat returns a heat map of two columns and a row.
func smallHeat() *plots.Figure {
	return &plots.Figure{
		Name: "heat",
		X:    plots.Axis{Label: "*x*"},
		Y:    plots.Axis{Label: "*y*"},
		Marks: []plots.Mark{&plots.HeatMap{
			X:      plots.Side{Values: []float64{0.5, 2}},
			Y:      plots.Side{Categories: []string{"*LCR*, \\_"}},
			Z:      plots.Axis{Label: "*z*"},
			Values: [][]float64{{0.1, math.NaN()}},
		}},
	}
}

func TestHeatMapCSV(t *testing.T) {
	got, err := csv.NewReader(bytes.NewReader(golden.Render(t, smallHeat().CSV))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{{"kind", "x", "y", "z"}, {"cell", "0.5", "LCR, _", "0.1"}, {"cell", "2", "LCR, _", ""}}
	if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
		t.Errorf("rows\n got %q\nwant %q", got, want)
	}
}

// The title of the SVG describes the picture to readers who cannot see it.
func TestHeatMapTitle(t *testing.T) {
	if svg := golden.Render(t, smallHeat().SVG); !bytes.Contains(svg, []byte("<title>z, y against x</title>")) {
		t.Errorf("the SVG begins %.400s", svg)
	}
}

func TestHeatMapValidate(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*plots.Figure, *plots.HeatMap)
		want   string
	}{
		{"series", func(f *plots.Figure, _ *plots.HeatMap) {
			f.Marks = append(f.Marks, &plots.Series{Points: []plots.Point{{X: 1, Y: 1}}})
		}, "take a figure of their own"},
		{"no columns", func(_ *plots.Figure, h *plots.HeatMap) { h.X.Values = nil }, "heat map, x: 0 values and 0 categories"},
		{"both", func(_ *plots.Figure, h *plots.HeatMap) { h.X.Categories = []string{"a", "b"} }, "heat map, x: 2 values and 2 categories"},
		{"order", func(_ *plots.Figure, h *plots.HeatMap) { h.X.Values[1] = 0.5 }, "heat map, x: cell 1: 0.5 after 0.5"},
		{"NaN", func(_ *plots.Figure, h *plots.HeatMap) { h.X.Values[0] = math.NaN() }, "heat map, x: cell 0: value is NaN"},
		{"log", func(f *plots.Figure, h *plots.HeatMap) { f.X.Log, h.X.Values[0] = true, 0 }, "cell 0: value is 0 on a logarithmic axis"},
		{"log categories", func(f *plots.Figure, _ *plots.HeatMap) { f.Y.Log = true }, "heat map, y: cells of equal width on a logarithmic axis"},
		{"log ordinal", func(f *plots.Figure, h *plots.HeatMap) { f.X.Log, h.X.Ordinal = true, true }, "heat map, x: cells of equal width"},
		{"bound", func(f *plots.Figure, _ *plots.HeatMap) { f.X.Min = new(0.0) }, "heat map, x: the axis has a bound"},
		{"too many", func(_ *plots.Figure, h *plots.HeatMap) { h.X.Values = make([]float64, 401) }, "401 cells; a side takes 400"},
		{"rows", func(_ *plots.Figure, h *plots.HeatMap) { h.Values = nil }, "0 rows of values for 1"},
		{"columns", func(_ *plots.Figure, h *plots.HeatMap) { h.Values[0] = h.Values[0][:1] }, "1 values in row 0 for 2 columns"},
		{"infinity", func(_ *plots.Figure, h *plots.HeatMap) { h.Values[0][1] = math.Inf(1) }, "row 0, column 1: value is +Inf"},
		{"log colours", func(_ *plots.Figure, h *plots.HeatMap) { h.Z.Log, h.Values[0][0] = true, 0 }, "row 0, column 0: value is 0 on a logarithmic"},
		{"nothing", func(_ *plots.Figure, h *plots.HeatMap) { h.Values[0][0] = math.NaN() }, "no cell has a value"},
		{"colours", func(_ *plots.Figure, h *plots.HeatMap) { h.Z.Min, h.Z.Max = new(2.0), new(1.0) }, "the scale of colours runs from 2 to 1"},
		{"markup", func(_ *plots.Figure, h *plots.HeatMap) { h.Y.Categories[0] = "a_{b" }, "row 1 (a_{b): "},
		{"long name", func(_ *plots.Figure, h *plots.HeatMap) { h.Y.Categories[0] = strings.Repeat("long ", 9) }, "there is room for 95"},
		{"no room", func(f *plots.Figure, h *plots.HeatMap) { f.Width, h.Y.Categories[0] = 4, "a longer name" }, "for the cells of the heat map"},
	} {
		f := smallHeat()
		if err := f.Validate(); err != nil {
			t.Fatal(err)
		}
		test.change(f, f.Marks[0].(*plots.HeatMap))
		if err := f.Validate(); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v; want %q", test.name, err, test.want)
		}
	}
}

// Maps of every size and range can be drawn: nothing here may panic.
func TestExtremeHeatMaps(t *testing.T) {
	many := make([]float64, 400)
	for i := range many {
		many[i] = float64(i + 1)
	}
	for name, side := range map[string]plots.Side{
		"one value":    {Values: []float64{3}},
		"zero":         {Values: []float64{0}},
		"tiny":         {Values: []float64{1e-99, 3e-99}},
		"huge":         {Values: []float64{1, 1e99}},
		"many":         {Values: many},
		"many ordinal": {Values: many, Ordinal: true},
		"one name":     {Categories: []string{"a"}},
		"no name":      {Categories: []string{"", "", ""}},
		"many names":   {Categories: strings.Split(strings.Repeat("name,", 100), ",")},
	} {
		for _, log := range []bool{false, true} {
			if log && (side.Categories != nil || side.Ordinal || side.Values[0] == 0) {
				continue
			}
			for _, value := range []float64{0, 1e-99, 1e99, -5} {
				rows := max(len(side.Values), len(side.Categories))
				values := make([][]float64, rows)
				for i := range values {
					values[i] = []float64{value, math.NaN()}
				}
				f := &plots.Figure{
					Name:  "extreme",
					Y:     plots.Axis{Log: log},
					Marks: []plots.Mark{&plots.HeatMap{X: plots.Side{Categories: []string{"a", "b"}}, Y: side, Values: values}},
				}
				svg := golden.Render(t, f.SVG)
				if bytes.Contains(svg, []byte("NaN")) || bytes.Contains(svg, []byte("Inf")) {
					t.Errorf("%s, log %v, value %v: the SVG has NaN or Inf", name, log, value)
				}
			}
		}
	}
}

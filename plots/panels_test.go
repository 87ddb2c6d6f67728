package plots_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"bullring/plots"
	"bullring/plots/internal/golden"
)

// The panels of the golden files.
func goldenPanels() []*plots.Panels { return []*plots.Panels{twoPanels(), fourPanels()} }

// twoPanels shows the means and the distributions of two algorithms, with different axes.
func twoPanels() *plots.Panels {
	r := rand.New(rand.NewPCG(9, 9))
	costs := &plots.Figure{Title: "mean of 100 trials", X: plots.Axis{Label: "ring size *n*", Log: true}, Y: plots.Axis{Label: "messages", Log: true}}
	shares := &plots.Figure{Title: "*n* = 64, with 95 % bands", X: plots.Axis{Label: "messages *m*"}, Y: plots.Axis{Label: "share of the trials with at most *m*"}}
	for _, a := range []struct {
		label, key, theory string
		cost               func(n float64) float64
	}{
		{"LCR", "lcr", "*n* · *H*_{*n*}", func(n float64) float64 { return n * harmonic(n) }},
		{"Peterson", "peterson", "2*n* lg *n* + *n*", func(n float64) float64 { return 2*n*math.Log2(n) + n }},
	} {
		var points []plots.Point
		for n := 4.0; n <= 1024; n *= 2 {
			y := 0.9 * a.cost(n)
			points = append(points, plots.Point{X: n, Y: y, YLow: 0.85 * y, YHigh: 1.15 * y})
		}
		trials := make([]float64, 100)
		for i := range trials {
			trials[i] = math.Round(0.9 * a.cost(64) * (1 + 0.15*r.NormFloat64()))
		}
		costs.Marks = append(costs.Marks, &plots.Series{Label: a.label, Key: a.key, Points: points}, &plots.Curve{Label: a.theory, Key: a.key, Points: sample(4, 1024, 60, a.cost)})
		shares.Marks = append(shares.Marks, &plots.ECDF{Label: a.label, Key: a.key, Steps: steps(trials, 100)})
	}
	return &plots.Panels{
		Name: "panels-two", Figures: []*plots.Figure{costs, shares}, Looks: fixedLooks(),
		Meta: []plots.Meta{{Key: "Seed", Value: "9"}},
	}
}

// fourPanels shares both axes. A series is missing in the first panel, and one has a key
// without a fixed look.
func fourPanels() *plots.Panels {
	p := &plots.Panels{Name: "panels-four", Title: "Elections under faults", Height: 5, Columns: 2, ShareX: true, ShareY: true, Looks: fixedLooks()}
	for i, title := range []string{"no fault", "loss 5 %", "crash of the leader", "partition for 5 ms"} {
		f := &plots.Figure{Title: title, X: plots.Axis{Label: "processes *n*"}, Y: plots.Axis{Label: "time (ms)", Min: new(0.0)}}
		for j, who := range []string{"Raft", "bully", "my own"} {
			if i == 0 && j == 1 {
				continue
			}
			var points []plots.Point
			for n := 3.0; n <= 30; n += 3 {
				y := (4 + float64(i)) * math.Pow(n, 0.2+0.2*float64(j))
				points = append(points, plots.Point{X: n, Y: y, YLow: 0.9 * y, YHigh: 1.1 * y})
			}
			f.Marks = append(f.Marks, &plots.Series{Label: who, Key: who, Points: points})
		}
		f.Marks = append(f.Marks, &plots.Curve{Label: "4*n*^{0.4}", Points: sample(3, 30, 40, func(n float64) float64 { return 4 * math.Pow(n, 0.4) })})
		p.Figures = append(p.Figures, f)
	}
	return p
}

func TestPanelsCSV(t *testing.T) {
	heat := smallHeat()
	heat.Name = "not used"
	p := &plots.Panels{Name: "numbers", Figures: []*plots.Figure{withMeta(), heat, smallBoxes()}}
	got, err := csv.NewReader(bytes.NewReader(golden.Render(t, p.CSV))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{
		{"panel", "kind", "label", "key", "x", "x_high", "y", "y_low", "y_high", "z", "low_whisker", "high_whisker", "mean", "n"},
		{"a", "curve", "", "", "0", "", "0", "", "", "", "", "", "", ""},
		{"a", "curve", "", "", "1", "", "1", "", "", "", "", "", "", ""},
		{"b", "cell", "", "", "0.5", "", "LCR, _", "", "", "0.1", "", "", "", ""},
		{"b", "cell", "", "", "2", "", "LCR, _", "", "", "", "", "", "", ""},
		{"c", "box", "LCR", "lcr", "0", "", "3", "2", "4.5", "", "1", "6", "3.25", "12"},
		{"c", "outlier", "LCR", "lcr", "0", "", "9", "", "", "", "", "", "", ""},
		{"c", "outlier", "LCR", "lcr", "0", "", "0.5", "", "", "", "", "", "", ""},
		{"c", "box", "LCR", "lcr", "1", "", "2", "2", "2", "", "2", "2", "", ""},
	}
	if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
		t.Errorf("rows\n got %q\nwant %q", got, want)
	}
}

func TestPanelsValidate(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*plots.Panels)
		want   string
	}{
		{"name", func(p *plots.Panels) { p.Name = "../x" }, `panels "../x": the name is not`},
		{"none", func(p *plots.Panels) { p.Figures = nil }, `panels "panels-four": 0 panels in 2 columns`},
		{"columns", func(p *plots.Panels) { p.Columns = 5 }, "4 panels in 5 columns"},
		{"no letters", func(p *plots.Panels) { p.Figures = make([]*plots.Figure, 27) }, "27 panels in 2 columns; there are 1 to 26"},
		{"narrow", func(p *plots.Panels) { p.Width = 6 }, `figure "panels-four-a": width 3 cm outside`},
		{"mark", func(p *plots.Panels) { p.Figures[1].Marks[0] = &plots.Series{Label: "LCR"} }, `figure "panels-four-b": series 1 (LCR): no points`},
		{"text", func(p *plots.Panels) { p.Figures[1].Title = "*" }, `figure "panels-four-b": title: "(b) *"`},
		{"title", func(p *plots.Panels) { p.Title = "*" }, `panels "panels-four": "*"`},
		{"long title", func(p *plots.Panels) { p.Title = strings.Repeat("long ", 40) }, "the title is wider than the page"},
		{"meta", func(p *plots.Panels) { p.Meta = []plots.Meta{{Key: " x"}} }, `panels "panels-four": metadata key " x"`},
		{"axes", func(p *plots.Panels) { p.Figures[2].X.Log = true }, "panel (c) has another axis than panel (a), and shares it"},
		{"bounds", func(p *plots.Panels) { p.Figures[3].Y.Min = new(1.0) }, "panel (d) has another axis than panel (a), and shares it"},
	} {
		p := fourPanels()
		if err := p.Validate(); err != nil {
			t.Fatal(err)
		}
		test.change(p)
		if err := p.Validate(); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v; want %q", test.name, err, test.want)
		}
	}
}

// Cells at other places cannot share an axis.
func TestPanelsOfHeatMaps(t *testing.T) {
	p := &plots.Panels{Name: "heat", Figures: []*plots.Figure{smallHeat(), smallHeat()}, ShareX: true, ShareY: true}
	if err := p.Validate(); err != nil {
		t.Error(err)
	}
	p.Figures[1].Marks[0].(*plots.HeatMap).X.Values[1] = 3
	if err := p.Validate(); err == nil || !strings.Contains(err.Error(), "the cells of panel (b) are at other places") {
		t.Errorf("error %v", err)
	}
}

func TestPanelsSave(t *testing.T) {
	paths, err := fourPanels().Save(t.TempDir())
	if err != nil || len(paths) != 4 {
		t.Fatal(paths, err)
	}
	for i, extension := range []string{"png", "svg", "pdf", "csv"} {
		got, err := os.ReadFile(paths[i])
		if err != nil || !bytes.Equal(got, golden.Render(t, formats(fourPanels())[extension])) {
			t.Errorf("%s: %v, or other bytes than written directly", paths[i], err)
		}
	}
	meta, err := plots.ReadMeta(paths[0])
	if err != nil || len(meta) != 1 || meta[0] != (plots.Meta{Key: "Title", Value: "Elections under faults"}) {
		t.Errorf("metadata %v, %v", meta, err)
	}
}

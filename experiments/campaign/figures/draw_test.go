package figures_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bullring/experiments/campaign/figures"
	"bullring/experiments/internal/sweeptest"
)

// Figures hold means and theory, and are the same when they are drawn again.
func TestFiguresOfASweep(t *testing.T) {
	s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), sweeptest.Small)
	sweeptest.Run(t, s)
	draw := func() map[string]string {
		t.Helper()
		paths, err := figures.Draw(s.Registry, s.Dir)
		if err != nil {
			t.Fatal(err)
		}
		drawn := map[string]string{}
		for _, path := range paths {
			drawn[path] = string(sweeptest.Read(t, s, "figures/"+filepath.Base(path)))
		}
		return drawn
	}
	before := draw()
	if len(before) != 18 {
		t.Errorf("%d files; want six of three figures", len(before))
	}
	for path, content := range draw() {
		if content != before[path] {
			t.Errorf("%s is not the same again", path)
		}
	}
	has := func(figure string, want map[string]string) {
		t.Helper()
		for _, row := range sweeptest.Rows(t, sweeptest.Read(t, s, "figures/"+figure+".csv")) {
			same := true
			for k, v := range want {
				same = same && row[k] == v
			}
			if same {
				return
			}
		}
		t.Errorf("figure %s has no %v:\n%s", figure, want, sweeptest.Read(t, s, "figures/"+figure+".csv"))
	}
	has("lines", map[string]string{"kind": "series", "label": "ring, decreasing", "x": "40", "y": "820"})
	has("lines", map[string]string{"kind": "curve", "label": "ring, worst", "x": "20", "y": "210"})
	has("times", map[string]string{"kind": "series", "label": "delay 1ms", "x": "8", "y": "8"})
	has("times", map[string]string{"kind": "curve", "x": "8", "y": "8"})
	has("bars", map[string]string{"kind": "curve", "label": "exact distribution", "x": "8", "y": "0.5"})
	has("bars", map[string]string{"kind": "reference", "label": "exact mean 8.333"})
	has("bars", map[string]string{"kind": "reference", "label": "ring, worst 10", "x": "10"})
}

// A metric of the sweep's own is drawn in its unit, and a share within 0 and 100 %.
func TestFigureOfOwnMetrics(t *testing.T) {
	const text = `name: own
replicates: 10
outside_model: true
algorithms: ring
axes: {n: [4, 8], placement: random, link: [none, loss 5%]}
metrics: {wrong: {formula: 1 - correct, unit: "%", label: wrong runs}}
figures: [{name: rate, y: wrong, series: link}]
`
	s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), text)
	sweeptest.Run(t, s)
	if _, err := figures.Draw(s.Registry, s.Dir); err != nil {
		t.Fatal(err)
	}
	most := 0.0
	for _, row := range sweeptest.Rows(t, sweeptest.Read(t, s, "figures/rate.csv")) {
		y, errY := strconv.ParseFloat(row["y"], 64)
		high, errHigh := strconv.ParseFloat(row["y_high"], 64)
		if errY != nil || errHigh != nil || y < 0 || y > high || high > 100 {
			t.Errorf("%v", row)
		}
		most = max(most, y)
	}
	if most < 1 {
		t.Errorf("at most %v %% of the runs are wrong", most)
	}
	if caption := string(sweeptest.Read(t, s, "figures/rate.txt")); !strings.Contains(caption, "wrong runs (%)") {
		t.Errorf("the caption is %s", caption)
	}
}

// A figure with tex is written as TikZ, too, with its receipt; the LaTeX of its caption inputs it.
func TestTikZOfASweep(t *testing.T) {
	s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), `name: tikz
replicates: 2
algorithms: ring
axes: {n: [4, 8]}
figures:
  - {name: lines, y: messages, title: "*n*^{2} & more", tex: true}
  - {name: plain, y: messages}
  - {name: run, kind: diagram, y: messages, where: {n: 4}, tex: true}
  - {name: both, kind: grid, panels: [lines, plain], tex: true}
`)
	sweeptest.Run(t, s)
	paths, err := figures.Draw(s.Registry, s.Dir)
	if err != nil {
		t.Fatal(err)
	}
	var tikz []string
	for _, path := range paths {
		if filepath.Ext(path) == ".tikz" {
			tikz = append(tikz, filepath.Base(path))
		}
	}
	if want := []string{"lines.tikz", "run.tikz", "both.tikz"}; !slices.Equal(tikz, want) {
		t.Fatalf("%q are written; want %q", tikz, want)
	}
	for _, name := range tikz {
		if _, err := figures.ReadReceipt(s.Registry, filepath.Join(s.Dir, "figures", name)); err != nil {
			t.Error(err)
		}
		if caption := string(sweeptest.Read(t, s, "figures/"+strings.TrimSuffix(name, ".tikz")+".tex")); !strings.Contains(caption, `\input{`+name+`}`) || !strings.Contains(caption, `\usepackage{tikz}`) {
			t.Errorf("the caption of %s is\n%s", name, caption)
		}
	}
	drawn := string(sweeptest.Read(t, s, "figures/lines.tikz"))
	for _, want := range []string{`{$n^{2}$ \& more}`, "{4}", "{messages}", "{processes $n$}"} {
		if !strings.Contains(drawn, want) {
			t.Errorf("lines.tikz has no %s", want)
		}
	}
	if caption := string(sweeptest.Read(t, s, "figures/plain.tex")); !strings.Contains(caption, `\includegraphics{plain.pdf}`) {
		t.Errorf("the caption of plain is\n%s", caption)
	}
}

// labels: ends reaches the figure; the legend is the default.
func TestLabelsAtEnds(t *testing.T) {
	s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), `name: ends
algorithms: ring
axes: {n: [4, 8]}
figures:
  - {name: ends, y: messages, series: [label], labels: ends}
  - {name: legend, y: messages, series: [label], labels: legend}
  - {name: usual, y: messages, series: [label]}
`)
	sweeptest.Run(t, s)
	if _, err := figures.Draw(s.Registry, s.Dir); err != nil {
		t.Fatal(err)
	}
	label := regexp.MustCompile(`>ring<`)
	axis := regexp.MustCompile(`>messages<`)
	for _, name := range []string{"ends", "legend", "usual"} {
		svg := sweeptest.Read(t, s, "figures/"+name+".svg")
		at, of := label.FindIndex(svg), axis.FindIndex(svg)
		if at == nil || of == nil {
			t.Fatalf("%s has no label, or no axis", name)
		}
		if atEnd := at[0] < of[0]; atEnd != (name == "ends") { // a legend is drawn last
			t.Errorf("%s has its label at the end: %v", name, atEnd)
		}
	}
}

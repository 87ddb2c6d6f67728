package spacetime_test

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"bullring/plots"
	"bullring/plots/internal/golden"
	"bullring/plots/spacetime"
)

// diagramWriters are the formats of diagrams.
func diagramWriters(d *spacetime.Diagram) map[string]func(io.Writer) error {
	return map[string]func(io.Writer) error{"png": d.PNG, "svg": d.SVG, "pdf": d.PDF, "tikz": d.TikZ, "tex": d.TeX, "csv": d.CSV}
}

// TestGolden compares diagrams with the pictures in testdata.
func TestGolden(t *testing.T) {
	for name, d := range goldenDiagrams() {
		t.Run(name, func(t *testing.T) { golden.Compare(t, name, golden.Render(t, d.PNG)) })
	}
}

func TestEqualDiagramsGiveEqualBytes(t *testing.T) {
	one, other := diagramWriters(crashDiagram()), diagramWriters(crashDiagram())
	for format := range one {
		if !bytes.Equal(golden.Render(t, one[format]), golden.Render(t, other[format])) {
			t.Errorf("%s differs from one drawing to the next", format)
		}
	}
}

func TestDiagramValidate(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*spacetime.Diagram)
		want   string
	}{
		{"no lanes", func(d *spacetime.Diagram) { *d = spacetime.Diagram{} }, "no lanes"},
		{"lanes", func(d *spacetime.Diagram) { d.Lanes = lanes(25) }, "25 lanes; at most 24 can be read"},
		{"arrows", func(d *spacetime.Diagram) { d.Arrows = make([]spacetime.Arrow, 401) }, "401 arrows; at most 400 can be read"},
		{"changes", func(d *spacetime.Diagram) { d.Changes = make([]spacetime.Change, 401) }, "401 changes of links; at most 400 can be read"},
		{"width", func(d *spacetime.Diagram) { d.Width = 3 }, "width 3 cm outside [6, 100]"},
		{"axis", func(d *spacetime.Diagram) { d.End = math.Inf(1) }, "the axis runs from 0 to +Inf"},
		{"tick", func(d *spacetime.Diagram) { d.Ticks = []spacetime.Tick{{At: 2, Label: "x"}} }, "tick 1 (x): place 2 outside [0, 1]"},
		{"down", func(d *spacetime.Diagram) { d.Lanes[3].Down[0].To = 0.1 }, "lane 4 (p_3 (4)): it runs from 0.16666666666666666 back to 0.1"},
		{"lane", func(d *spacetime.Diagram) { d.Arrows[0].To.Lane = 4 }, "arrow 1 (ELECTION(1)): lane 4 of 4"},
		{"place", func(d *spacetime.Diagram) { d.Signs[0].At = math.NaN() }, "sign 1: place NaN outside [0, 1]"},
		{"backwards", func(d *spacetime.Diagram) { d.Arrows[3].To.At = 0 }, "it arrives at 0, before it was sent at 0.16666666666666666"},
		{"kind", func(d *spacetime.Diagram) { d.Arrows[0].Kind = 3 }, "kind 3 of 3"},
		{"stay", func(d *spacetime.Diagram) { d.Lanes[0].Stays = []spacetime.Stay{{Band: 1}} }, "lane 1 (p_0 (1)): band 1 of 0"},
		{"colour of a band", func(d *spacetime.Diagram) { d.Bands = []spacetime.Band{{Label: "leader"}} }, "band 1 (leader): colour 0 and texture 0; allowed are 1 to 7 and 0 to 5"},
		{"fate", func(d *spacetime.Diagram) { d.Arrows[0].Fate = 5 }, "fate 5; allowed are 0 to 4"},
		{"shape", func(d *spacetime.Diagram) { d.Signs[0].Shape = 5 }, "shape 5; allowed are 0 to 4"},
		{"period", func(d *spacetime.Diagram) {
			d.Periods = []spacetime.Period{{Label: "cut", Stretch: spacetime.Stretch{From: -1}}}
		}, "period 1 (cut): place -1"},
		{"change", func(d *spacetime.Diagram) { d.Changes = []spacetime.Change{{A: 1, B: 4}} }, "change 1: lane 4 of 4"},
		{"change to itself", func(d *spacetime.Diagram) { d.Changes = []spacetime.Change{{A: 1, B: 1}} }, "change 1: a link from a lane to itself"},
		{"markup", func(d *spacetime.Diagram) { d.Arrows[0].Label = "{" }, "arrow 1: \"{\", byte 0"},
		{"glyph", func(d *spacetime.Diagram) { d.Signs[0].News = "⌈" }, "the font has no glyph for '⌈'"},
		{"long lane", func(d *spacetime.Diagram) { d.Lanes[0].Label = strings.Repeat("long ", 20) }, "lane 1: "},
		{"meta", func(d *spacetime.Diagram) { d.Meta = []plots.Meta{{Key: "Receipt"}} }, `metadata key "Receipt" twice`},
	} {
		d := crashDiagram()
		if err := d.Validate(); err != nil {
			t.Fatal(err)
		}
		test.change(d)
		if err := d.Validate(); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v; want %q", test.name, err, test.want)
		}
		for format, write := range diagramWriters(d) {
			var b bytes.Buffer
			if write(&b) == nil || b.Len() > 0 {
				t.Errorf("%s: %s was written", test.name, format)
			}
		}
	}
}

// A diagram without messages or at a single instant is drawn, too.
func TestSmallestDiagrams(t *testing.T) {
	for _, d := range []*spacetime.Diagram{
		{Lanes: lanes(1)},
		{Lanes: lanes(2), Kinds: []string{"A"}, Begin: 3, End: 3, Arrows: []spacetime.Arrow{{To: spacetime.Spot{Lane: 1}}}},
	} {
		for format, write := range diagramWriters(d) {
			if len(golden.Render(t, write)) == 0 {
				t.Errorf("%s is empty", format)
			}
		}
	}
}

// A diagram is saved as a figure is, and its CSV has what it shows.
func TestSaveDiagram(t *testing.T) {
	dir := t.TempDir()
	d := crashDiagram()
	if _, err := d.Save(dir); err == nil || !strings.Contains(err.Error(), `"" is not a file name`) {
		t.Errorf("without a name: error %v", err)
	}
	d.Name = "run"
	paths, err := d.Save(dir)
	if err != nil || len(paths) != 4 || filepath.Base(paths[3]) != "run.csv" {
		t.Fatal(paths, err)
	}
	text, err := os.ReadFile(paths[3])
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(strings.TrimSpace(string(text)), "\n")
	if len(rows) != 1+len(d.Arrows)+len(d.Signs) || rows[0] != "kind,lane,at,to_lane,to,label" || rows[1] != "ELECTION,0,0,1,0.16666666666666666,ELECTION(1)" {
		t.Errorf("%d rows, %q", len(rows), rows[:2])
	}
}

// What does not fit is counted.
func TestDiagramCountsHiddenLabels(t *testing.T) {
	if all, hidden, err := crashDiagram().Labels(); all != 16 || hidden != 0 || err != nil {
		t.Errorf("%d labels, %d hidden, %v; want all of 16", all, hidden, err)
	}
	d := denseDiagram(spacetime.MaxLanes, spacetime.MaxArrows, plots.PageWidth)
	if all, hidden, err := d.Labels(); hidden == 0 || hidden >= all || err != nil {
		t.Errorf("%d of %d labels are hidden, %v; want some", hidden, all, err)
	}
}

// Any text that a picture can carry is read back unchanged from every format.
func TestDiagramMetaProperty(t *testing.T) {
	dir := t.TempDir()
	character := rapid.SampledFrom([]rune("\t\n\r \\()%\"{}:é\u2028𝛼ab"))
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.StringMatching(`[!-~]([ -~]{0,70}[!-~])?`).Filter(func(k string) bool { return k != "Receipt" && k != "Title" }).Draw(t, "key")
		text := strings.Repeat(rapid.StringOf(character).Draw(t, "text"), rapid.SampledFrom([]int{1, 1, 300}).Draw(t, "times"))
		d := spacetime.Diagram{Title: "*n*^{2}", Lanes: lanes(1), Width: 6, Meta: []plots.Meta{{Key: key, Value: text}, {Key: "Other key"}}}
		for _, extension := range []string{".svg", ".pdf", ".tikz", ".tex"} {
			path := filepath.Join(dir, "d"+extension)
			if err := d.SaveAs(path); err != nil {
				t.Fatal(err)
			}
			want := append([]plots.Meta{{Key: "Title", Value: "n^2"}}, d.Meta...)
			if got, err := plots.ReadMeta(path); err != nil || !slices.Equal(got, want) {
				t.Fatalf("%s: read %.300q, %v; want %.300q", path, got, err, want)
			}
		}
	})
}

func TestReadMetaRefusesTikZ(t *testing.T) {
	whole := string(golden.Render(t, crashDiagram().TikZ))
	for _, test := range []struct{ name, content, want string }{
		{"of another program", "\\begin{tikzpicture}\n\\end{tikzpicture}\n", "carries no receipt"},
		{"empty", "", "carries no receipt"},
		{"cut short", whole[:len(whole)-40], "damaged or cut short"},
		{"damaged", strings.Replace(whole, `"Seed" "1"`, `"Seed" 1`, 1), "is no entry of metadata"},
	} {
		path := filepath.Join(t.TempDir(), "x.tikz")
		if err := os.WriteFile(path, []byte(test.content), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := plots.ReadMeta(path); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v; want %q", test.name, err, test.want)
		}
	}
}

func TestDiagramFormats(t *testing.T) {
	for _, name := range []string{"x.svg", "x.pdf", "x.png", "x.tikz", "x.tex"} {
		if err := plots.CheckPicture(name); err != nil {
			t.Error(err)
		}
	}
	err := crashDiagram().SaveAs(filepath.Join(t.TempDir(), "x.jpg"))
	if err == nil || !strings.Contains(err.Error(), ".svg, .pdf, .png, .tikz or .tex") {
		t.Errorf("error %v does not name the formats", err)
	}
}

// LaTeX compiles the golden diagrams: each as a document of its own, and all as pictures of
// one document.
func TestLaTeXCompilesDiagrams(t *testing.T) {
	latex, err := exec.LookPath("pdflatex")
	if err != nil {
		t.Skip("NOT CHECKED: there is no pdflatex to compile TikZ with")
	}
	dir, inputs := t.TempDir(), ""
	for name, d := range goldenDiagrams() {
		if err := d.SaveAs(filepath.Join(dir, name+".tikz")); err != nil {
			t.Fatal(err)
		}
		inputs += fmt.Sprintf("\\input{%s.tikz}\n", name)
	}
	if err := faultsDiagram().SaveAs(filepath.Join(dir, "alone.tex")); err != nil {
		t.Fatal(err)
	}
	all := "\\documentclass{article}\n\\usepackage{tikz}\n\\begin{document}\n" + inputs + "\\end{document}\n"
	if err := os.WriteFile(filepath.Join(dir, "all.tex"), []byte(all), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"alone", "all"} {
		cmd := exec.Command(latex, "-interaction=nonstopmode", "-halt-on-error", name+".tex")
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			if bytes.Contains(out, []byte("tikz.sty' not found")) {
				t.Skip("NOT CHECKED: this LaTeX has no tikz (texlive-pictures)")
			}
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

func BenchmarkDiagram(b *testing.B) {
	for name, d := range map[string]*spacetime.Diagram{"small": crashDiagram(), "largest": denseDiagram(spacetime.MaxLanes, spacetime.MaxArrows, plots.PageWidth)} {
		for format, write := range diagramWriters(d) {
			b.Run(name+"/"+format, func(b *testing.B) {
				for b.Loop() {
					if err := write(io.Discard); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

package plots_test

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"bullring/plots"
	"bullring/plots/internal/golden"
)

// TikZ has the texts of a figure as LaTeX, its lines in their colours and dashes, and its size.
func TestTikZ(t *testing.T) {
	drawn := string(golden.Render(t, wordyFigure().TikZ))
	for _, want := range []string{
		`{Cost of $\varphi $-accrual, $T_{\mathrm{min}}$ $\leq$ $n^{2}$}`, `{processes $n$}`, `{messages (10$^{3}$ a run)}`,
		`{Chang–Roberts \& Défago}`, `{theory: $\surd$ $n$ $\to$ $\infty$}`, `{$-$4}`, `{1.6}`, "rotate=90", "(0,0) rectangle (238.11,",
		`\definecolor{b009E73}{HTML}{009E73}`, "draw=b009E73, line width=1bp]", "dash pattern=on 3.2bp  off 1.6bp",
	} {
		if !strings.Contains(drawn, want) {
			t.Errorf("there is no %s in\n%s", want, drawn)
		}
	}
	alone := string(golden.Render(t, wordyFigure().TeX))
	if _, picture, _ := strings.Cut(drawn, `\begin{tikzpicture}`); !strings.Contains(alone, picture) || !strings.Contains(alone, `\begin{document}`) {
		t.Error("the document does not have the picture")
	}
}

// A picture of more parts than TeX has memory for is refused.
func TestTikZTooLarge(t *testing.T) {
	f := &plots.Figure{Name: "large", Marks: []plots.Mark{&plots.Scatter{Label: "a"}}}
	s := f.Marks[0].(*plots.Scatter)
	for i := range 10_100 {
		s.Points = append(s.Points, plots.XY{X: float64(i % 100), Y: float64(i / 100)})
	}
	err := f.TikZ(io.Discard)
	if err == nil || !strings.Contains(err.Error(), `figure "large": TikZ of 10`) || !strings.Contains(err.Error(), "TeX has memory for 10000") {
		t.Errorf("error %v", err)
	}
	s.Points = s.Points[:9_900]
	if err := f.TikZ(io.Discard); err != nil {
		t.Error(err)
	}
}

// LaTeX compiles the golden figures: each as a document of its own, and all as pictures of one.
func TestLaTeXCompilesFigures(t *testing.T) {
	latex, err := exec.LookPath("pdflatex")
	if err != nil {
		t.Skip("NOT CHECKED: there is no pdflatex to compile TikZ with")
	}
	dir, inputs := t.TempDir(), ""
	for _, f := range goldenFigures() {
		if err := os.WriteFile(filepath.Join(dir, f.Name+".tikz"), golden.Render(t, f.TikZ), 0o644); err != nil {
			t.Fatal(err)
		}
		inputs += "\\input{" + f.Name + ".tikz}\n\n"
	}
	all := "\\documentclass{article}\n\\usepackage{tikz}\n\\begin{document}\n" + inputs + "\\end{document}\n"
	for name, text := range map[string][]byte{"all": []byte(all), "alone": golden.Render(t, wordyFigure().TeX)} {
		if err := os.WriteFile(filepath.Join(dir, name+".tex"), text, 0o644); err != nil {
			t.Fatal(err)
		}
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

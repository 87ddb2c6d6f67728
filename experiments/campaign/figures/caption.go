package figures

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"bullring/experiments/campaign/paper"
	"bullring/experiments/campaign/results"
	"bullring/experiments/trial"
	"bullring/plots"
)

// caption describes a figure in the markup of labels.
type caption struct{ *drawing }

func (c caption) text() string {
	return sentence(cmp.Or(c.Title, c.Spec.Title)) + " " + c.body()
}

// sentence ends a title with a full stop.
func sentence(title string) string { return strings.TrimSuffix(plots.Markup(title), ".") + "." }

// body is the caption without the title.
func (c caption) body() string {
	if c.panels != nil {
		return c.kind.words() // each panel has its conditions
	}
	of := conditionsOf(c.drawing)
	parts := []string{c.kind.words(), c.unitWords(), c.curveWords(), of.words(), of.outsideWords(), c.hiddenWords(), c.kind.count()}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), " ")
}

// unitWords says in which unit times are drawn if rows count them in different units.
func (c caption) unitWords() string {
	if !c.mixed {
		return ""
	}
	return "Times are in " + c.unit.name + " throughout, those under constant delays too, which " + results.ResultsFile + " counts in message delays."
}

// hiddenWords say what lies on what.
func (c caption) hiddenWords() string {
	if c.chart == nil {
		return ""
	}
	return hiddenWords(c.chart)
}

// curveWords explains the dashed curves.
func (c caption) curveWords() string {
	theory, fitted := false, false
	for i := range c.Curves {
		slope := c.Curves[i].Bound == "" && c.Curves[i].Factor == 0
		theory, fitted = theory || !slope, fitted || slope
	}
	var parts []string
	if c.exact {
		parts = append(parts, "the exact distribution, with its mean and standard deviation")
	}
	if theory {
		parts = append(parts, "theory"+c.boundWords())
	}
	if fitted {
		parts = append(parts, "a slope through the measured point of the largest x")
	}
	if parts == nil {
		return ""
	}
	return "Dashed: " + strings.Join(parts, ", and ") + "."
}

// boundWords lists the bounds that are drawn, in brackets.
func (c caption) boundWords() string {
	var all []string
	for i := range c.Curves {
		curve := &c.Curves[i]
		if curve.Bound == "" {
			continue
		}
		b, err := theory(c).bound(curve)
		if err != nil {
			continue // the bound was not drawn
		}
		cell, _ := theory(c).base(curve)
		if in, err := results.InstanceOf(c.Registry, &cell, c.Spec.Seed, true); err == nil {
			if of, err := in.Algorithm.Bound(curve.Bound); err == nil {
				b = of // as the variant declares it
			}
		}
		sign := map[trial.Relation]string{trial.Exactly: "exactly", trial.AtMost: "at most", trial.AtLeast: "at least", trial.Mean: "on average"}[b.Relation]
		words := fmt.Sprintf("%s, %s: %s %s", curve.Algorithm, b.Name, sign, b.Formula)
		if !slices.Contains(all, words) {
			all = append(all, words)
		}
	}
	if all == nil {
		return ""
	}
	return " (" + plots.Escape(strings.Join(all, "; ")) + ")"
}

// files are the caption as text, and as a figure of LaTeX.
func (c caption) files() []paper.Document {
	text := c.text()
	needs, path, picture := `\usepackage{graphicx}`, `\graphicspath{{`+results.FiguresDir+`/}}`, `\includegraphics{`+c.Name+`.pdf}`
	if c.TeX {
		needs, path, picture = `\usepackage{tikz}`, `\makeatletter\def\input@path{{`+results.FiguresDir+`/}}\makeatother`, `\input{`+c.Name+results.TikZ+`}`
	}
	return []paper.Document{
		{Name: c.Name + ".txt", Text: plots.Plain(text) + "\n"},
		{Name: c.Name + ".tex", Text: `% Written by bullring. Needs ` + paper.TablePreamble[:strings.LastIndex(paper.TablePreamble, ",")] + `, ` + needs + `,
% and ` + path + ` where it is not in the folder of the document.
\begin{figure}
  \centering
  ` + picture + `
  \caption{` + plots.LaTeX(text) + `}
  \label{` + paper.LatexLabel("fig:"+c.Name) + `}
\end{figure}
`},
	}
}

package figures

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"bullring/experiments/campaign/paper"
	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/spec"
	"bullring/experiments/campaign/tables"
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
	return joined(c.parts())
}

// parts are the parts of the body; they may be empty.
func (c caption) parts() []string {
	of := conditionsOf(c.drawing)
	return []string{c.kind.words(), c.estimateWords(), c.unitWords(), c.curveWords(), of.words(), of.outsideWords(), c.hiddenWords(), c.kind.count()}
}

// joined joins the parts that are not empty.
func joined(parts []string) string {
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), " ")
}

// unitWords says in which unit times are drawn if rows count them in different units.
func (c caption) unitWords() string {
	if !c.mixed {
		return ""
	}
	return "Times are in " + c.unit.Name + " throughout, those under constant delays too, which " + results.ResultsFile + " counts in message delays."
}

// estimateWords say how the probabilities of a figure are estimated.
func (c caption) estimateWords() string {
	asked := c.Spec.Rare
	if asked == nil || !results.IsEstimate(c.Y.Name) {
		return ""
	}
	event := "that " + asked.Level + " gets as high as " + spec.ReachAxis + " says"
	if asked.Check != "" {
		event = "that " + asked.Check + " is violated"
	}
	return plots.Escape(fmt.Sprintf("The event is %s. Each trial estimates by splitting its runs at levels of %s, %d runs a level, %d repetitions.",
		event, asked.Level, asked.Effort, asked.Repetitions))
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

// boundWords lists the bounds that are drawn, in brackets, by their labels in the legend.
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
		sign := results.RelationWords(b.Relation)
		words := plots.Escape(fmt.Sprintf("%s, %s: %s", curve.Algorithm, b.Name, results.BoundWords(b)))
		switch {
		case strings.Contains(curve.Label, "*"): // it names a variable: it is a formula
			words = curve.Label + ": " + plots.Escape(curve.Algorithm+", "+sign)
		case curve.Label != "":
			words = curve.Label + ": " + plots.Escape(fmt.Sprintf("%s, %s %s", curve.Algorithm, sign, b.Formula))
		}
		if !slices.Contains(all, words) {
			all = append(all, words)
		}
	}
	if all == nil {
		return ""
	}
	return " (" + strings.Join(all, "; ") + ")"
}

// files are the caption as text, and as a figure of LaTeX.
func (c caption) files() []paper.Document {
	text, plain := c.text(), plots.Plain(c.text())+"\n"
	if ends := answer(c).text(); ends != "" {
		text += " " + ends
		plain += plots.Plain(ends) + "\n" // readers of the file find it there
	}
	needs, path, picture := `\usepackage{graphicx}`, `\graphicspath{{`+results.FiguresDir+`/}}`, `\includegraphics{`+c.Name+`.pdf}`
	if c.TeX {
		needs, path, picture = `\usepackage{tikz}`, `\makeatletter\def\input@path{{`+results.FiguresDir+`/}}\makeatother`, `\input{`+c.Name+results.TikZ+`}`
	}
	return []paper.Document{
		{Name: c.Name + ".txt", Text: plain},
		{Name: c.Name + ".tex", Text: `% Written by bullring. Needs ` + tables.Preamble + `, ` + needs + `,
% and ` + path + ` where it is not in the folder of the document.
\begin{figure}
  \centering
  ` + picture + `
  \caption{` + plots.LaTeX(text) + `}
  \label{` + tables.LaTeXLabel("fig:"+c.Name) + `}
\end{figure}
`},
	}
}

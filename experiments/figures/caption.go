package figures

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"bullring/experiments"
	"bullring/experiments/paper"
	"bullring/experiments/results"
	"bullring/experiments/spec"
	"bullring/plots"
)

// caption describes the figure in the markup of labels.
func (d *drawing) caption() string {
	title := plots.Markup(cmp.Or(d.Title, d.Spec.Title))
	parts := []string{strings.TrimSuffix(title, ".") + ".", d.kindWords(), d.unitWords(), d.curveWords(), d.conditionWords(), d.countWords()}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), " ")
}

// unitWords says in which unit times are drawn if rows count them in different units.
func (d *drawing) unitWords() string {
	if !d.mixed {
		return ""
	}
	return "Times are in " + d.unit.name + " throughout, those under constant delays too, which " + results.ResultsFile + " counts in message delays."
}

// curveWords explains the dashed curves.
func (d *drawing) curveWords() string {
	theory, fitted := false, false
	for i := range d.Curves {
		slope := d.Curves[i].Bound == "" && d.Curves[i].Factor == 0
		theory, fitted = theory || !slope, fitted || slope
	}
	var parts []string
	if d.exact {
		parts = append(parts, "the exact distribution, with its mean and standard deviation")
	}
	if theory {
		parts = append(parts, "theory"+d.boundWords())
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
func (d *drawing) boundWords() string {
	var all []string
	for i := range d.Curves {
		c := &d.Curves[i]
		if c.Bound == "" {
			continue
		}
		b, err := d.bound(c)
		if err != nil {
			continue // the bound was not drawn
		}
		cell, _ := d.base(c)
		if in, err := results.InstanceOf(d.Registry, &cell, d.Spec.Seed, true); err == nil {
			if of, err := in.Algorithm.Bound(c.Bound); err == nil {
				b = of // as the variant declares it
			}
		}
		sign := map[experiments.Relation]string{experiments.Exactly: "exactly", experiments.AtMost: "at most", experiments.AtLeast: "at least", experiments.Mean: "on average"}[b.Relation]
		words := fmt.Sprintf("%s, %s: %s %s", c.Algorithm, b.Name, sign, b.Formula)
		if !slices.Contains(all, words) {
			all = append(all, words)
		}
	}
	if all == nil {
		return ""
	}
	return " (" + plots.Escape(strings.Join(all, "; ")) + ")"
}

// countWords says how many values are behind a point, a box, a field or a series. Trials
// may lack a value, and a stopping rule runs more trials in some cells.
func (d *drawing) countWords() string {
	if d.Kind == spec.Diagram {
		return d.chosen.where()
	}
	least, most := math.MaxInt, 0
	for _, l := range d.lines {
		for _, values := range l.values {
			least, most = min(least, len(values)), max(most, len(values))
		}
	}
	of := map[string]string{spec.Histogram: "a series", spec.Box: "a box", spec.Heatmap: "a field"}[d.Kind]
	of = cmp.Or(of, "a point")
	counted := strconv.Itoa(most)
	if least < most {
		counted = fmt.Sprintf("%d to %d", least, most)
	}
	if d.Spec.Until == nil && least < d.Spec.Replicates {
		return fmt.Sprintf("Of %d trials %s, %s have such a value; seed %d.", d.Spec.Replicates, of, counted, d.Spec.Seed)
	}
	return fmt.Sprintf("%s %s %s; seed %d.", counted, paper.Plural(most, "trial"), of, d.Spec.Seed)
}

// kindWords says how to read the figure.
func (d *drawing) kindWords() string {
	scale := d.Y
	if d.Kind == spec.Heatmap {
		scale = d.Z
	}
	measured := cmp.Or(scale.Label, d.metricWords()) + d.overWords()
	switch {
	case d.Kind == spec.Diagram:
		return d.trialWords()
	case d.Kind == spec.Histogram:
		return "Distribution of " + measured + "."
	case d.Kind == spec.Box:
		return "Boxes of " + measured + ", from the first to the third quartile, with the median and, as a diamond, the mean; whiskers to the last value within 1.5 box lengths; circles are the values beyond, of which none is left out."
	case d.Kind == spec.Heatmap && d.measured.Proportion:
		return "Colours are shares of trials: " + measured + "."
	case d.Kind == spec.Heatmap:
		return "Colours are means of " + measured + "."
	case d.Y.Deviation:
		return "Markers: " + measured + "."
	case d.measured.Proportion:
		return "Markers are shares of trials: " + measured + d.intervalWords("Wilson") + "."
	}
	return "Markers are means of " + measured + d.intervalWords("Student's t") + "."
}

// intervalWords says which points have an interval. A point has none if it stands for one
// trial, or if all its values are equal.
func (d *drawing) intervalWords(whose string) string {
	with, all := 0, 0
	for _, l := range d.lines {
		for _, p := range d.points(l) {
			all++
			if p.YLow != 0 || p.YHigh != 0 {
				with++
			}
		}
	}
	switch with {
	case 0:
		return ""
	case all:
		return ", with 95 % intervals (" + whose + ")"
	}
	return fmt.Sprintf(", with 95 %% intervals (%s) at %d of %d points", whose, with, all)
}

// overWords names the axes along which the cells stand.
func (d *drawing) overWords() string {
	if !d.HasX() {
		return ""
	}
	sides := []spec.Scale{d.X}
	if d.Kind == spec.Heatmap {
		sides = append(sides, d.Y)
	}
	var words []string
	for _, s := range sides {
		if name := cmp.Or(s.Label, d.sideWords(s)); name != "" {
			words = append(words, name)
		}
	}
	if words == nil {
		return ""
	}
	return " over " + strings.Join(words, " and ")
}

// captionFiles are the caption as text, and as a figure of LaTeX.
func (d *drawing) captionFiles() []paper.Document {
	caption := d.caption()
	return []paper.Document{
		{Name: d.Name + ".txt", Text: plots.Plain(caption) + "\n"},
		{Name: d.Name + ".tex", Text: `% Written by bullring. Needs ` + paper.TablePreamble[:strings.LastIndex(paper.TablePreamble, ",")] + `, \usepackage{graphicx},
% and \graphicspath{{` + results.FiguresDir + `/}} where it is not in the folder of the document.
\begin{figure}
  \centering
  \includegraphics{` + d.Name + `.pdf}
  \caption{` + plots.LaTeX(caption) + `}
  \label{` + paper.LatexLabel("fig:"+d.Name) + `}
\end{figure}
`},
	}
}

package spec

import (
	"cmp"
	"strings"
)

// Trials of a cell that a diagram may show.
const (
	Median      = "median"       // the middle value of y, the lower of two; of equal ones the first
	Worst       = "worst"        // the largest value of y, or the smallest share; of equal ones the first
	FirstFailed = "first failed" // the first that did not come out as it should; if there is none, the first
)

// diagramKind draws one trial of one cell as a space-time diagram. y chooses the trial.
var diagramKind = figureKind{
	name:     "diagram",
	x:        without("it shows one trial; axis says what its distances stand for"),
	y:        side{shows: aMetric},
	lacks:    lineKeys,
	because:  "it shows one trial",
	width:    Wide,
	own:      diagramFields,
	alone:    true,
	usual:    usualDiagram,
	complete: oneCell,
}

func diagramFields(r words, f *Figure) []field {
	trials, axes := []string{Median, Worst, FirstFailed}, []string{"time", "gaps", "steps"}
	return []field{
		{"trial", false, word(trials).About("of the cell, in a diagram; default: median"), func(n *node) { f.Trial = r.word(n, "trial", trials) }},
		{"axis", false, word(axes).About("what distances in a diagram stand for; default: time"), func(n *node) { f.Axis = r.word(n, "axis", axes) }},
		{"why", false, truth().About("fade what the verdict of a diagram does not follow from; default: false"), func(n *node) { f.Why = r.truth(n, "why") }},
	}
}

func usualDiagram(f *Figure) { f.Trial, f.Axis = cmp.Or(f.Trial, Median), cmp.Or(f.Axis, "time") }

// oneCell refuses several cells.
func oneCell(r *report, f *Figure, drawn []Cell) {
	f.Series = []string{}
	if f.Answer.Holds != nil {
		r.errorf(f.Answer.Pos, "a diagram shows one trial, which holds no claim: answers takes words, which the caption marks as those of their author")
	}
	if len(drawn) > 1 {
		r.errorf(f.Pos, "a diagram shows a trial of one cell, and there are %d, which differ in %s: choose one by where",
			len(drawn), strings.Join(defaultSeries(drawn, ""), ", "))
	}
}

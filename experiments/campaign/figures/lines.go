package figures

import (
	"fmt"

	"bullring/experiments/campaign/spec"
	"bullring/plots"
)

// lines draws the mean of each cell with its interval, or the standard deviation.
type lines struct{ chart }

func newLines(d *drawing) kind {
	l := &lines{}
	l.chart = chart{d, "a point", l.fill}
	return l
}

func (ls *lines) words() string {
	switch {
	case ls.Y.Deviation:
		return "Markers: " + ls.measuredWords() + "."
	case ls.measured.Proportion:
		return "Markers are shares of trials: " + ls.measuredWords() + ls.intervalWords("Wilson") + "."
	}
	return "Markers are means of " + ls.measuredWords() + ls.intervalWords("Student's t") + "."
}

// intervalWords says which points have an interval. A point has none if it stands for one
// trial, or if all its values are equal.
func (ls *lines) intervalWords(whose string) string {
	with, all := 0, 0
	for _, l := range ls.lines {
		for _, p := range ls.points(l) {
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

func (ls *lines) fill(f *plots.Figure) error {
	f.X = axis(ls.X, ls.x.words())
	f.X.Whole = ls.whole()
	f.Y = axis(ls.Y, ls.metricWords())
	f.Ends = ls.Labels == spec.Ends
	for _, l := range ls.lines {
		if points := ls.points(l); len(points) > 0 {
			f.Marks = append(f.Marks, &plots.Series{Label: l.label, Key: l.key, Points: points})
		}
	}
	return theory{ls.drawing}.addCurves(f)
}

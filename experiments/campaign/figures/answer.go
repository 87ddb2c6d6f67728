package figures

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/spec"
	"bullring/experiments/campaign/stats"
	"bullring/plots"
)

// answer holds the answer of a figure against the values that the figure draws.
type answer struct{ *drawing }

// text is the sentence at the end of the caption, in markup: the answer, or that the rows do
// not show it, and why. It is "" if the figure has none.
func (a answer) text() string {
	if a.panels != nil {
		return a.ofPanels()
	}
	says := sentence(a.Answer.Says)
	switch {
	case a.Answer.Says == "":
		return ""
	case a.Answer.Holds == nil:
		return "In the words of its author, held by no claim: " + says
	}
	if problem := a.problem(); problem != "" {
		return "Not shown by these rows: " + says + " (" + plots.Escape(problem) + ".)"
	}
	return "Answer: " + says
}

// ofPanels are the answers of the panels of a grid.
func (a answer) ofPanels() string {
	var parts []string
	for i, panel := range a.panels {
		if text := (answer{panel}).text(); text != "" {
			parts = append(parts, fmt.Sprintf("(%c) %s", 'a'+i, text))
		}
	}
	return strings.Join(parts, " ")
}

// problem says which claim the rows do not hold, and where; "" if they hold all.
func (a answer) problem() string {
	if !a.Manifest.Complete {
		return "the sweep is not complete"
	}
	for _, c := range a.Answer.Holds {
		if problem := a.check(c); problem != "" {
			return c.String() + ": " + problem
		}
	}
	return ""
}

// check says why the rows do not hold a claim; "" if they do.
func (a answer) check(c *spec.Claim) string {
	compared := false
	for _, each := range a.each(c) {
		for _, x := range a.placesOf(c, each) {
			missing := ""
			ok, left, right := c.Holds(func(v spec.Drawn) spec.Range {
				r, found := a.value(v, each, x)
				if !found && missing == "" {
					missing = nameOf(v, each) + inBrackets(v.Place)
				}
				return r
			})
			switch {
			case missing != "":
				return "there is no value of " + missing + a.atWords(x)
			case !ok:
				return fmt.Sprintf("it fails%s%s, %s against %s", ofWords(c, each), a.atWords(x), rangeWords(left), rangeWords(right))
			}
			compared = true
		}
	}
	if !compared {
		return "no point is compared"
	}
	return ""
}

// each are the series that stand for EachSeries in a claim, one by one: those that the claim does not
// name. A claim without EachSeries is made once.
func (a answer) each(c *spec.Claim) []*line {
	if slices.ContainsFunc(c.Drawn(), func(v spec.Drawn) bool { return v.Name == spec.EachSeries }) {
		return slices.DeleteFunc(slices.Clone(a.lines), func(l *line) bool {
			return slices.ContainsFunc(c.Drawn(), func(v spec.Drawn) bool { return v.Name == plots.Plain(l.label) })
		})
	}
	return []*line{nil}
}

// placesOf are the places along x at which a claim is checked: where all series have a point
// that it names without a place. A claim that names none is checked once, at no place (NaN).
func (a answer) placesOf(c *spec.Claim, each *line) []float64 {
	var places []float64
	first, everywhere := true, false
	for _, v := range c.Drawn() {
		if v.Place != "" {
			continue
		}
		everywhere = true
		l := a.series(v.Name, each)
		if l == nil {
			continue // a curve, or x: it has a value everywhere
		}
		var its []float64
		for x := range l.values {
			if c.Covers(a.coordinate(x)) && (first || slices.Contains(places, x)) {
				its = append(its, x)
			}
		}
		places, first = its, false
	}
	if !everywhere {
		return []float64{math.NaN()}
	}
	slices.Sort(places)
	return places
}

// series returns the series of a name in a claim; nil if there is none.
func (a answer) series(name string, each *line) *line {
	if name == spec.EachSeries {
		return each
	}
	if i := slices.IndexFunc(a.lines, func(l *line) bool { return plots.Plain(l.label) == name }); i >= 0 {
		return a.lines[i]
	}
	return nil
}

// curve returns the curve of a name in a claim; nil if there is none.
func (a answer) curve(name string) *spec.Curve {
	if i := slices.IndexFunc(a.Curves, func(c spec.Curve) bool { return c.Label != "" && plots.Plain(c.Label) == name }); i >= 0 {
		return &a.Curves[i]
	}
	return nil
}

// place returns the place along x that a claim names.
func (a answer) place(name string) (x float64, ok bool) {
	v, err := strconv.ParseFloat(name, 64)
	for _, p := range a.places {
		if a.categories && a.x != nil && a.x.at == nil {
			ok = plots.Plain(results.CategoryWords(a.Spec, a.x.Name, a.x.texts[int(p.x)])) == name
		} else {
			ok = err == nil && equal(a.coordinate(p.x), v)
		}
		if ok {
			return p.x, true
		}
	}
	return 0, false
}

// coordinate is the number at which a place stands along x; NaN for a category.
func (a answer) coordinate(x float64) float64 {
	switch {
	case !a.categories:
		return x
	case a.x != nil && a.x.at != nil:
		return a.x.at[int(x)]
	}
	return math.NaN()
}

// value is a value of a claim at a place along x, with its interval.
func (a answer) value(v spec.Drawn, each *line, x float64) (r spec.Range, ok bool) {
	none := spec.Range{Lo: math.NaN(), Hi: math.NaN()}
	if v.Place != "" {
		if x, ok = a.place(v.Place); !ok {
			return none, false
		}
	}
	if v.Name == spec.AlongX {
		at := a.coordinate(x)
		return spec.Range{Lo: at, Hi: at}, !math.IsNaN(at)
	}
	if l := a.series(v.Name, each); l != nil {
		values := l.values[x]
		if len(values) == 0 {
			return none, false
		}
		return a.statistic(v.Statistic, values), true
	}
	if c := a.curve(v.Name); c != nil {
		y, err := theory(a).at(c, x)
		return spec.Range{Lo: y, Hi: y}, err == nil
	}
	return none, false
}

// statistic is a number that describes the trials of a point, or what the figure draws of them
// with its interval.
func (a answer) statistic(name string, values []float64) spec.Range {
	point := func(v float64) spec.Range { return spec.Range{Lo: v, Hi: v} }
	switch name {
	case "min":
		return point(slices.Min(values))
	case "max":
		return point(slices.Max(values))
	case "median":
		return point(stats.BoxOf(values).Median)
	}
	s := stats.Summarize(values)
	if name == "sd" || a.Y.Deviation {
		return point(s.SD)
	}
	if lo, hi := results.Interval(a.measured, values); lo < hi {
		return spec.Range{Lo: lo, Hi: hi}
	}
	return point(s.Mean)
}

// at is the height of a curve at a measured place.
func (t theory) at(c *spec.Curve, x float64) (float64, error) {
	if c.Bound == "" {
		return t.factorOf(c) * t.shape(c, x), nil
	}
	bound, err := t.bound(c)
	if err != nil {
		return 0, err
	}
	cell, _ := t.base(c)
	if t.HasX() {
		for i, p := range t.places {
			if p.x == x {
				text, _ := t.Cells[i].Field(t.X.Name)
				along := spec.Curve{With: []spec.Setting{{Axis: t.X.Name, Value: text}}}
				cell = along.Apply(cell)
				break
			}
		}
	}
	return t.boundAt(bound, &cell)
}

// rehearse refuses a claim about what the figure does not draw.
func (a answer) rehearse() error {
	for i, c := range a.Answer.Holds {
		for _, v := range c.Drawn() {
			if err := a.undrawn(v); err != nil {
				return a.Answer.Wrong(i, v, err)
			}
		}
		if v, nowhere := a.nowhere(c); nowhere {
			return a.Answer.Wrong(i, v, fmt.Errorf("the claim compares %q at no place: give it one in brackets, or compare it with a series", v.Name))
		}
	}
	for _, panel := range a.panels {
		if err := (answer{panel}).rehearse(); err != nil {
			return err
		}
	}
	return nil
}

// nowhere returns a value without a place, if the claim has one, and no series has none: then it
// is claimed of no point.
func (a answer) nowhere(c *spec.Claim) (found spec.Drawn, nowhere bool) {
	for _, v := range c.Drawn() {
		if v.Place != "" {
			continue
		}
		if v.Name == spec.EachSeries || a.series(v.Name, nil) != nil {
			return spec.Drawn{}, false
		}
		found, nowhere = v, true
	}
	return found, nowhere
}

// undrawn returns an error for a value that is not in the figure.
func (a answer) undrawn(v spec.Drawn) error {
	known := v.Name == spec.AlongX || v.Name == spec.EachSeries || a.series(v.Name, nil) != nil
	switch {
	case v.Name == spec.AlongX && (a.x == nil || a.categories && a.x.at == nil):
		return errors.New("the claim names x, and no numbers stand along it")
	case !known && a.curve(v.Name) == nil:
		return fmt.Errorf("the claim names %q, which the figure does not draw: it draws %s; x is the place along x, and y each other series in turn", v.Name, a.drawnWords())
	case !known && v.Statistic != "":
		return fmt.Errorf("the claim asks for the %s of the curve %q, which has no trials", v.Statistic, v.Name)
	}
	if _, ok := a.place(v.Place); v.Place != "" && !ok {
		return fmt.Errorf("the claim names the place %s along x, at which the figure has no point", v.Place)
	}
	return nil
}

// drawnWords lists the labels of series and curves.
func (a answer) drawnWords() string {
	var names []string
	for _, l := range a.lines {
		names = append(names, strconv.Quote(plots.Plain(l.label)))
	}
	for _, c := range a.Curves {
		if c.Label != "" {
			names = append(names, strconv.Quote(plots.Plain(c.Label)))
		}
	}
	return strings.Join(names, ", ")
}

// nameOf names a value in a sentence.
func nameOf(v spec.Drawn, each *line) string {
	if v.Name == spec.EachSeries {
		return plots.Plain(each.label)
	}
	return v.Name
}

// inBrackets is a place as a claim writes it; "" for none.
func inBrackets(place string) string {
	if place == "" {
		return ""
	}
	return "(" + place + ")"
}

// ofWords names the series for which a claim fails, if the claim is about each of several.
func ofWords(c *spec.Claim, each *line) string {
	if each == nil || each.label == "" {
		return ""
	}
	return " for " + plots.Plain(each.label)
}

// atWords names a place along x in a sentence.
func (a answer) atWords(x float64) string {
	switch {
	case math.IsNaN(x) || a.x == nil:
		return ""
	case a.categories && a.x.at == nil:
		return " at " + plots.Plain(results.CategoryWords(a.Spec, a.x.Name, a.x.texts[int(x)]))
	}
	return " at x = " + number(a.coordinate(x))
}

// rangeWords prints a value or its interval.
func rangeWords(r spec.Range) string {
	if equal(r.Lo, r.Hi) {
		return results.ShortNumber(r.Lo)
	}
	return results.ShortNumber(r.Lo) + " to " + results.ShortNumber(r.Hi)
}

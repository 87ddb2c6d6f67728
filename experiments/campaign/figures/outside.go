package figures

import (
	"fmt"
	"slices"
	"strings"

	"bullring/des"
	"bullring/experiments/campaign/results"
	"bullring/plots"
)

// outsides are the reasons why trials of a figure lie outside the model of their algorithm,
// by cell.
type outsides map[int]*outsideCell

// outsideCell counts the trials of a cell, and those of each reason.
type outsideCell struct {
	trials  int
	reasons []string
	counts  map[string]int
}

// add notes the reasons in a row.
func (o outsides) add(r *results.Record) error {
	text, err := r.Field("outside")
	if err != nil {
		return err
	}
	c := o[r.Cell]
	if c == nil {
		c = &outsideCell{counts: map[string]int{}}
		o[r.Cell] = c
	}
	c.trials++
	if text == "" {
		return nil
	}
	for reason := range strings.SplitSeq(text, "; ") {
		if c.counts[reason]++; c.counts[reason] == 1 {
			c.reasons = append(c.reasons, reason)
		}
	}
	return nil
}

// outsideWords say which series ran outside the model of their algorithm, where, and why.
func (c *conditions) outsideWords() string {
	var whys []string
	who := map[string][]string{}
	for _, l := range c.lines {
		why := c.whyOutside(l)
		if why == "" {
			continue
		}
		if who[why] == nil {
			whys = append(whys, why)
		}
		if name := c.modelOf(l); !slices.Contains(who[why], name) {
			who[why] = append(who[why], name)
		}
	}
	if whys == nil {
		return ""
	}
	parts := make([]string, len(whys))
	for i, why := range whys {
		names := enumerate(who[why])
		if len(who[why]) == len(c.lines) && len(c.lines) > 2 {
			names = "each series"
		}
		parts[i] = "of " + names + ": " + why
	}
	return "Outside the model " + strings.Join(parts, "; and ") + "."
}

// whyOutside lists the reasons why trials of a line are outside the model.
func (c *conditions) whyOutside(l *line) string {
	var places, reasons []string
	trials := map[string]int{}            // by place along x
	counts := map[string]map[string]int{} // by reason and place
	for _, cell := range c.drawn() {
		p, o := c.drawing.places[cell], c.outside[cell]
		if p.line != l || o == nil {
			continue
		}
		place := c.placeName(p.x)
		if trials[place] == 0 {
			places = append(places, place)
		}
		trials[place] += o.trials
		for _, text := range o.reasons {
			reason := withoutDelay(text, c.Cells[cell].Delay)
			if counts[reason] == nil {
				reasons, counts[reason] = append(reasons, reason), map[string]int{}
			}
			counts[reason][place] += o.counts[text]
		}
	}
	for i, reason := range reasons {
		in := counts[reason]
		reasons[i] = plots.Escape(reason)
		if slices.ContainsFunc(places, func(at string) bool { return 0 < in[at] && in[at] < trials[at] }) {
			reasons[i] += " in some trials" // and where is chance
			continue
		}
		reasons[i] += c.partWords(places, func(at string) bool { return in[at] > 0 })
	}
	return strings.Join(reasons, ", ")
}

// partWords say at which places something holds, if not at all of them.
func (c *conditions) partWords(places []string, holds func(string) bool) string {
	var at, except []string
	for _, place := range places {
		if holds(place) {
			at = append(at, place)
		} else {
			except = append(except, place)
		}
	}
	switch {
	case except == nil:
		return ""
	case len(except) < len(at):
		return " except at " + c.placesWords(except)
	}
	return " at " + c.placesWords(at)
}

// withoutDelay leaves the delay of a cell out of a reason, so that cells with other delays have
// the same one.
func withoutDelay(reason, delay string) string {
	d, err := des.ParseDistribution(delay)
	if err != nil {
		return reason
	}
	return strings.Replace(reason, fmt.Sprintf("delay %v ", d), "the delay ", 1)
}

// modelOf names a line by its label, if labels tell series apart, or by its algorithms.
func (c *conditions) modelOf(l *line) string {
	if slices.Contains(c.Series, "label") && len(c.lines) > 1 {
		return l.label
	}
	var names []string
	for _, cell := range c.drawn() {
		if name := plots.Escape(c.Cells[cell].Algorithm); c.drawing.places[cell].line == l && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	text := strings.Join(names, ", ")
	if len(c.lines) > 1 && !slices.Contains(c.Series, "algorithm") {
		text += " (" + l.label + ")"
	}
	return text
}

package spec

import (
	"slices"
	"strconv"

	"bullring/internal/pattern"
)

// Limits of replicates and resamples.
const (
	// maxReplicates is the largest number of replicates without a stopping rule. A sweep that keeps
	// rows has a lower limit, maxTrials.
	maxReplicates = 1_000_000_000

	defaultMin   = 10      // replicates before the first look at an interval
	minBootstrap = 100     // resamples; fewer tell nothing of the ends of an interval
	maxBootstrap = 100_000 // resamples
)

// Until is a stopping rule: a cell has replicates until the confidence interval of each
// metric is narrow enough, at most Spec.Replicates.
type Until struct {
	Min       int      // the least number of replicates
	HalfWidth float64  // half the width of the confidence interval, as a fraction of the mean
	Metrics   []string // whose intervals have to be so narrow
	Pos       Pos
}

// replicates reads a number of replicates, or a stopping rule.
func (r metricReader) replicates(n *node, s *Spec) {
	if n.kind != mapping {
		s.Replicates = int(r.integer(n, "replicates", 1, maxReplicates))
		return
	}
	u := &Until{Min: defaultMin, Metrics: []string{"messages"}, Pos: n.pos}
	s.Until = u
	var given map[string]*node
	sound := r.sound(func() {
		given = r.mapping(n, "replicates", r.untilFields(u, s))
	})
	if sound && !anyRefused(given) && s.Replicates < u.Min {
		usual := ""
		if given["min"] == nil {
			usual = ", its default"
		}
		r.errorf(given["max"].pos, "max is %d and min is %d%s; max may not be below min", s.Replicates, u.Min, usual)
	}
}

func (r metricReader) untilFields(u *Until, s *Spec) []field {
	return []field{
		{"min", false, integers(2, maxTrials).About("replicates that a cell has at least; default: 10"),
			func(n *node) { u.Min = int(r.integer(n, "min", 2, maxTrials)) }},
		{"max", true, integers(2, maxTrials).About("and at most"), func(n *node) { s.Replicates = int(r.integer(n, "max", 2, maxTrials)) }},
		{"half_width", true, anyOf(numbers(0.001, 1), like(percentPattern())).About("of the confidence interval, relative to the mean: 5% or 0.05"),
			func(n *node) { u.HalfWidth = r.halfWidth(n) }},
		{"of", false, oneOrMore(ref("metric")).About("metrics that have to be known so well; default: messages"),
			func(n *node) { u.Metrics = r.metrics(n, "of", false) }},
	}
}

func replicatesSchema() *schema {
	return anyOf(integers(1, maxReplicates), objectOf(metricReader{}.untilFields(nil, nil))).About("trials a cell, or a stopping rule; default: 1")
}

// percentPattern is the notation of a percentage.
var percentPattern = pattern.Of(`^(0|[1-9][0-9]*)(\.[0-9]+)?%$`)

// halfWidth reads a fraction, or a percentage; 0 after an error.
func (r metricReader) halfWidth(n *node) float64 {
	const wanted = "a percentage from 0.1% to 100%, or a fraction from 0.001 to 1"
	digits := n.text
	switch {
	case n.kind == text && percentPattern().MatchString(digits):
		digits = digits[:len(digits)-1] + "e-2" // exact, which a division is not
	case n.quoted || n.kind != number && n.kind != text || !plainReal().MatchString(digits):
		r.unwanted(n, "half_width", wanted, "")
		return 0
	}
	w, err := strconv.ParseFloat(digits, 64)
	if err != nil || w < 0.001 || w > 1 {
		r.errorf(n.pos, "half_width is %s; it takes %s", shorten(n.text), wanted)
		return 0
	}
	return w
}

// metrics reads a metric or several, each once.
func (r metricReader) metrics(n *node, what string, own bool) []string {
	var names []string
	r.each(n, what, func(item *node) {
		name := r.metricName(item, own)
		if name != "" && slices.Contains(names, name) {
			r.errorf(item.pos, "%s names %s twice", what, name)
			return
		}
		names = append(names, name)
	})
	return names
}

// bootstrap reads the number of resamples of an interval.
func (r metricReader) bootstrap(n *node) int {
	b := int(r.integer(n, "bootstrap", 0, maxBootstrap))
	if b > 0 && b < minBootstrap {
		r.errorf(n.pos, "bootstrap is %d; it takes 0, for none, or an integer from %d to %d", b, minBootstrap, maxBootstrap)
	}
	return b
}

package spec

import (
	"regexp"
	"slices"
	"strconv"
)

// Limits of what is done with the replicates of a cell.
const (
	defaultMin   = 10      // replicates before the first look at an interval
	minBootstrap = 100     // resamples; fewer tell nothing of the ends of an interval
	maxBootstrap = 100_000 // resamples
)

// Until is a stopping rule: the replicates of a cell go on until the mean of each
// metric is known well enough, or until there are as many as Spec.Replicates.
type Until struct {
	Min       int      // replicates that a cell has at least
	HalfWidth float64  // half the width of the confidence interval, as a fraction of the mean
	Metrics   []string // that it has to hold of
	Pos       Pos
}

// replicates reads how many replicates there are: a number, or a stopping rule
// and the most.
func (r *reader) replicates(n *node, s *Spec) {
	if n.kind != mapping {
		s.Replicates = int(r.integer(n, "replicates", 1, MaxTrials))
		return
	}
	u := &Until{Min: defaultMin, Metrics: []string{"messages"}, Pos: n.pos}
	s.Until = u
	var given map[string]*node
	sound := r.sound(func() {
		given = r.mapping(n, "replicates", []field{
			{key: "min", read: func(n *node) { u.Min = int(r.integer(n, "min", 2, MaxTrials)) }},
			{key: "max", required: true, read: func(n *node) { s.Replicates = int(r.integer(n, "max", 2, MaxTrials)) }},
			{key: "half_width", required: true, read: func(n *node) { u.HalfWidth = r.halfWidth(n) }},
			{key: "of", read: func(n *node) { u.Metrics = r.metrics(n, "of", false) }},
		})
	})
	if sound && !anyRefused(given) && s.Replicates < u.Min {
		usual := ""
		if given["min"] == nil {
			usual = ", its default"
		}
		r.errorf(given["max"].pos, "max is %d and min is %d%s; max may not be below min", s.Replicates, u.Min, usual)
	}
}

// percentPattern is the notation of a percentage.
var percentPattern = regexp.MustCompile(`^(0|[1-9][0-9]*)(\.[0-9]+)?%$`)

// halfWidth reads a fraction, or a percentage; 0 after an error.
func (r *reader) halfWidth(n *node) float64 {
	const wanted = "a percentage from 0.1% to 100%, or a fraction from 0.001 to 1"
	digits := n.text
	switch {
	case n.kind == text && percentPattern.MatchString(digits):
		digits = digits[:len(digits)-1] + "e-2" // exact, which a division is not
	case n.quoted || n.kind != number && n.kind != text || !plainReal.MatchString(digits):
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
func (r *reader) metrics(n *node, what string, own bool) []string {
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

// bootstrap reads how many resamples an interval is made of.
func (r *reader) bootstrap(n *node) int {
	b := int(r.integer(n, "bootstrap", 0, maxBootstrap))
	if b > 0 && b < minBootstrap {
		r.errorf(n.pos, "bootstrap is %d; it takes 0, for none, or an integer from %d to %d", b, minBootstrap, maxBootstrap)
	}
	return b
}

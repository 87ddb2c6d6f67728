package spec

import (
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"bullring/internal/pattern"
)

// Percent is the unit of a metric that is given in percent: its formula times 100.
const Percent = "%"

// Metric is a metric of the sweep's own: a formula of the metrics of a trial.
type Metric struct {
	Name    string
	Formula *Formula
	Percent bool
	Label   string // beside an axis, in markup; default: the name
	Timed   bool   // it is a time: see Checker
	Pos     Pos
}

// OwnN is the name by which formulas know the number of processes.
const OwnN = "n"

// Metric returns the sweep's own metric of that name, nil if there is none.
func (s *Spec) Metric(name string) *Metric {
	if i := slices.IndexFunc(s.Metrics, func(m Metric) bool { return m.Name == name }); i >= 0 {
		return &s.Metrics[i]
	}
	return nil
}

// metricPattern is a name that can be part of the name of a column.
var metricPattern = pattern.Of(`^[a-z][a-z0-9_]*$`)

// metricReader reads metrics, and what is asked of them.
type metricReader struct {
	names
	own *Spec // the sweep, for its metrics
}

// ownMetrics reads `metrics`.
func (r metricReader) ownMetrics(n *node, s *Spec) {
	var known []string
	for _, p := range n.pairs {
		known = append(known, p.key.text)
	}
	given := r.keys(n, "metrics", known) // without repeated ones
	for _, p := range n.pairs {
		if given[p.key.text] != p.value {
			continue
		}
		m := Metric{Name: p.key.text, Pos: p.key.pos}
		switch {
		case !metricPattern().MatchString(m.Name) || m.Name == OwnN:
			r.errorf(p.key.pos, "the metric %q: its name becomes part of names of columns; it takes small letters a-z, digits and _, a letter first, and is not n", shorten(m.Name))
		case r.measures(m.Name):
			r.errorf(p.key.pos, "%s is a metric of trials; a formula needs another name", m.Name)
		case r.sound(func() { r.ownMetric(p.value, &m) }):
			s.Metrics = append(s.Metrics, m)
		}
	}
}

// ownMetric reads a formula, or a mapping with it.
func (r metricReader) ownMetric(n *node, m *Metric) {
	formula := n
	if n.kind == mapping {
		r.mapping(n, "a metric", r.ownMetricFields(m, &formula))
		if formula == n {
			return // reported already
		}
	}
	text := r.line(formula, "a formula")
	if text == "" {
		return
	}
	if err := r.formula(text, m); err != nil {
		r.wrongFormula(formula, "the formula of "+m.Name, err)
	}
}

// wrongFormula reports the error of a formula at its place in the text of the node.
func (r words) wrongFormula(n *node, what string, err error) {
	place := n.pos
	if e, ok := errors.AsType[*FormulaError](err); ok {
		place.Column += utf8.RuneCountInString(n.text[:min(e.At, len(n.text))])
	}
	if n.quoted {
		place.Column++
	}
	r.add(Error{Pos: place, Message: fmt.Sprintf("%s: %v", what, err), Cause: err})
}

func (r metricReader) ownMetricFields(m *Metric, formula **node) []field {
	return []field{
		{"formula", true, line().About("such as 1 - correct, or messages + overhead"), func(n *node) { *formula = n }},
		{"unit", false, word([]string{Percent}).About("gives it in percent"), func(n *node) { m.Percent = r.word(n, "unit", []string{Percent}) != "" }},
		{"label", false, line().About("beside an axis; default: the name"), func(n *node) { m.Label = r.markup(n, "label") }},
	}
}

func ownMetricsSchema() *schema {
	one := anyOf(line(), objectOf(metricReader{}.ownMetricFields(nil, nil)))
	return &schema{Type: "object", PatternProperties: properties{{Name: metricPattern().String(), Schema: one}}, Additional: false}
}

// formula parses a formula and checks its names.
func (r metricReader) formula(text string, m *Metric) (err error) {
	if m.Formula, err = ParseFormula(text); err != nil {
		return err
	}
	names := m.Formula.Names()
	if len(names) == 0 {
		return &FormulaError{0, "it has no metric in it"}
	}
	if name := r.estimatedName(names); name != "" {
		return &FormulaError{m.Formula.position(name), name + " is estimated by sweeps with rare, and this one has no such key"}
	}
	anything := r.check.Metric == nil && r.check.Metrics == nil
	for _, name := range names {
		if name != OwnN && !anything && !r.measures(name) {
			hint := didYouMean(name, r.check.Metrics)
			if hint != "" {
				hint = "; " + hint
			}
			return &FormulaError{m.Formula.position(name), fmt.Sprintf("trials do not measure %q%s; it takes names of metrics, and n", shorten(name), hint)}
		}
	}
	if r.check.Formula == nil {
		return nil
	}
	m.Timed, err = r.check.Formula(m)
	return err
}

// metricName reads the name of a metric; "" after an error. own allows metrics of the
// sweep's own.
func (r metricReader) metricName(n *node, own bool) string {
	if m := r.own.Metric(n.text); m != nil && n.kind == text {
		if own {
			return m.Name
		}
		r.errorf(n.pos, "%s is a formula of this sweep; a stopping rule takes metrics of trials", m.Name)
		return ""
	}
	names := slices.Clone(r.check.Metrics)
	for _, m := range r.own.Metrics {
		names = append(names, m.Name)
	}
	if n.kind == text && !r.estimated(n, n.text) {
		return ""
	}
	return r.known(n, "metric", r.check.Metric, names)
}

// measures reports whether the Checker knows a metric of that name.
func (r metricReader) measures(name string) bool {
	switch {
	case r.check.Metric != nil:
		return r.check.Metric(name) == nil
	case r.check.Metrics != nil:
		return slices.Contains(r.check.Metrics, name)
	}
	return false
}

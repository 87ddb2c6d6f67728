package spec

import (
	"fmt"
	"slices"

	"bullring/experiments/trial/setting"
)

// Rare is a probability that a trial estimates, besides running its setting: see package rare. The event
// is that Level gets as high as Reach, or that Check is violated. The zero value is none.
type Rare struct {
	Level       string
	Reach       string // "" with a check
	Check       string
	Method      string // one of rareMethods
	Effort      int    // runs a level; under restart those that begin
	Repetitions int
}

// rareMethods are the ways to split runs, the default first: see package rare.
var rareMethods = []string{"effort", "restart"}

// RareAsked is the key rare of a sweep: the estimate of each cell, but for Reach.
type RareAsked struct {
	Rare
	Pos Pos
}

// Limits and defaults of an estimate.
const (
	usualEffort      = 500
	usualRepetitions = 20
	maxEffort        = 1_000_000
	maxRepetitions   = 65_535
)

// Asked reports whether there is something to estimate.
func (r Rare) Asked() bool { return r != Rare{} }

// String is the estimate as canonical text.
func (r Rare) String() string {
	event := r.Level + " " + r.Reach
	if r.Check != "" {
		event = r.Check + " violated, by " + r.Level
	}
	if r.Method != rareMethods[0] {
		return fmt.Sprintf("%s, %s, %d runs, %d repetitions", event, r.Method, r.Effort, r.Repetitions)
	}
	return fmt.Sprintf("%s, %d runs a level, %d repetitions", event, r.Effort, r.Repetitions)
}

// ReachAxis is the axis of the events of a sweep with rare, which its key until gives values.
const ReachAxis = "reach"

// reach is its condition. It is one of cells, and not of settings: a run does not depend on it.
var reach = setting.Condition{
	Name: ReachAxis, Kind: setting.Number, Seed: setting.Given,
	Axis:   "how high the level of a rare event gets, given by rare: until; default: none",
	Column: setting.Column{Meaning: "the event whose probability is estimated: its level gets as high as this; empty if a check is violated", Optional: true},
}

// ReachColumn is the column of the axis.
func ReachColumn() setting.Column { return reach.Column }

// rareReader reads what a sweep estimates.
type rareReader struct{ axisReader }

// rare reads `rare`. The values of until become those of the axis.
func (r rareReader) rare(n *node, s *Spec, l *level) {
	asked := &RareAsked{Rare{Method: rareMethods[0], Effort: usualEffort, Repetitions: usualRepetitions}, n.pos}
	s.Rare = asked
	var given map[string]*node
	sound := r.sound(func() { given = r.mapping(n, "rare", r.rareFields(asked, l)) })
	switch {
	case !sound || given == nil || anyRefused(given):
	case (given["until"] == nil) == (given["check"] == nil):
		r.errorf(n.pos, "rare: the event is either that the level gets as high as until, or that check is violated: give one of them")
	case given["until"] != nil:
		r.reachable(asked, l)
	}
}

func (r rareReader) rareFields(of *RareAsked, l *level) []field {
	return []field{
		{"level", true, line().About("what rises on the way to the event: time, draws, lost, crashes, messages, a field of the processes, or a number of their states such as max(term)"),
			func(n *node) { of.Level = r.line(n, "level") }},
		{"until", false, untilSchema(), func(n *node) {
			i := axisIndex(ReachAxis)
			l.at[i], l.values[i] = n.pos, r.axis(n, axes[i], r.axisValues)
		}},
		{"check", false, line().About("the event: this check is violated"), func(n *node) { of.Check = r.line(n, "check") }},
		{"method", false, word(rareMethods).About("how runs are split: effort keeps their number at each level, restart makes as many of each; default: effort"),
			func(n *node) { of.Method = r.word(n, "method", rareMethods) }},
		{"effort", false, integers(2, maxEffort).About("runs a level, with restart those that begin; default: 500"),
			func(n *node) { of.Effort = int(r.integer(n, "effort", 2, maxEffort)) }},
		{"repetitions", false, integers(2, maxRepetitions).About("independent estimates, from which the interval follows; default: 20"),
			func(n *node) { of.Repetitions = int(r.integer(n, "repetitions", 2, maxRepetitions)) }},
	}
}

func untilSchema() *schema {
	return axes[axisIndex(ReachAxis)].schema().About("the event: the level gets as high as this, a number or a duration; several are cells of their own")
}

func rareSchema() *schema {
	s := objectOf(rareReader{}.rareFields(nil, nil))
	s.OneOf = []*schema{{Required: []string{"until"}}, {Required: []string{"check"}}}
	return s.About("a probability that each trial estimates by splitting its runs at levels")
}

// reachable refuses values that the level does not have.
func (r rareReader) reachable(of *RareAsked, l *level) {
	if r.check.Reach == nil {
		return
	}
	for _, v := range l.values[axisIndex(ReachAxis)] {
		if err := r.check.Reach(of.Level, v.text); err != nil {
			r.add(Error{Pos: v.pos, Message: fmt.Sprintf("until: %v", err), Cause: err})
			return
		}
	}
}

// fit refuses what an estimate cannot be combined with.
func (r rareReader) fit(given map[string]*node, s *Spec) {
	if s.Rare == nil {
		return
	}
	if s.Until != nil {
		r.errorf(s.Until.Pos, "replicates: a stopping rule has no use with rare (%v): an estimate gets narrower by effort and repetitions; give a number of replicates", s.Rare.Pos)
	}
	if s.Keep.Summary {
		r.errorf(given["keep"].pos, "keep: a sweep with rare (%v) has few trials, each of many runs; keep their rows", s.Rare.Pos)
	}
}

// estimated refuses a metric of estimates in a sweep without any.
func (r metricReader) estimated(n *node, name string) bool {
	if r.own.Rare != nil || r.check.Estimated == nil || !r.check.Estimated(name) {
		return true
	}
	r.errorf(n.pos, "%s is estimated by sweeps with rare: {level: ..., until: ...}, and this one has no such key", name)
	return false
}

// estimatedNames are those names of a formula that a sweep without rare does not have.
func (r metricReader) estimatedName(names []string) string {
	for _, name := range names {
		if r.own.Rare == nil && r.check.Estimated != nil && r.check.Estimated(name) {
			return name
		}
	}
	return ""
}

// GivenAxes are the axes that the keys axes and zip set: all but that of rare.
func GivenAxes() []string {
	return slices.DeleteFunc(Axes(), func(name string) bool { return name == ReachAxis })
}

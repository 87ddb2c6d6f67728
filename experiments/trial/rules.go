package trial

import (
	"fmt"
	"slices"
	"time"

	"bullring/netem/explore"
	"bullring/protocols"
)

// Rules judge a run by the states of its processes alone: the least that a family needs.
type Rules[S comparable] interface {
	// State returns the part of a process that matters, such as its decision. Traces print
	// it as News of the process.
	State(process any) S
	// Broken describes how checks of the family are broken, by name. Checks that are Always
	// are judged whenever what is seen has changed, the others at rest.
	Broken(seen Seen[S]) map[string]string
	// Outcome returns the outcome of a run that has come to rest and breaks no check.
	Outcome(seen Seen[S]) Outcome
}

// Local are Rules that judge a step by what it changed. Broken looks at all processes, so that a
// run in which each of n processes changes costs n². With Local rules it judges only at rest.
type Local[S comparable] interface {
	Rules[S]
	// BrokenBy describes how checks that are Always are broken by the last step: process p, whose
	// state was before, has another, has crashed or has come back.
	BrokenBy(seen Seen[S], p protocols.ID, before S) map[string]string
}

// Counting are Rules that ask how many messages are under way: see [Seen.UnderWay].
type Counting[S comparable] interface {
	Rules[S]
	// Kinds are the kinds of messages that they ask about, by name: up to four.
	Kinds() []string
}

// Marking are Rules that mark some of the changes of a state: see [LastMark].
type Marking[S comparable] interface {
	Rules[S]
	Marks(before, after S) bool
}

// Seen is what Rules see of a run, by address.
type Seen[S comparable] struct {
	States  []S    // of the processes, also before their first step; that of a crashed one is its last
	Down    []bool // it has crashed, and has not come back
	Crashed bool   // a process has crashed; it may have come back
	Lies    []bool // it is Byzantine: nothing is promised of it

	counts *counts // nil unless the rules are Counting
}

// UnderWay is the number of messages of a kind that are under way to processes that are alive, which
// Counting rules may ask. known is false in a run with reliable links: there a message that the network
// has lost will arrive, and one that it has twice will not.
func (s Seen[S]) UnderWay(kind string) (messages int, known bool) { return s.counts.of(kind) }

// Ruled completes the declaration of an algorithm like [Judged], with a judge by rules. The
// family has two Wrong outcomes: the first for a run that breaks a check that is Always, the
// second for a run that breaks another one. Its Metrics measure with [SeenBy], [LastChange] and
// [LastRound].
func Ruled[M protocols.Message, S comparable](a Algorithm, f Family, rules func(*Instance) Rules[S], build Build[M]) Algorithm {
	return Judged(a, f, func(in *Instance, _ bool) Judge {
		lies := make([]bool, in.N)
		for _, p := range in.LyingProcesses() {
			lies[p] = true
		}
		r := rules(in)
		return &ruled[S]{
			rules:  r,
			seen:   Seen[S]{States: make([]S, in.N), Down: make([]bool, in.N), Lies: lies, counts: countsFor(in, r)},
			broken: map[string]string{}, broke: map[string]*protocols.Step{},
			fixed: func() *Family { return &f },
		}
	}, build)
}

// SeenBy is the measure of what rules have seen at the end of a run.
func SeenBy[S comparable](measure func(Seen[S]) (v float64, ok bool)) Measure {
	return JudgedBy(func(j *ruled[S]) (float64, bool) { return measure(j.seen) })
}

// LastChange is the measure of the time at which the last state changed, in [Units]: the time of
// the last decision, if states are decisions. A run in which no state changed has none, and none that
// follows a schedule: to its judge no time passes.
func LastChange[S comparable]() Measure {
	return unscripted(TimedBy(func(j *ruled[S]) (time.Duration, bool) { return j.changed, j.changes > 0 }))
}

// LastRound is [LastChange] in rounds that take the bound on delay that the algorithm assumes.
func LastRound[S comparable]() Measure {
	changed := JudgedBy(func(j *ruled[S]) (float64, bool) { return float64(j.changed), j.changes > 0 })
	return unscripted(func(r *Result) (float64, bool) {
		at, ok := changed(r)
		return at / float64(r.Instance.Assumed), ok
	})
}

// LastMark is LastChange for the changes that the rules mark.
func LastMark[S comparable]() Measure {
	return unscripted(TimedBy(func(j *ruled[S]) (time.Duration, bool) { return j.marked, j.marks > 0 }))
}

// SinceMark is the measure of the time from the last change that the rules mark to the last change, of runs
// that are right.
func SinceMark[S comparable]() Measure {
	since := unscripted(TimedBy(func(j *ruled[S]) (time.Duration, bool) { return j.changed - j.marked, j.changes > 0 }))
	return func(r *Result) (float64, bool) {
		v, ok := since(r)
		return v, ok && r.Correct
	}
}

// unscripted is a measure that a run has unless it follows a schedule: no time passes in that.
func unscripted(measure Measure) Measure {
	return func(r *Result) (float64, bool) {
		if r.Instance.Script != nil {
			return 0, false
		}
		return measure(r)
	}
}

// ruled is a Judge by rules.
type ruled[S comparable] struct {
	rules  Rules[S] // part of an explored state: instances that are explored together may differ in them
	seen   Seen[S]
	broken map[string]string // how checks that are Always were broken

	broke   map[string]*protocols.Step `explore:"-"` // the steps that broke them
	changes int                        `explore:"-"` // of states
	changed time.Duration              `explore:"-"` // the last time
	marks   int                        `explore:"-"` // changes that the rules mark
	marked  time.Duration              `explore:"-"` // the last time
	// fixed returns the family. The explorer does not copy a function.
	fixed func() *Family `explore:"-"`
}

// See implements Viewer.
func (r *ruled[S]) See(v *View) {
	if r.seen.counts != nil {
		r.seen.counts.view = v
	}
}

// Tallies implements explore.Tally.
func (r *ruled[S]) Tallies() []string {
	if r.seen.counts == nil {
		return nil
	}
	return r.seen.counts.kinds
}

// UnderWay implements explore.Tally.
func (r *ruled[S]) UnderWay(counts []int) { r.seen.counts.now = counts }

// Begins implements explore.Beginner.
func (r *ruled[S]) Begins(p protocols.ID, process any) {
	r.seen.States[p] = r.rules.State(process)
}

// Started implements explore.Watch.
func (r *ruled[S]) Started(p protocols.ID, process any, now time.Duration) { r.look(p, process, now) }

// Received implements explore.Watch.
func (r *ruled[S]) Received(p protocols.ID, process any, now time.Duration) { r.look(p, process, now) }

// Expired implements explore.Watch.
func (r *ruled[S]) Expired(p protocols.ID, process any, now time.Duration) { r.look(p, process, now) }

// Restarted implements explore.Watch.
func (r *ruled[S]) Restarted(p protocols.ID, process any, now time.Duration) {
	r.seen.Down[p] = false
	before := r.seen.States[p]
	r.judge(p, before, r.noted(p, process, now))
}

// Crashed implements explore.Watch.
func (r *ruled[S]) Crashed(p protocols.ID, _ time.Duration) {
	r.seen.Down[p], r.seen.Crashed = true, true
	r.judge(p, r.seen.States[p], nil)
}

// look judges the run after a step of a process, if that changed its state.
func (r *ruled[S]) look(p protocols.ID, process any, now time.Duration) {
	before := r.seen.States[p]
	if step := r.noted(p, process, now); step != nil {
		r.judge(p, before, step)
	}
}

// noted notes the state of a process after a step. It returns the step, or nil if the state is what
// it was.
func (r *ruled[S]) noted(p protocols.ID, process any, now time.Duration) *protocols.Step {
	state := r.rules.State(process)
	if state == r.seen.States[p] {
		return nil
	}
	if m, marks := r.rules.(Marking[S]); marks && m.Marks(r.seen.States[p], state) {
		r.marks, r.marked = r.marks+1, now
	}
	r.changes++
	r.seen.States[p], r.changed = state, now
	return &protocols.Step{Process: p, At: now, Change: r.changes}
}

// judge notes the checks that a change broke. It has no step if it is a crash, or a restart that left
// the state as it was.
func (r *ruled[S]) judge(p protocols.ID, before S, step *protocols.Step) {
	family := r.fixed()
	var broken map[string]string
	if local, ok := r.rules.(Local[S]); ok {
		broken = local.BrokenBy(r.seen, p, before)
	} else {
		broken = r.rules.Broken(r.seen)
	}
	for _, c := range family.Checks {
		if failure := broken[c.Name]; failure != "" && c.Kind == explore.Always && r.broken[c.Name] == "" {
			r.broken[c.Name], r.broke[c.Name] = failure, step
		}
	}
}

// Checks implements Judge.
func (r *ruled[S]) Checks(rest bool) []protocols.Check {
	family := r.fixed()
	checks, broken := make([]protocols.Check, len(family.Checks)), r.rules.Broken(r.seen)
	for i, property := range family.Checks {
		c := protocols.Check{Name: property.Name, Detail: property.Says}
		failure := r.broken[c.Name]
		if failure == "" && rest {
			c.Verdict, failure = protocols.Holds, broken[c.Name]
		}
		if failure != "" {
			c.Verdict, c.Detail, c.Broke = protocols.Violated, failure, r.broke[c.Name]
		}
		checks[i] = c
	}
	return checks
}

// Verdicts implements explore.Watch.
func (r *ruled[S]) Verdicts(rest bool) []protocols.Verdict {
	family := r.fixed()
	return VerdictsOf(r.Checks(rest), slices.Contains(family.Right, r.Outcome()))
}

// Outcome implements Judge.
func (r *ruled[S]) Outcome() Outcome {
	family := r.fixed()
	switch {
	case len(r.broken) > 0:
		return family.Wrong[0]
	case len(r.rules.Broken(r.seen)) > 0:
		return family.Wrong[1]
	}
	return r.rules.Outcome(r.seen)
}

// News implements Judge.
func (r *ruled[S]) News(p protocols.ID, process any) string {
	if state := r.rules.State(process); state != r.seen.States[p] {
		return fmt.Sprint(state)
	}
	return ""
}

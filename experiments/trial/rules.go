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
	// are judged after every step, the others at rest.
	Broken(seen Seen[S]) map[string]string
	// Outcome returns the outcome of a run that has come to rest and breaks no check.
	Outcome(seen Seen[S]) Outcome
}

// Seen is what Rules see of a run, by address.
type Seen[S comparable] struct {
	States  []S    // of the processes; those of a crashed one are its last
	Down    []bool // it has crashed, and has not come back
	Crashed bool   // a process has crashed; it may have come back
}

// Ruled completes the declaration of an algorithm like [Judged], with a judge by rules. The
// family has two Wrong outcomes: the first for a run that breaks a check that is Always, the
// second for a run that breaks another one. The judge measures nothing.
func Ruled[M protocols.Message, S comparable](a Algorithm, f Family, rules func(*Instance) Rules[S], build Build[M]) Algorithm {
	return Judged(a, f, func(in *Instance, _ bool) Judge {
		r := rules(in)
		return &ruled[S]{
			seen:   Seen[S]{States: make([]S, in.N), Down: make([]bool, in.N)},
			broken: map[string]string{}, broke: map[string]*protocols.Step{},
			fixed: func() (*Family, Rules[S]) { return &f, r },
		}
	}, build)
}

// ruled is a Judge by rules.
type ruled[S comparable] struct {
	seen   Seen[S]
	broken map[string]string // how checks that are Always were broken

	broke   map[string]*protocols.Step `explore:"-"` // the steps that broke them
	changes int                        `explore:"-"` // of states
	// fixed returns the parts that do not change. The explorer does not copy a function.
	fixed func() (*Family, Rules[S]) `explore:"-"`
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
	r.look(p, process, now)
}

// Crashed implements explore.Watch.
func (r *ruled[S]) Crashed(p protocols.ID, _ time.Duration) {
	r.seen.Down[p], r.seen.Crashed = true, true
}

// look judges the run after a step of a process.
func (r *ruled[S]) look(p protocols.ID, process any, now time.Duration) {
	family, rules := r.fixed()
	var step *protocols.Step
	if state := rules.State(process); state != r.seen.States[p] {
		r.changes++
		r.seen.States[p], step = state, &protocols.Step{Process: p, At: now, Change: r.changes}
	}
	broken := rules.Broken(r.seen)
	for _, c := range family.Checks {
		if failure := broken[c.Name]; failure != "" && c.Kind == explore.Always && r.broken[c.Name] == "" {
			r.broken[c.Name], r.broke[c.Name] = failure, step
		}
	}
}

// Checks implements Judge.
func (r *ruled[S]) Checks(rest bool) []protocols.Check {
	family, rules := r.fixed()
	checks, broken := make([]protocols.Check, len(family.Checks)), rules.Broken(r.seen)
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
	family, _ := r.fixed()
	return VerdictsOf(r.Checks(rest), slices.Contains(family.Right, r.Outcome()))
}

// Outcome implements Judge.
func (r *ruled[S]) Outcome() Outcome {
	family, rules := r.fixed()
	switch {
	case len(r.broken) > 0:
		return family.Wrong[0]
	case len(rules.Broken(r.seen)) > 0:
		return family.Wrong[1]
	}
	return rules.Outcome(r.seen)
}

// News implements Judge.
func (r *ruled[S]) News(p protocols.ID, process any) string {
	_, rules := r.fixed()
	if state := rules.State(process); state != r.seen.States[p] {
		return fmt.Sprint(state)
	}
	return ""
}

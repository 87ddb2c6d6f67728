package explore

import (
	"fmt"
	"slices"
	"strings"

	"bullring/internal/value"
)

// NotDeterministicError says that a process handled the same event in the same state in
// two ways: its handler depends on something else, such as a clock, the order of a map or
// a global variable. So a search cannot cover all its runs.
type NotDeterministicError struct {
	Step        string // "" if it is not known
	Once, Again string // the two reactions of the process
}

func (e *NotDeterministicError) Error() string {
	if e.Step == "" {
		return fmt.Sprintf("not deterministic: a run that was found cannot be repeated: %s", e.Again)
	}
	return fmt.Sprintf("not deterministic: in the same state, %s makes the process %s, and the next time %s", e.Step, e.Once, e.Again)
}

// FailedError is the panic of a handler that cannot say what the process does. It ends the search,
// and says nothing about the process.
type FailedError struct{ Err error }

func (e *FailedError) Error() string { return e.Err.Error() }

// Unwrap is the reason.
func (e *FailedError) Unwrap() error { return e.Err }

// equals reports whether two replies are the same.
func (r *reply) equals(s *reply) bool {
	return r.asks == s.asks && r.of == s.of && len(r.next) == len(s.next) && r.process == s.process &&
		slices.Equal(r.sends, s.sends) && r.timers == s.timers && slices.Equal(r.bits, s.bits) &&
		r.depth == s.depth && r.panicked == s.panicked
}

// eventText is the line of a schedule for an event.
func (t *typed[M]) eventText(e event) string {
	s := Step{What: e.what, Who: e.who, From: e.from, Sends: -1}
	switch e.what {
	case Deliver:
		s.Message = fmt.Sprint(t.message(e.more))
	case Timeout:
		s.Timer = *t.space.timers.labels.at(e.more)
	}
	return fmt.Sprintf("%q", s.String())
}

// replyText says in words what a process does.
func (t *typed[M]) replyText(r *reply) string {
	switch {
	case r.panicked != "":
		return "panic: " + r.panicked
	case r.asks == whetherCrashed:
		return fmt.Sprintf("ask about process %d", r.of)
	case r.asks == whetherNear:
		return fmt.Sprintf("ask whether process %d is a neighbour", r.of)
	case r.asks == toChoose:
		return fmt.Sprintf("choose one of %d", r.of)
	}
	var words []string
	for _, s := range r.sends {
		to := fmt.Sprint(s.to)
		if s.channel == toAll {
			to = "all neighbours"
		}
		words = append(words, fmt.Sprintf("send %s to %s", value.Text(t.message(s.message)), to))
	}
	for _, a := range *t.space.timers.settings.at(r.timers) {
		if a.stop {
			words = append(words, fmt.Sprintf("stop timer %d", a.label))
		} else {
			words = append(words, fmt.Sprintf("set timer %d to %v", a.label, a.after))
		}
	}
	return strings.Join(append(words, fmt.Sprintf("become %s", value.Text(t.process(r.process)))), ", ")
}

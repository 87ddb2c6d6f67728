package reason

import (
	"fmt"
	"slices"

	"bullring/des"
	"bullring/experiments/show/history"
	"bullring/protocols"
)

// Violation is a check of a run that does not hold.
type Violation struct {
	Check  string
	Detail string   // how it broke, in the words of the judge
	At     des.Time // of the step that broke it; des.MaxTime if no single step did
	Event  int      // the number of that step in the history; 0 if no single step did

	Promised bool // by the algorithm
}

// violationOf returns the first violated check of a run or, if there is none, the first that
// does not hold and is not promised. It returns nil if there is neither.
func violationOf(h *history.History) *Violation {
	for _, verdict := range []protocols.Verdict{protocols.Violated, protocols.NotPromised} {
		for _, c := range h.Result.Checks {
			if c.Verdict != verdict {
				continue
			}
			v := &Violation{Check: c.Name, Detail: c.Detail, At: des.MaxTime, Promised: verdict == protocols.Violated}
			if h.AtOnce {
				v.Event = h.Targets[0]
				v.At = des.Time(c.Broke.At)
			}
			return v
		}
	}
	return nil
}

// orOf returns the violation of a check instead, if that is violated.
func (v *Violation) orOf(h *history.History, check string) *Violation {
	for _, c := range h.Result.Checks {
		if c.Name != check || c.Verdict != protocols.Violated || v.Check == check {
			continue
		}
		other := &Violation{Check: check, Detail: c.Detail, At: des.MaxTime, Promised: true}
		broke := func(e history.Event) bool { return slices.Contains(e.Broken, check) }
		if i := slices.IndexFunc(h.Events, broke); i >= 0 && c.Broke != nil {
			other.Event, other.At = i+1, des.Time(c.Broke.At)
		}
		return other
	}
	return v
}

// String says which check does not hold, and how it broke.
func (v *Violation) String() string {
	verdict := protocols.Violated
	if !v.Promised {
		verdict = protocols.NotPromised
	}
	return fmt.Sprintf("%s is %v: %s", v.Check, verdict, v.Detail)
}

// last is the number of the last event that can matter to the violation.
func (v *Violation) last(h *history.History) int {
	if v.Event > 0 {
		return v.Event
	}
	return len(h.Events)
}

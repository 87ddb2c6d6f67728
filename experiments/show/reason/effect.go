package reason

import (
	"bullring/experiments/trial"
	"bullring/protocols"
)

// Effect is what changes do to a violation.
type Effect uint8

// The effects, from nothing to the best.
const (
	Same      Effect = iota // the same violation at the same time, or a run that is undecided
	Postponed               // the same violation at another time
	Other                   // this violation is gone, and the check breaks in another way
	Worse                   // the check holds, and another one breaks that held
	Holds                   // the check holds in the whole run
)

// Effects are the names of the effects.
var Effects = []string{"same", "postponed", "other", "worse", "holds"}

// String names the effect.
func (e Effect) String() string { return Effects[e] }

// Gone reports whether this violation is gone.
func (e Effect) Gone() bool { return e >= Other }

// outcome is the effect of changes, with the violation that follows instead, if any.
type outcome struct {
	Effect
	then string // in the words of the judge; of another check with its name before it
}

// compare compares the checks of a changed run with those of the real one.
func compare(real, changed *trial.Result, v *Violation) outcome {
	if changed.Failed != nil || len(changed.Checks) != len(real.Checks) {
		return outcome{}
	}
	found, worse := outcome{}, ""
	for i, c := range changed.Checks {
		if c.Name == v.Check {
			found = compareCheck(real.Checks[i], c)
		} else if c.Verdict == protocols.Violated && real.Checks[i].Verdict != protocols.Violated {
			worse = c.Name + ": " + c.Detail
		}
	}
	if found.Effect == Holds && worse != "" {
		return outcome{Worse, worse}
	}
	return found
}

// compareCheck compares the violated check alone.
func compareCheck(was, is protocols.Check) outcome {
	alike := trial.Sentence(was.Detail) == trial.Sentence(is.Detail)
	switch {
	case is.Verdict == protocols.Undecided:
		return outcome{}
	case is.Verdict != was.Verdict:
		return outcome{Effect: Holds}
	case was.Broke == nil || alike && is.Broke != nil && is.Broke.At == was.Broke.At:
		return outcome{Same, is.Detail}
	case alike:
		return outcome{Postponed, is.Detail}
	}
	return outcome{Other, is.Detail}
}

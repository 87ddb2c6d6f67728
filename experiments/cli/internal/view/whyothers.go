package view

import (
	"fmt"
	"slices"
	"time"

	"bullring/des"
	"bullring/experiments/show/reason"
	"bullring/internal/counts"
)

// mostOthers is the largest number of other reasons that are named.
const mostOthers = 2

// others names the next reasons that are not like the best: first one with which the check holds
// in the whole run, if it does not with the best.
func (t whyText) others() (lines []string) {
	left := 0
	for i, r := range t.Reasons {
		if i == 0 || t.isAlike(r) || t.isWhole(r) || len(t.best.Changes) == 1 && t.best.Changes[0].Class == reason.Fault && r == t.onlyCuts() {
			continue
		}
		if len(lines) == mostOthers && r.Effect <= t.best.Effect || len(lines) > mostOthers || len(r.Changes) > mostNamed {
			left++
			continue
		}
		lines = append(lines, fmt.Sprintf("Or (%d): %s: %s.", i+1, t.other(r), t.becomes(r)))
	}
	if left > 0 {
		lines = append(lines, fmt.Sprintf("%s more; --json lists them.", counts.Several(left, "reason")))
	}
	return lines
}

// isWhole reports whether a reason is the best with the further changes that are named with it.
func (t whyText) isWhole(r *reason.Reason) bool {
	return len(t.best.Too) > 0 && r.Effect == reason.Holds && len(r.Changes) == len(t.best.Changes)+len(t.best.Too) &&
		slices.ContainsFunc(r.Changes, func(c reason.Change) bool { return c.Element == t.best.Changes[0].Element })
}

// other is another reason in a few words.
func (t whyText) other(r *reason.Reason) string {
	if len(r.Changes) > 1 {
		texts := r.Texts()
		return enumerated(texts)
	}
	c := r.Changes[0]
	subject := c.Name
	if c.Class == reason.Fault || c.Class == reason.Step {
		subject = c.Happened()
	}
	text := subject + ", " + t.had(r)
	if r.Limit != nil && c.Came != des.MaxTime {
		text += fmt.Sprintf(" (it took %v)", time.Duration(c.Came-c.Sent))
	}
	return text
}

// becomes says what another reason does.
func (t whyText) becomes(r *reason.Reason) string {
	switch r.Effect {
	case reason.Holds:
		return t.Violation.Check + " holds in the whole run"
	case reason.Worse:
		return t.Violation.Check + " holds, and another check does not: " + r.Then
	}
	return "another follows: " + r.Then
}

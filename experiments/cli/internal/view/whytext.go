package view

import (
	"fmt"
	"slices"

	"bullring/experiments/show/reason"
	"bullring/internal/counts"
)

// whyText says why a check does not hold, in sentences.
type whyText struct {
	*reason.Explanation
	best *reason.Reason
}

// lines are the paragraphs about the best reason.
func (t whyText) lines() []string {
	switch alike := t.alike(); {
	case len(t.best.Changes) > 1 && t.Alone && len(t.Enough) > 0:
		return t.eachEnough()
	case len(t.best.Changes) > 1:
		return t.together()
	case len(alike) > 1 && missing(alike[0].Class):
		return t.anyOf(alike)
	}
	return t.single()
}

// missing reports whether messages of a class did not arrive.
func missing(c reason.Class) bool { return c == reason.Lost || c == reason.Cut }

// alike are the changes of the reasons that are like the best: a single change of the same
// class, with the same effect. A late message has to be of the same kind to the same receiver.
func (t whyText) alike() (changes []reason.Change) {
	for _, r := range t.Reasons {
		if t.isAlike(r) {
			changes = append(changes, r.Changes[0])
		}
	}
	return changes
}

func (t whyText) isAlike(r *reason.Reason) bool {
	c, best := r.Changes[0], t.best.Changes[0]
	if r == t.best {
		return true
	}
	if len(r.Changes) != 1 || len(t.best.Changes) != 1 || c.Class == reason.Step || c.Class != best.Class || r.Effect != t.best.Effect {
		return false
	}
	return missing(c.Class) || c.Class != reason.Fault && c.Class != reason.Coin && c.Key.To == best.Key.To && c.Key.Kind == best.Key.Kind
}

// eachEnough names the elements each of which is enough alone.
func (t whyText) eachEnough() []string {
	names := make([]string, len(t.Enough))
	for i, e := range t.Enough {
		names[i] = e.Happened()
	}
	lead := fmt.Sprintf("because of %s, each of which is enough alone: %s.", counts.Several(len(t.Enough), "thing"), some(names))
	if class, one := t.oneClass(); one && missing(class) {
		lead = fmt.Sprintf("because %s lost, each of which is enough alone: %s.", were(len(t.Enough), "message"), some(elementNames(t.Enough)))
	}
	if len(t.best.Changes) == len(t.Enough) {
		return append([]string{lead, fmt.Sprintf("Had none of this happened, %s.", t.would(t.best))}, t.then()...)
	}
	return append([]string{lead, fmt.Sprintf("%s save the run together: %s.", counts.Several(len(t.best.Changes), "change"), some(t.best.Texts()))}, t.then()...)
}

// oneClass returns the class of the elements that are enough, if it is the same.
func (t whyText) oneClass() (reason.Class, bool) {
	class := t.Enough[0].Class
	return class, !slices.ContainsFunc(t.Enough, func(e *reason.Element) bool { return e.Class != class })
}

// together names the changes that save the run only together.
func (t whyText) together() []string {
	lines := []string{fmt.Sprintf("because of %s together; had all been otherwise, %s:", counts.Several(len(t.best.Changes), "thing"), t.would(t.best))}
	for i, c := range t.best.Changes {
		if i == mostNamed && len(t.best.Changes) > mostNamed+1 {
			lines = append(lines, fmt.Sprintf("and %d more", len(t.best.Changes)-mostNamed))
			break
		}
		lines = append(lines, "- "+c.Happened())
	}
	return append(lines, t.then()...)
}

// anyOf names lost messages of which any one, delivered, saves the run.
func (t whyText) anyOf(alike []reason.Change) []string {
	all := 0
	for _, e := range t.Abnormal {
		if e.Class == alike[0].Class {
			all++
		}
	}
	which := fmt.Sprintf("all %d of these messages were lost", all)
	if all > len(alike) {
		which = fmt.Sprintf("%d of the %d lost messages did not arrive", len(alike), all)
	}
	names := make([]string, len(alike))
	for i, c := range alike {
		names[i] = fmt.Sprintf("%s at %v", c.Name, c.Sent)
	}
	names[0] += " (shown below)"
	return append([]string{fmt.Sprintf("because %s; any one of them delivered, %s: %s.", which, t.would(t.best), some(names))}, t.then()...)
}

// single explains a single change.
func (t whyText) single() []string {
	c := t.best.Changes[0]
	cause := "because "
	switch {
	case c.Class == reason.Fault:
		cause += "of "
	case c.Class == reason.Step && c.IsFault():
		cause = "because of "
	case c.Class == reason.Step:
		cause = "because of the order of steps: "
	case c.Class == reason.Coin:
		cause = "because of a number that was drawn: "
	case c.Class.Normal() && len(t.Real.Result.Instance.Outside) == 0:
		cause = "because of an order of events that the model allows: "
	case c.Class.Normal():
		cause = "because of an order of events: "
	}
	lines := []string{cause + c.Happened() + "."}
	lines = append(lines, sentenceCase(t.had(t.best))+", "+t.would(t.best)+".")
	if c.Class == reason.Step && c.Still() > 0 {
		lines = append(lines, fmt.Sprintf("What clocks showed is left out from step %d on, where they stand still. That alone does not save the run.", c.Still()))
	}
	if w := t.best.Window; w != nil {
		lines = append(lines, t.window(w))
	}
	lines = append(lines, t.bound()...)
	lines = append(lines, t.then()...)
	lines = append(lines, t.cuts()...)
	if n := len(t.alike()) - 1; n > 0 {
		lines = append(lines, fmt.Sprintf("The same holds for %s of its kind to %d, each alone.", counts.Several(n, "other message"), c.Key.To))
	}
	return lines
}

// had says what would have been otherwise with a single change.
func (t whyText) had(r *reason.Reason) string {
	c := r.Changes[0]
	switch {
	case c.Class == reason.Step:
		return c.InOrder()
	case c.Class == reason.Fault && r.Later > 0:
		return fmt.Sprintf("had it begun at %v or not at all", r.Later)
	case c.Class == reason.Fault:
		return "had it not begun"
	case c.Class == reason.Coin:
		return fmt.Sprintf("had it given %d", c.Face)
	case c.Class == reason.Twice:
		return "had it arrived once"
	case r.Limit == nil:
		return fmt.Sprintf("had it arrived at %v", c.Sent.Add(c.Delay))
	case r.Limit.Race == nil:
		return fmt.Sprintf("had it arrived by %v", r.Limit.At)
	}
	return fmt.Sprintf("had it arrived by %v, when %s", r.Limit.At, raceText(r.Limit.Race))
}

// would says what happens with the changes of a reason.
func (t whyText) would(r *reason.Reason) string {
	switch r.Effect {
	case reason.Holds:
		return t.Violation.Check + " would hold"
	case reason.Worse:
		return t.Violation.Check + " would hold, and another check would not"
	}
	return "this violation would be gone"
}

// bound says what the model allows a message that came late, if the reason has it faster.
func (t whyText) bound() []string {
	c := t.best.Changes[0]
	if c.Class != reason.Late || c.Delay == t.Bound {
		return nil
	}
	allows := fmt.Sprintf("The model allows it %v, until %v", t.Bound, c.Sent.Add(t.Bound))
	if t.best.Within == nil {
		return []string{allows + "."}
	}
	return []string{fmt.Sprintf("%s: %s was late, too. Both within %v: gone.", allows, t.best.Within[1].Name, t.Bound)}
}

// then names the violation that follows instead, and what prevents it, too.
func (t whyText) then() []string {
	if t.best.Then == "" {
		return nil
	}
	then := fmt.Sprintf("Then another follows: %s.", t.best.Then)
	if len(t.best.Too) > 0 {
		how := "in time"
		if slices.ContainsFunc(t.best.Too, func(c reason.Change) bool { return c.Class != reason.Late && !missing(c.Class) }) {
			how = "repaired"
		}
		then += fmt.Sprintf(" %s holds in the whole run with %s %s, too.", sentenceCase(t.Violation.Check), some(changeNames(t.best.Too)), how)
	}
	return []string{then}
}

// window says with which numbers of sends a crash breaks the check.
func (t whyText) window(w *reason.Window) string {
	breaks, holds := ranges(w.Breaks, true), ranges(w.Breaks, false)
	sends := "sends"
	if breaks == "1" {
		sends = "send"
	}
	text := fmt.Sprintf("%s breaks after %s %s", sentenceCase(t.Violation.Check), breaks, sends)
	if holds != "" {
		text += fmt.Sprintf("; after %s it holds", holds)
	}
	return text + fmt.Sprintf(" (0 to %d were tried).", len(w.Breaks)-1)
}

// cuts names the messages of a fault that matter, if the fault is the reason.
func (t whyText) cuts() []string {
	r := t.onlyCuts()
	if t.best.Changes[0].Class != reason.Fault || r == nil {
		return nil
	}
	all := 0
	for _, e := range t.Abnormal {
		if e.Class == reason.Cut {
			all++
		}
	}
	names := enumerated(changeNames(r.Changes))
	switch len(r.Changes) {
	case 1:
		return []string{fmt.Sprintf("Of the %s that faults cut, one is enough: %s. Had it arrived, %s.", counts.Several(all, "message"), names, t.would(r))}
	case 2:
		return []string{fmt.Sprintf("Of the %s that faults cut, two matter: %s. Had both arrived, %s; either alone: not.", counts.Several(all, "message"), names, t.would(r))}
	}
	return []string{fmt.Sprintf("Of the %s that faults cut, %d matter: %s. Had all of these arrived, %s.", counts.Several(all, "message"), len(r.Changes), names, t.would(r))}
}

// onlyCuts is the first reason of messages that faults cut, nil if there is none.
func (t whyText) onlyCuts() *reason.Reason {
	for _, r := range t.Reasons {
		if !slices.ContainsFunc(r.Changes, func(c reason.Change) bool { return c.Class != reason.Cut }) {
			return r
		}
	}
	return nil
}

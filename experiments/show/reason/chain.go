package reason

import (
	"slices"

	"bullring/des"
	"bullring/experiments/show/history"
)

// Chain is how two runs differ up to the violation of the real one.
type Chain struct {
	Real  []*history.Event // events of the real run that the saved run lacks
	Saved []*history.Event // events of the saved run that the real run lacks
}

// differ compares two runs up to the violation. An event of both runs has the same text, and
// so the same time.
func differ(real, saved *history.History, v *Violation) Chain {
	count := map[string]int{}
	for _, e := range upTo(real, v.At) {
		count[e.Text(e.News)]++
	}
	var c Chain
	for _, e := range upTo(saved, v.At) {
		if text := e.Text(e.News); count[text] > 0 {
			count[text]--
		} else {
			c.Saved = append(c.Saved, e)
		}
	}
	for _, e := range slices.Backward(upTo(real, v.At)) {
		text := e.Text(e.News)
		if count[text] > 0 && e.Order <= v.last(real) {
			c.Real = append(c.Real, e)
		}
		count[text]--
	}
	slices.Reverse(c.Real)
	return c
}

// upTo returns the events up to an instant, without those of faults.
func upTo(h *history.History, at des.Time) (events []*history.Event) {
	for i := range h.Events {
		if e := &h.Events[i]; e.At <= at && e.What != "fault" {
			events = append(events, e)
		}
	}
	return events
}

// size is the number of events that differ.
func (c Chain) size() int { return len(c.Real) + len(c.Saved) }

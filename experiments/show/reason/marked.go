package reason

import (
	"slices"

	"bullring/experiments/show/history"
	"bullring/netem"
)

// Marked tells of each event of the real run, by its place in Events, whether it belongs to the
// explanation: the events that the run of the best reason lacks, their direct causes, and what
// became of the changed messages. Without a reason it is the past of the verdict. h is the history
// of the real run.
func (e *Explanation) Marked(h *history.History) []bool {
	if len(e.Reasons) == 0 || len(e.Reasons[0].Chain.Real) == 0 {
		return h.Slice()
	}
	best := e.Reasons[0]
	marked := make([]bool, len(e.Real.Events))
	mark := func(order int) {
		if order > 0 {
			marked[order-1] = true
		}
	}
	mark(e.Violation.Event)
	for _, event := range best.Chain.Real {
		mark(event.Order)
		for _, cause := range event.After {
			mark(cause)
		}
	}
	for i := range e.Real.Events {
		event := &e.Real.Events[i]
		for _, c := range best.Changes {
			if c.number > 0 && (event.Number == c.number || sends(event, c.number)) {
				mark(event.Order)
			}
		}
	}
	return marked
}

// sends reports whether a message leaves in an event.
func sends(e *history.Event, number uint64) bool {
	return slices.ContainsFunc(e.Sent, func(s netem.Sent) bool { return s.Number == number })
}

package reason

import (
	"fmt"
	"slices"
	"strings"

	"bullring/experiments/show/history"
	"bullring/experiments/trial"
)

// inAnotherOrder reports whether a reason is that two steps of one process come in another order.
func inAnotherOrder(r *Reason) bool { return r.Changes[0].step.race }

// waits reports whether a step is a timeout that came while messages were under way. Only free
// timers could have come later.
func (s *schedules) waits(i int) bool {
	free := strings.HasPrefix(s.head, "timers "+trial.FreeTimers)
	return free && strings.HasPrefix(s.steps[i], "timeout ") && underWay(s.real, i+1)
}

// await has a timeout come when no message is under way, as in the rest of a run that goes on. The
// search of an explorer ends with the step that breaks the check, so that the schedule has no later
// place for it. Later timeouts of the same timer come then, too.
func (s *schedules) await(i int) {
	if !s.waits(i) {
		return
	}
	later := slices.DeleteFunc(slices.Clone(s.steps[i:]), func(step string) bool { return step == s.steps[i] })
	s.try(i, i-1, slices.Concat(s.steps[:i], later), &moved{
		happened: fmt.Sprintf("step %d, %s, came while messages were under way", i+1, s.names[i]),
		becomes:  fmt.Sprintf("step %d, %s, comes when no message is under way", i+1, s.names[i]),
		order:    "had it come when none was",
		distance: len(s.steps) - i, race: true,
	})
}

// awaitAll has all timeouts from one on come when no message is under way, as few as help. What else
// follows has to come by itself when the run goes on. A reason of a single step comes before.
func (s *schedules) awaitAll(end int) {
	for i := end - 1; i >= 0 && !slices.ContainsFunc(s.steps[i:], forced); i-- {
		if !s.waits(i) {
			continue
		}
		helps := s.try(i, i-1, slices.Clone(s.steps[:i]), &moved{
			happened: fmt.Sprintf("from step %d, %s, on, timers expired while messages were under way", i+1, s.names[i]),
			becomes:  fmt.Sprintf("from step %d, %s, on, timers expire when no message is under way", i+1, s.names[i]),
			order:    "had they expired when none was",
			distance: len(s.steps),
		})
		if helps && s.found[len(s.found)-1].Effect == Holds {
			return
		}
	}
}

// forced reports whether a step does not come by itself when a run goes on.
func forced(step string) bool {
	return !strings.HasPrefix(step, "timeout ") && !strings.HasPrefix(step, "deliver ") || strings.Contains(step, ", ")
}

// underWay reports whether messages are under way when a step is taken.
func underWay(h *history.History, step int) bool {
	open := map[uint64]bool{}
	for i := range h.Events {
		e := &h.Events[i]
		if e.Step >= step {
			break
		}
		if e.Message != nil {
			delete(open, e.Number)
		}
		for _, sent := range e.Sent {
			open[sent.Number] = true
		}
	}
	return len(open) > 0
}

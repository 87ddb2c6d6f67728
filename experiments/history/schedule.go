package history

import (
	"bullring/experiments"
	"bullring/netem"
)

// Schedule returns the schedule of the run: see [experiments.ScheduleOf].
func (h *History) Schedule() experiments.Schedule {
	return experiments.ScheduleOf(func(yield func(*netem.Record) bool) {
		for i := range h.Events {
			if !yield(&h.Events[i].Record) {
				return
			}
		}
	}, h.Result.Instance.Dead...)
}

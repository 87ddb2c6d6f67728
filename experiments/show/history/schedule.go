package history

import (
	"bullring/experiments/trial"
	"bullring/netem"
)

// Schedule returns the schedule of the run: see [trial.ScheduleOf].
func (h *History) Schedule() trial.Schedule {
	return trial.ScheduleOf(func(yield func(*netem.Record) bool) {
		for i := range h.Events {
			if !yield(&h.Events[i].Record) {
				return
			}
		}
	}, h.Result.Instance.Dead...)
}

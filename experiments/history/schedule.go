package history

import (
	"fmt"
	"strings"

	"bullring/experiments"
	"bullring/netem/explore"
)

// Schedule returns the steps of a run in which nothing fails after the start, for a run in
// which timers are free.
func (h *History) Schedule() experiments.Schedule {
	lines := []string{"timers " + experiments.FreeTimers}
	for i := range h.Events {
		r := &h.Events[i]
		step := explore.Step{Who: r.Who, From: r.From, Timer: r.Timer, Choices: r.Choices, Sends: -1}
		switch r.What {
		case "boot":
			step.What = explore.Boot
		case "start":
			step.What = explore.Start
		case "deliver":
			step.What, step.Message = explore.Deliver, fmt.Sprint(r.Message)
		case "timeout":
			step.What = explore.Timeout
		default: // a process is dead from the start, or a message was sent to it
			continue
		}
		lines = append(lines, step.String())
	}
	return experiments.Schedule(strings.Join(lines, "\n"))
}

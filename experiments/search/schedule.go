package search

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"bullring/experiments"
	"bullring/netem/explore"
)

// newSchedule is the schedule of a run that was found.
func newSchedule(s Search, steps []explore.Step) experiments.Schedule {
	head := "timers " + s.Timers
	if s.Timers == experiments.BoundedTimers {
		head += " " + strconv.Itoa(s.Grain)
	}
	if s.Budget.Restarts > 0 {
		head += ", restarts"
	}
	lines := []string{head}
	for _, step := range steps {
		lines = append(lines, step.String())
	}
	return experiments.Schedule(strings.Join(lines, "\n"))
}

// Play plays a run that was found, step by step, on the processes themselves. The error
// says that the run is not what it was found for: the algorithm is not deterministic, or
// this program has a mistake.
func (e *Exploration) Play(ctx context.Context, r *experiments.Registry, run *explore.Run, trace experiments.TraceFunc) (*experiments.Result, error) {
	s := e.Scheduled(run)
	s.OutsideModel = true
	in, err := r.Instance(s)
	if err != nil {
		return nil, err
	}
	result := new(experiments.Worker).Run(ctx, in, trace)
	switch failure := e.failure(run); {
	case result.Impossible() != nil:
		err = e.Algorithm.NotDeterministic(&explore.NotDeterministicError{Again: result.Failed.Error()})
	case !failure.Shows(result):
		err = fmt.Errorf("%s was found to be violated, but the run, played step by step, does not show %q", e.Properties[run.Property].Name, failure)
	}
	return result, err
}

// failure is what is wrong with a run that was found. One that goes on for ever
// shows no more than that when it is cut off.
func (e *Exploration) failure(run *explore.Run) Failure {
	if run.Cycle > 0 {
		return Failure(experiments.Unfinished)
	}
	return Failure(e.Properties[run.Property].Name)
}

package search

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"bullring/experiments/trial"
	"bullring/netem/explore"
)

// newSchedule returns the schedule of a run that a search found.
func newSchedule(s Search, steps []explore.Step) trial.Schedule {
	head := "timers " + s.Timers
	if s.Timers == trial.BoundedTimers {
		head += " " + strconv.Itoa(s.Grain)
	}
	if s.Budget.Restarts > 0 {
		head += ", restarts"
	}
	if s.Notice == explore.AnyNotice {
		head += ", notice any"
	}
	if len(s.Down) > 0 {
		head += ", down " + explore.LinksText(s.Down)
	}
	lines := []string{head}
	for _, step := range steps {
		lines = append(lines, step.String())
	}
	return trial.Schedule(strings.Join(lines, "\n"))
}

// Play repeats a run that the search found, step by step, on fresh processes. The error
// says that the run does not show what the search found: the algorithm is not
// deterministic, or this program has a mistake.
func (e *Exploration) Play(ctx context.Context, r *trial.Registry, run *explore.Run, trace trial.TraceFunc) (*trial.Result, error) {
	s := e.Scheduled(run)
	s.OutsideModel = true
	in, err := r.Instance(s)
	if err != nil {
		return nil, err
	}
	result := new(trial.Worker).Run(ctx, in, trace)
	switch failure := e.failure(run); {
	case result.Late() != nil:
		err = result.Late()
	case result.Impossible() != nil:
		err = e.Algorithm.NotDeterministic(&explore.NotDeterministicError{Again: result.Failed.Error()})
	case !failure.Shows(result):
		err = fmt.Errorf("%s was found to be violated, but the run, played step by step, does not show %q", e.Properties[run.Property].Name, failure)
	}
	return result, err
}

// failure returns the failure of a counterexample. A run with a cycle never ends, so its
// schedule, which is finite, shows an unfinished run.
func (e *Exploration) failure(run *explore.Run) Failure {
	if run.Cycle > 0 {
		return Failure(trial.Unfinished)
	}
	return Failure(e.Properties[run.Property].Name)
}

package search

import (
	"context"

	"bullring/experiments/trial"
	"bullring/netem/explore"
	"bullring/protocols"
)

// Walk returns the setting of a search with the schedule of one random walk of the explorer: each
// step is drawn from all that are possible. Its options say which walk, and how long it may be.
// The error says that the system cannot be explored.
func Walk(ctx context.Context, r *trial.Registry, s Search) (trial.Setting, error) {
	e, err := exploration(r, s)
	if err != nil {
		return s.Setting, err
	}
	run := &explore.Run{}
	options := s.Options
	options.Strategy, options.Runs = explore.RandomWalk, 1
	options.Each = func(_ int, steps []explore.Step, _ []protocols.Verdict) { run.Steps = steps }
	if _, err := e.Algorithm.Explore(ctx, e.Instances, e.network(), options); err != nil {
		return s.Setting, err
	}
	walked := e.Scheduled(run)
	walked.OutsideModel = s.Setting.OutsideModel
	return walked, nil
}

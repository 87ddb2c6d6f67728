package search

import (
	"context"
	"errors"

	"bullring/experiments/trial"
	"bullring/netem/explore"
)

// measures are the Costs by the names of the explorer.
var measures = map[string]explore.Measure{"messages": explore.Messages, "bits": explore.Bits, "depth": explore.Depth, "time": explore.Time}

// cutOff says why not every schedule was explored.
type cutOff struct{ reason error }

func (e *cutOff) Error() string { return e.reason.Error() }

// errRestless is the reason that some run never comes to rest and costs more than all that
// do.
var errRestless = errors.New("a run that never comes to rest costs more")

// exploreAll explores every schedule of all cases.
func (h *hunter) exploreAll(ctx context.Context, all int) (finding, error) {
	jobs := parts(all, exploredAtOnce)
	options := explore.Options{
		Reduce: true, Workers: max(h.Workers/jobs, 1), MaxStates: h.MaxStates,
		MaxMemory: explore.DefaultMemory / uint64(min(h.Workers, jobs)),
	}
	return h.share(ctx, jobs, func(ctx context.Context, _ *trial.Worker, job int) (finding, error) {
		first, end := job*exploredAtOnce, min((job+1)*exploredAtOnce, all)
		found, err := h.explore(ctx, first, end, options)
		if found.there {
			h.count(end-first, all)
		}
		return found, err
	})
}

// explore explores every schedule of some cases. Orders of steps that commute cost the same,
// so one of them is enough.
func (h *hunter) explore(ctx context.Context, first, end int, o explore.Options) (finding, error) {
	e, err := h.exploration(first, end)
	if err != nil {
		return finding{}, err
	}
	network := e.network()
	network.Measure, network.Rotations = measures[h.Metric], false // cases are no rotations of each other
	e.Result, err = e.Algorithm.Explore(ctx, e.Instances, network, o)
	_, unsteady := errors.AsType[*explore.NotDeterministicError](err)
	switch {
	case unsteady:
		return finding{}, err
	case err != nil:
		return finding{}, &cutOff{err}
	case ctx.Err() != nil:
		return finding{}, nil
	case e.Counterexample != nil:
		return finding{}, &trial.PanicError{Algorithm: e.Algorithm.Name, Where: "a handler panics", Panic: e.Counterexample.Panicked}
	case h.states.Add(e.States) > h.MaxStates || e.States >= h.MaxStates: // the same reason whichever search ends first
		return finding{}, &cutOff{&explore.StatesError{States: h.MaxStates}}
	case e.Stopped != nil:
		return finding{}, &cutOff{e.Stopped}
	case e.Witness == nil || e.Highest > e.Most:
		return finding{}, &cutOff{errRestless}
	}
	found := finding{cost: float64(e.Most), setting: e.Scheduled(e.Witness), number: first + e.Witness.Root, there: true}
	if h.Metric == "time" {
		found.cost /= float64(h.Grain)
	}
	return found, nil
}

// exploration puts some cases into one exploration.
func (h *hunter) exploration(first, end int) (*Exploration, error) {
	var all *Exploration
	for i := first; i < end; i++ {
		e, err := exploration(h.registry, Search{Setting: h.cases.setting(h.cases.at(i)), Timers: h.Timers, Grain: h.Grain})
		switch {
		case err != nil:
			return nil, err
		case all == nil:
			all = e
		default:
			all.Instances = append(all.Instances, e.Instances...)
		}
	}
	return all, nil
}

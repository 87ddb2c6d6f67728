package search

import (
	"context"
	"fmt"
	"iter"
	"math/bits"
	"strconv"
	"strings"
	"time"

	"gonum.org/v1/gonum/stat/combin"

	"bullring/experiments/trial"
	"bullring/netem/explore"
)

// Search describes an exploration.
type Search struct {
	// Setting is the system. Its placement and its initiators may be Every.
	Setting trial.Setting
	// Timers are trial.FreeTimers or BoundedTimers. "" is bounded if the algorithm
	// assumes a bound on delay, else free.
	Timers string
	// Grain is the number of steps of time in the bound on delay; 0 is 1.
	Grain int
	// Budget is how often each fault may strike.
	Budget explore.Budget
	// Full switches off the reductions: it explores every order of steps and every rotation
	// of the ring, even where they make no difference.
	Full    bool
	Options explore.Options
}

// Every stands for all placements of the identities, or for all non-empty sets of
// initiators.
const Every = "every"

// Exploration is the result of a search.
type Exploration struct {
	Search    Search // with all defaults filled in
	Algorithm *trial.Algorithm
	Instances []*trial.Instance // explored together, by root
	Outside   []string          // the assumptions of the algorithm that do not hold
	*explore.Result
}

// Explore explores all runs of a system, or a sample of them. The error says what is wrong
// with the search itself; ending early is no error.
func Explore(ctx context.Context, r *trial.Registry, s Search) (*Exploration, error) {
	e, err := exploration(r, s)
	if err != nil {
		return nil, err
	}
	e.Result, err = e.Algorithm.Explore(ctx, e.Instances, e.network(), e.Search.Options)
	return e, err
}

// exploration checks a search and fills in its defaults. Result is nil.
func exploration(r *trial.Registry, s Search) (*Exploration, error) {
	instances, err := instances(r, s.Setting)
	if err != nil {
		return nil, err
	}
	a := instances[0].Algorithm
	switch {
	case s.Timers == "" && a.Assumes.BoundedDelay:
		s.Timers = trial.BoundedTimers
	case s.Timers == "":
		s.Timers = trial.FreeTimers
	case s.Timers != trial.FreeTimers && s.Timers != trial.BoundedTimers:
		return nil, fmt.Errorf("timers %q; allowed are %s, %s", s.Timers, trial.FreeTimers, trial.BoundedTimers)
	}
	if s.Grain < 0 || s.Grain > 1 && s.Timers == trial.FreeTimers {
		return nil, fmt.Errorf("grain %d: it is the number of steps of time in the bound on delay, and goes with %s timers", s.Grain, trial.BoundedTimers)
	}
	s.Grain = max(s.Grain, 1)
	e := &Exploration{Search: s, Algorithm: a, Instances: instances}
	for _, in := range e.Instances {
		in.SetTick(s.Timers, s.Grain)
	}
	return e, e.check()
}

// check refuses a system that cannot be explored, and notes the assumptions that do not
// hold.
func (e *Exploration) check() error {
	in := e.Instances[0]
	if what := in.Unexplored(); what != "" {
		return fmt.Errorf("what is explored has no %s; faults have a budget each, and strike everywhere", what)
	}
	if e.Search.Timers == trial.BoundedTimers && in.Assumed%time.Duration(e.Search.Grain) != 0 {
		return fmt.Errorf("grain %d does not divide the bound on delay, %v", e.Search.Grain, in.Assumed)
	}
	e.Outside = append(in.Outside, in.OutsideExplored(e.Search.Timers, e.Search.Budget)...)
	return nil
}

// network returns the network of the exploration.
func (e *Exploration) network() explore.Network {
	in := e.Instances[0]
	n := in.Network(e.Search.Timers, e.Search.Grain, e.Search.Budget)
	n.Rotations = e.Algorithm.Rotations && !e.Search.Full && len(e.Instances) > 1 && e.Search.Budget.Restarts == 0
	return n
}

// Scheduled returns a setting with the schedule of a run: it repeats the run.
func (e *Exploration) Scheduled(run *explore.Run) trial.Setting {
	s := e.Instances[run.Root].Setting
	s.Schedule = newSchedule(e.Search, run.Steps)
	return s
}

// instances returns the instances of a setting. It resolves Every.
func instances(r *trial.Registry, s trial.Setting) ([]*trial.Instance, error) {
	s.OutsideModel = true
	placed := []trial.Setting{s}
	if s.Placement == Every {
		if s.IDs != "" {
			return nil, fmt.Errorf("identities are given, and every placement of 1..n; give either")
		}
		if s.N > mostPlaced {
			return nil, fmt.Errorf("every placement of %d processes is too many; allowed are up to %d processes", s.N, mostPlaced)
		}
		placed = nil
		for ids := range everyPlacement(s.N) {
			t := s
			t.Placement, t.IDs = "", ids
			placed = append(placed, t)
		}
	}
	var all []*trial.Instance
	for _, t := range placed {
		if s.Initiators != Every {
			in, err := r.Instance(t)
			if err != nil {
				return nil, err
			}
			all = append(all, in)
			continue
		}
		started, err := startedEveryWay(r, t)
		if err != nil {
			return nil, err
		}
		all = append(all, started...)
		if len(placed)*len(started) > mostInstances { // each placement is started in as many ways
			return nil, fmt.Errorf("every placement of %d processes with every set of initiators is too many; allowed are up to %d instances", s.N, mostInstances)
		}
	}
	return all, nil
}

// everyPlacement yields all placements of the identities 1..n, as lists of identities.
func everyPlacement(n int) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, p := range combin.Permutations(n, n) {
			words := make([]string, n)
			for i, k := range p {
				words[i] = strconv.Itoa(k + 1)
			}
			if !yield(strings.Join(words, ",")) {
				return
			}
		}
	}
}

// Limits of what is explored together.
const (
	mostPlaced    = 8       // processes, with every placement; twice as many, with every set of initiators
	mostInstances = 1 << 16 // instances
)

// startedEveryWay returns the instances of a setting with every set of initiators.
func startedEveryWay(r *trial.Registry, s trial.Setting) ([]*trial.Instance, error) {
	s.Initiators = "all"
	in, err := r.Instance(s)
	if err != nil {
		return nil, err
	}
	if in.Initiators.Len() > 2*mostPlaced {
		return nil, fmt.Errorf("every set of initiators of %d processes is too many; allowed are up to %d processes", in.Initiators.Len(), 2*mostPlaced)
	}
	var all []*trial.Instance
	for set := uint(1); set < 1<<in.Initiators.Len(); set++ {
		var words []string
		for left := set; left != 0; left &= left - 1 {
			words = append(words, strconv.Itoa(int(in.Initiators.At(bits.TrailingZeros(left)))))
		}
		s.Initiators = strings.Join(words, ",")
		started, err := r.Instance(s)
		if err != nil {
			return nil, err
		}
		all = append(all, started)
	}
	return all, nil
}

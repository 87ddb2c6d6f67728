package search

import (
	"context"

	"bullring/experiments"
	"bullring/netem/explore"
)

// shrinkStates ends each of the searches for something smaller.
const shrinkStates = 500_000

// Smallest looks for a smaller system in which the property breaks as well: fewer
// processes, with whatever placement of the identities 1..n and whatever initiators;
// then fewer faults. It returns what was found, e if that is nothing. The
// counterexample is then the shortest there.
func (e *Exploration) Smallest(ctx context.Context, r *experiments.Registry) *Exploration {
	if e.Counterexample == nil {
		return e
	}
	best := e
	for n := 1; n < e.Instances[0].N && best == e; n++ {
		s := e.Search
		s.Setting.N, s.Setting.IDs, s.Setting.Placement = n, "", Every
		if !e.Algorithm.Assumes.AllInitiate {
			s.Setting.Initiators = Every
		}
		best = e.smaller(ctx, r, s)
	}
	for _, fault := range []func(*explore.Budget) *int{
		func(b *explore.Budget) *int { return &b.Restarts },
		func(b *explore.Budget) *int { return &b.Crashes },
		func(b *explore.Budget) *int { return &b.Duplicates },
		func(b *explore.Budget) *int { return &b.Losses },
	} {
		for *fault(&best.Search.Budget) > 0 {
			s := best.Search
			*fault(&s.Budget)--
			less := e.smaller(ctx, r, s)
			if less == e {
				break
			}
			best = less
		}
	}
	return best
}

// smaller is the exploration of a smaller system if the same property breaks there,
// else e.
func (e *Exploration) smaller(ctx context.Context, r *experiments.Registry, s Search) *Exploration {
	s.Options.Strategy, s.Options.MaxStates = explore.BreadthFirst, shrinkStates
	s.Options.Reduce, s.Options.Progress = !s.Full, nil
	found, err := Explore(ctx, r, s)
	// What cannot be explored, such as a list of initiators that are not there, is
	// not smaller.
	if err != nil || found.Counterexample == nil || found.Counterexample.Property != e.Counterexample.Property {
		return e
	}
	return found
}

package search

import (
	"context"
	"slices"

	"bullring/experiments/trial"
	"bullring/netem"
	"bullring/netem/explore"
)

// shrinkStates is the largest number of states of each search for a smaller system.
const shrinkStates = 500_000

// Smallest looks for a smaller system that violates the same property: first with fewer
// processes, any placement of 1..n and any initiators, then with fewer faults. Properties of
// a user's own are about so many processes: with them it looks for fewer faults only. It returns
// its exploration, whose counterexample is the shortest there, or e if it finds none.
func (e *Exploration) Smallest(ctx context.Context, r *trial.Registry) *Exploration {
	if e.Counterexample == nil {
		return e
	}
	best := e
	for n := 1; n < e.Instances[0].N && best == e; n++ {
		if e.Instances[0].Own != nil || !e.Instances[0].Bears(n) {
			continue
		}
		s := e.Search
		s.Setting.N, s.Setting.IDs, s.Setting.Placement = n, "", Every
		s.Down = slices.DeleteFunc(slices.Clone(s.Down), func(k netem.Link) bool { return int(k.B) >= n })
		if !e.Algorithm.Assumes.AllInitiate {
			s.Setting.Initiators = Every
		}
		best = e.smaller(ctx, r, s)
	}
	for _, fault := range []func(*Search) *int{
		func(s *Search) *int { return &s.Budget.Restarts },
		func(s *Search) *int { return &s.Budget.Crashes },
		func(s *Search) *int { return &s.Budget.Duplicates },
		func(s *Search) *int { return &s.Budget.Losses },
		func(s *Search) *int { return &s.Budget.LinkChanges },
		func(s *Search) *int { return &s.Liars },
	} {
		for *fault(&best.Search) > 0 {
			s := best.Search
			*fault(&s)--
			less := e.smaller(ctx, r, s)
			if less == e {
				break
			}
			best = less
		}
	}
	return best
}

// smaller explores a smaller system. It returns the exploration if the same property is
// violated, else e.
func (e *Exploration) smaller(ctx context.Context, r *trial.Registry, s Search) *Exploration {
	s.Options.Strategy, s.Options.Supertrace, s.Options.MaxStates = explore.BreadthFirst, false, shrinkStates
	s.Folder = ""
	s.Options.Reduce, s.Options.Progress = !s.Full, nil
	found, err := Explore(ctx, r, s)
	// An error means that there is no such system: an initiator may be missing.
	if err != nil || found.Counterexample == nil || found.Counterexample.Property != e.Counterexample.Property {
		return e
	}
	return found
}

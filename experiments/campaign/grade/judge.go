package grade

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"bullring/experiments/campaign/judge"
	"bullring/experiments/trial"
)

// judge grades a part by every run of small systems and by random runs. Its limits are those of the
// assignment, and none is of time.
func (g *grading) judge(m *Mark) {
	s := g.settings(g.part, g.Program)[0]
	s.N, s.Seed = 0, 0
	c := judge.Case{Registry: g.Registry, Setting: s, Sizes: g.part.Sizes, States: g.part.States, Settings: g.part.Settings, Seed: g.Seed}
	r, err := c.Run(g.ctx)
	m.Runs = 1
	_, wrong := errors.AsType[*trial.Misbehaviour](err)
	switch {
	case g.ctx.Err() != nil:
		m.Verdict, m.Why = Inconclusive, g.overtime()
	case wrong:
		m.Verdict, m.Why = Wrong, err.Error()
	case err != nil:
		m.Verdict, m.Why = Inconclusive, err.Error()
	case r.Verdict == judge.Inconclusive:
		m.Verdict, m.Why = Inconclusive, r.Sentences()[0]
	case r.Verdict == judge.Refuted:
		m.Verdict, m.Why = Wrong, shortened(fmt.Sprintf("%s: %s", r.Failure.Check, r.Failure.Detail))
		m.example = g.refuted(r)
		m.Again = m.example.again
	case unexplored(r, g.part.States) != nil:
		m.Verdict, m.Why = Wrong, "cannot be explored: "+shortened(unexplored(r, g.part.States).Why)
	default:
		m.Held = 1
	}
}

// unexplored is an exploration that came to no end below the limit of states: such a program hides what it is, or
// draws from too many numbers. It is nil if there is none.
func unexplored(r *judge.Report, states uint64) *judge.Attempt {
	for i, a := range r.Tried {
		if a.Stage == judge.Explore && a.Result == judge.Unfinished && a.States < cmp.Or(states, judge.DefaultStates) {
			return &r.Tried[i]
		}
	}
	return nil
}

// refuted is the example of a refutation.
func (g *grading) refuted(r *judge.Report) *example {
	f := r.Failure
	i := slices.IndexFunc(r.Tried, func(a judge.Attempt) bool { return a.Result == judge.Violated })
	e := &example{sentence: f.Detail, setting: f.Setting, result: f.Result, again: g.Words.Line(r.Tried[i].Command)}
	if g.Folder == nil {
		return e
	}
	if e.result == nil {
		e.unseen = "It is not drawn: it shows when runs are compared."
		return e
	}
	g.show(e, f.Explanation)
	return e
}

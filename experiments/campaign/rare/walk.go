package rare

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"bullring/experiments/trial"
	"bullring/netem"
	"bullring/protocols"
)

// walkers run particles, several at a time.
type walkers struct {
	*Question
	ctx  context.Context
	cost *Cost
	each []walker
}

// walker runs one particle after another.
type walker struct {
	worker trial.Worker
	made   *trial.Replicates
	climb  *trial.Climb
}

// walkers returns what runs the particles of the question. It runs the setting once, to know whether
// there are such a level and such a check.
func (q *Question) walkers(ctx context.Context, cost *Cost) (*walkers, error) {
	workers := q.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	w := &walkers{q, ctx, cost, make([]walker, workers)}
	for i := range w.each {
		w.each[i].made = q.Registry.Replicates(q.Setting)
	}
	in, err := w.each[0].made.Instance(q.Setting.Seed)
	switch {
	case err != nil:
		return nil, err
	case in.Script != nil, in.Forks != nil:
		return nil, fmt.Errorf("a rare event is looked for over all seeds, and the setting has a schedule or forks")
	case in.InPrograms():
		return nil, fmt.Errorf("--node: each of the many runs for a rare event would start its programs; it is asked of algorithms in Go")
	}
	for i := range w.each {
		if w.each[i].climb, err = trial.NewClimb(in, q.Level); err != nil {
			return nil, err
		}
	}
	return w, w.known(in)
}

// known returns an error if runs of the instance have no such level, or no such check.
func (w *walkers) known(in *trial.Instance) error {
	one := &w.each[0]
	in.Climb = one.climb
	r := one.worker.Run(w.ctx, in, nil)
	if r.Failed != nil {
		return r.Failed
	}
	var checks []string
	for _, p := range in.Promised() {
		checks = append(checks, p.Name)
	}
	if checks = append(checks, in.Own.Names()...); w.Check != "" && !slices.Contains(checks, w.Check) {
		return fmt.Errorf("%s has no check %q; it has %s", in.Algorithm.Name, w.Check, strings.Join(checks, ", "))
	}
	if names := one.climb.Levels(); !w.Level.IsWorkedOut() && !slices.Contains(names, string(w.Level)) {
		return fmt.Errorf("%s has no level %q; it has %s", in.Algorithm.Name, w.Level, strings.Join(names, ", "))
	}
	return nil
}

// all runs particles until their level is as large as stop; 0 is to their ends.
func (w *walkers) all(particles []particle, stop int64) ([]path, error) {
	paths, failed := make([]path, len(particles)), make([]error, len(particles))
	var next, limited atomic.Int64
	var group sync.WaitGroup
	for i := range w.each {
		one := &w.each[i]
		group.Go(func() {
			for {
				k := next.Add(1) - 1
				if k >= int64(len(particles)) || w.ctx.Err() != nil {
					return
				}
				one.climb.Stop = stop
				r, err := one.run(w.ctx, particles[k])
				if failed[k] = err; err != nil {
					return
				}
				paths[k] = w.pathOf(r, one.climb)
				if toItsEnd := stop == 0 || one.climb.Highest() < stop; toItsEnd && isLimited(r.End) {
					limited.Add(1)
				}
			}
		})
	}
	group.Wait()
	for _, err := range failed {
		if err != nil {
			return nil, err
		}
	}
	if err := w.ctx.Err(); err != nil {
		return nil, err
	}
	w.cost.Runs += uint64(len(paths))
	w.cost.Limited += uint64(limited.Load())
	for i := range paths {
		w.cost.Events += paths[i].events
	}
	return paths, nil
}

func isLimited(end netem.End) bool {
	return end != netem.Quiescent && end != netem.Stopped && end != netem.Repeating
}

// pathOf is what a run has shown.
func (w *walkers) pathOf(r *trial.Result, c *trial.Climb) path {
	p := path{passages: slices.Clone(c.Passages), events: r.Counters.Events}
	if w.Check != "" {
		p.happened = r.Verdict(w.Check) == protocols.Violated
	} else {
		p.happened = c.Highest() >= w.Reach
	}
	return p
}

// run runs a particle.
func (w *walker) run(ctx context.Context, p particle) (*trial.Result, error) {
	in, err := w.made.Instance(p.seed)
	if err != nil {
		return nil, err
	}
	in.Forks, in.Climb = p.forks, w.climb
	r := w.worker.Run(ctx, in, nil)
	if r.Failed != nil {
		return nil, fmt.Errorf("the run of seed %d with forks %q: %w", p.seed, netem.ForksText(p.forks), r.Failed)
	}
	return r, nil
}

// example runs a particle in which the event happens to its end, from its setting alone.
func (w *walkers) example(p *particle, to *Report) error {
	s := w.Setting
	s.Seed, s.Forks = p.seed, netem.ForksText(p.forks)
	in, err := w.Registry.Instance(s)
	if err != nil {
		return err
	}
	climb, err := trial.NewClimb(in, w.Level)
	if err != nil {
		return err
	}
	in.Climb = climb
	r := w.each[0].worker.Run(context.WithoutCancel(w.ctx), in, nil)
	if path := w.pathOf(r, climb); !path.happened {
		return fmt.Errorf("the run of seed %d with forks %q does not repeat: the event does not happen again", s.Seed, s.Forks)
	}
	to.Example = r
	return nil
}

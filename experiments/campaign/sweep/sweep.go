package sweep

import (
	"cmp"
	"context"
	"log/slog"
	"runtime"

	"github.com/jonboulle/clockwork"

	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/spec"
)

// Sweep runs every cell of a spec, replicate by replicate, and writes the results into a
// folder: see [results.Manifest]. The tables are the same to the byte for any number of
// workers, shards and interruptions.
//
// A journal in the folder keeps every trial that has finished. Run resumes a sweep that has
// a journal. It does not run a complete sweep again. If the folder holds an earlier version
// of the sweep, Run keeps the rows of the trials that this version has, too, and runs the
// others.
type Sweep struct {
	Source
	Dir   string // for the results; it is made if need be
	Shard Shard  // the part to run; a part only writes its journal, for Join
	Again bool   // discard results and journals, and run all trials again
	Drop  bool   // trials of an earlier version in Dir that this version does not have are lost

	Workers int // goroutines that run trials; 0 is GOMAXPROCS

	// Rehearse, if not nil, returns a function that checks a figure of the sweep before any
	// trial runs: see figures.Rehearse.
	Rehearse func(a *results.Folder, outside bool) func(*spec.Figure) error

	// Progress, if not nil, is called at most ten times a second, and at the end. It must
	// return quickly.
	Progress func(Progress)
	// Begun, if not nil, is called when all checks have passed and trials are about to run.
	// From then on Run returns by itself when its context is cancelled.
	Begun func()
	// Log, if not nil, receives warnings and notes while the sweep runs.
	Log *slog.Logger
	// Clock gives the time to Progress and the manifest; nil is the real clock. No table
	// depends on it.
	Clock clockwork.Clock

	join  []*contents // complete shards to take all trials from, instead of running them
	union []*earlier  // folders to take all trials from, instead of running them
}

// Run runs the sweep, or the rest of it. It checks everything before the first trial runs.
//
// When the context is cancelled, Run finishes the current trials and returns a
// [*StoppedError]. A trial that breaks a proven bound, or in which the algorithm panics,
// ends the sweep with a [*RowError]. In both cases the tables hold whole rows from the
// first trial to the last that is reported, the manifest says that they are not complete,
// and the journal keeps every trial that has finished. An algorithm that is not
// deterministic, or breaks another rule of protocols.Process, is refused with a
// [*trial.ConductError] before any trial runs.
func (s *Sweep) Run(ctx context.Context) (*Report, error) {
	cells, layout, err := s.resolve()
	if err != nil {
		return nil, err
	}
	to := s.target()
	if err := to.claim(); err != nil {
		return nil, err
	}
	if s.union != nil {
		return runUnion(ctx, s, cells, layout)
	}
	self := s.attempt(results.NewRowWriter(layout).Header(), s.clock().Now())
	grown, err := growthOf(s, &self, cells, layout)
	if err != nil {
		return nil, err
	}
	var report *Report
	if grown == nil {
		report, err = to.completed(cells, layout)
	}
	switch {
	case err != nil || report != nil && !report.Outdated && to.isTidy():
		return report, err
	case report == nil:
		err = to.fitsShards(self)
		if err == nil && s.join == nil {
			err = cmp.Or(s.checkConduct(ctx, cells), s.checkRare(ctx, cells))
		}
	}
	if err != nil {
		return nil, err
	}
	c, err := to.take()
	if err != nil {
		return nil, err
	}
	defer c.Close()
	if grown == nil { // another process may have completed it just now
		report, err = to.completed(cells, layout)
	}
	if report != nil || err != nil {
		return to.leave(c, report, err, cells, layout)
	}
	return s.goOn(ctx, cells, layout, c, self, grown)
}

// goOn runs what is missing in the folder that is claimed.
func (s *Sweep) goOn(ctx context.Context, cells []spec.Cell, l results.Layout, c *results.Claims, self attempt, grown *growth) (*Report, error) {
	r, err := s.begin(cells, l, c, self, grown)
	if err != nil {
		return nil, err
	}
	defer r.close()
	if s.Begun != nil {
		s.Begun()
	}
	return r.run(ctx)
}

// target is the folder that the sweep writes to.
func (s *Sweep) target() target {
	return target{Source: &s.Source, dir: s.Dir, shard: s.Shard, again: s.Again}
}

// resolve returns the cells and the layout of their tables. The error says, with its place
// in the file, why cells cannot run, or why their results could not be written and drawn.
func (s *Sweep) resolve() ([]spec.Cell, results.Layout, error) {
	if s.join == nil { // the trials of a join have run
		if err := s.checkFormulas(); err != nil {
			return nil, results.Layout{}, err
		}
	}
	cells := s.Spec.Cells()
	if err := s.resolveCells(cells); err != nil {
		return nil, results.Layout{}, err
	}
	l, err := results.LayoutOf(s.Registry, s.Spec)
	if err == nil && s.join == nil { // the figures of a join can be corrected later
		var rehearse func(*spec.Figure) error
		if s.Rehearse != nil {
			rehearse = s.Rehearse(s.target().folder(cells), s.outsideModel())
		}
		err = s.checkDrawn(l, cells, rehearse)
	}
	return cells, l, err
}

func (s *Sweep) workers() int {
	if s.Workers > 0 {
		return s.Workers
	}
	return runtime.GOMAXPROCS(0)
}

func (s *Sweep) clock() clockwork.Clock {
	if s.Clock == nil {
		return clockwork.NewRealClock()
	}
	return s.Clock
}

func (s *Sweep) log() *slog.Logger {
	if s.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return s.Log
}

package sweep

import (
	"context"
	"errors"
	"log/slog"
	"runtime"

	"github.com/jonboulle/clockwork"

	"bullring/experiments"
	"bullring/experiments/results"
	"bullring/experiments/spec"
)

// Sweep runs every cell of a spec, replicate by replicate, and writes the results
// into a folder: see [Manifest]. The tables are the same to the byte whatever the
// number of workers, of shards, and of times that it was killed and went on.
//
// Every trial that has finished is kept in a journal in the folder. A sweep whose
// journal is there goes on where it ended; one that is complete is not run again.
type Sweep struct {
	Registry *experiments.Registry
	Spec     *spec.Spec // of Registry.ParseSpec
	Text     []byte     // that Spec was parsed from
	File     string     // and its file, for messages
	Dir      string     // is made if need be
	Shard    Shard      // to run of it; a part writes its journal alone, for Join

	Workers      int  // goroutines that run trials; 0 is GOMAXPROCS
	OutsideModel bool // run even cells of which an algorithm promises nothing
	Again        bool // run it even if it is complete, or begun, and forget what was there

	// Rehearse, if not nil, makes a function that reports why a figure of the sweep could not
	// be drawn when all trials have run: see RehearseFigures.
	Rehearse func(a *results.Folder, outside bool) func(*spec.Figure) error

	// Progress, if not nil, is told how far the sweep is: at most ten times a
	// second, and at the end. It must not take long.
	Progress func(Progress)
	// Begun, if not nil, is called when everything has been checked and trials are about to
	// run: from now on Run ends by itself when its context is cancelled.
	Begun func()
	// Log, if not nil, is told what is worth knowing while the sweep runs.
	Log *slog.Logger
	// Clock tells Progress and the manifest the time; nil is the real one. No table
	// depends on it.
	Clock clockwork.Clock

	trials string      // hash of what decides them, once it is known
	join   []*contents // run nothing, and take the trials of all shards from there
}

// Run runs the sweep, or what is left of it. Whatever is wrong with it is found
// before anything runs.
//
// When the context is cancelled, Run finishes the trials in hand and ends with a
// [*StoppedError]. A trial that breaks a proven bound, or in which the algorithm
// panics, ends it with a [*RowError]. An algorithm that is not deterministic, or breaks
// another rule that protocols.Process has, is a [*ConductError] before anything runs.
// Either way the tables hold the trials from the first to the last that is told of,
// in whole rows, the manifest says that they are not complete, and the journal keeps
// all that have finished.
func (s *Sweep) Run(ctx context.Context) (*Report, error) {
	cells, layout, err := s.resolve()
	if err != nil {
		return nil, err
	}
	if err := s.claim(); err != nil {
		return nil, err
	}
	report, err := s.completed(cells, layout)
	switch {
	case err != nil || report != nil && !report.Outdated && s.isTidy():
		return report, err
	case report == nil:
		err = s.fitsShards(s.attempt(results.NewRowWriter(layout).Header(), s.clock().Now()))
		if err == nil && s.join == nil {
			err = s.checkConduct(ctx, cells)
		}
	}
	if err != nil {
		return nil, err
	}
	c, err := s.takeFolder()
	if err != nil {
		return nil, err
	}
	defer c.Close()
	// Another process may have completed it just now.
	report, err = s.completed(cells, layout)
	if err == nil && report != nil && report.Outdated {
		err = s.rewrite(c, cells, layout)
	}
	if report != nil || err != nil {
		return report, errors.Join(err, s.tidy(c))
	}
	r, err := s.begin(cells, layout, c)
	if err != nil {
		return nil, err
	}
	defer r.close()
	if s.Begun != nil {
		s.Begun()
	}
	return r.run(ctx)
}

// outsideModel: whoever runs the sweep, or whoever wrote it, wants it so.
func (s *Sweep) outsideModel() bool { return s.OutsideModel || s.Spec.OutsideModel }

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

// trialsHash is that of the sweep. It is computed once.
func (s *Sweep) trialsHash() string {
	if s.trials == "" {
		s.trials = results.TrialsHash(s.Spec, s.Spec.Cells())
	}
	return s.trials
}

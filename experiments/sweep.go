package experiments

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/jonboulle/clockwork"

	"bullring/experiments/spec"
	"bullring/netem"
)

// Sweep runs every cell of a spec, replicate by replicate, and writes the
// results into a directory: results.csv with a row a trial, summary.csv with a
// row a cell, growth.csv with a row a series over n, spec.yaml, and
// manifest.json, which tells about the others. The tables are the same to the
// byte whatever the number of workers.
type Sweep struct {
	Registry *Registry
	Spec     *spec.Spec // of Registry.ParseSpec
	Text     []byte     // that Spec was parsed from
	File     string     // and its file, for messages
	Dir      string     // is made if need be

	Workers      int  // goroutines that run trials; 0 is GOMAXPROCS
	OutsideModel bool // run even cells of which an algorithm promises nothing

	// Progress, if not nil, is told how far the sweep is: at most ten times a
	// second, and at the end. It must not take long.
	Progress func(Progress)
	// Clock tells Progress the time; nil is the real one. No result depends on
	// it.
	Clock clockwork.Clock
}

// Progress is how far a sweep is.
type Progress struct {
	Done, Trials int
	Elapsed      time.Duration
}

// progressEvery is the shortest time between two calls of Sweep.Progress.
const progressEvery = 100 * time.Millisecond

// Report is what there is to say of a sweep that has run.
type Report struct {
	Cells   int
	Trials  int // that the sweep asks for
	Done    int // of them, from the first on
	Outside int // of these, outside the model of their algorithm
	Failed  int // of these, inside the model, and a check is violated all the same
	// CutOff is how many ended at a limit, inside the model.
	CutOff int
	// FirstFailed is the row of the first of the failed, 0 for none.
	FirstFailed int
	Outcomes    []Count
	Checks      []CheckCount
	Files       []string // written, by name
}

// Count is how often something was so.
type Count struct {
	Name  string
	Times int
}

// CheckCount is how often a check came out how.
type CheckCount struct {
	Name                       string
	Holds, Violated, Undecided int
}

// StoppedError says that a sweep was cancelled.
type StoppedError struct {
	Done, Trials int
	Dir          string
	Cause        error // of the context
}

func (e *StoppedError) Error() string {
	return fmt.Sprintf("stopped after %d of %d trials, which are in %s: %v", e.Done, e.Trials, e.Dir, e.Cause)
}

// Unwrap returns why.
func (e *StoppedError) Unwrap() error { return e.Cause }

// RowError says that a trial went wrong, and how to see it.
type RowError struct {
	Dir   string
	Row   int
	Cell  string
	Cause error
}

func (e *RowError) Error() string {
	dir := e.Dir
	if strings.ContainsAny(dir, " \t\"'\\$") {
		dir = strconv.Quote(dir)
	}
	return fmt.Sprintf("row %d (%s): %v; the sweep was stopped there; to see this run: bullring replay %s %d",
		e.Row, e.Cell, e.Cause, dir, e.Row)
}

// Unwrap returns what went wrong.
func (e *RowError) Unwrap() error { return e.Cause }

// Run runs the sweep. Whatever is wrong with it is found before anything runs.
//
// When the context is cancelled, Run ends soon with a [*StoppedError]. A trial
// that breaks a proven bound ends it with a [*RowError]. Either way the tables
// hold the trials from the first to the last that is told of, in whole rows, and
// the manifest says that they are not complete.
func (s *Sweep) Run(ctx context.Context) (*Report, error) {
	cells := s.Spec.Cells()
	if err := s.resolve(cells); err != nil {
		return nil, err
	}
	layout, err := s.Registry.layout(s.Spec)
	if err != nil {
		return nil, err
	}
	if err := s.claim(); err != nil {
		return nil, err
	}
	out, err := createOutput(s, layout, cells)
	if err != nil {
		return nil, err
	}
	defer out.discard()

	progress := s.startProgress()
	pool := newPool(len(cells)*s.Spec.Replicates, s.Spec.Replicates, func(b *batch) error {
		err := out.accept(b)
		progress.tell(b.end, false)
		return err
	})
	done, failure := pool.run(ctx, s.workers(), func() func(*batch) {
		w := &sweepWorker{sweep: s, cells: cells, layout: layout, rows: newRowWriter(layout)}
		return func(b *batch) { w.run(ctx, b) }
	})
	progress.tell(done, true)
	if failure == nil && done < pool.trials {
		failure = &StoppedError{Done: done, Trials: pool.trials, Dir: s.Dir, Cause: context.Cause(ctx)}
	}
	err = out.commit(failure)
	return out.report(), errors.Join(failure, err)
}

// outsideModel: whoever runs the sweep, or whoever wrote it, wants it so.
func (s *Sweep) outsideModel() bool { return s.OutsideModel || s.Spec.OutsideModel }

func (s *Sweep) workers() int {
	if s.Workers > 0 {
		return s.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// sweepWorker runs batches of trials.
type sweepWorker struct {
	sweep  *Sweep
	cells  []spec.Cell
	layout layout
	rows   *rowWriter
	worker Worker

	cell int // the one at hand, from 1
	key  string
}

func (w *sweepWorker) run(ctx context.Context, b *batch) {
	first, end := b.first, b.end
	for i := first; i < end; i++ {
		b.end = i + 1
		t, err := w.trial(ctx, i)
		if err != nil {
			b.err = err
			b.end = i
			return
		}
		if t.End == netem.Interrupted {
			b.end = i
			return
		}
		b.rows = w.rows.append(b.rows, t)
		b.kept = append(b.kept, w.layout.sampleOf(t))
		b.cost += int(t.Counters.Events) + t.Instance.N
		if err := t.BrokenBound(); err != nil {
			b.err = w.rowError(i, err)
			return
		}
	}
}

// trial runs trial i, counted from 0.
func (w *sweepWorker) trial(ctx context.Context, i int) (*trial, error) {
	replicates := w.sweep.Spec.Replicates
	cell := &w.cells[i/replicates]
	if w.cell != i/replicates+1 {
		w.cell, w.key = i/replicates+1, cell.Key()
	}
	replicate := i%replicates + 1
	in, err := w.sweep.instance(cell, trialSeed(w.sweep.Spec.Seed, w.key, replicate))
	if err != nil {
		return nil, w.rowError(i, err)
	}
	return &trial{row: i + 1, label: cell.Label, replicate: replicate, Result: w.worker.Run(ctx, in, nil)}, nil
}

func (w *sweepWorker) rowError(i int, cause error) error {
	cell := &w.cells[i/w.sweep.Spec.Replicates]
	return &RowError{Dir: w.sweep.Dir, Row: i + 1, Cell: cellName(cell), Cause: cause}
}

// progress tells Sweep.Progress, not too often.
type progress struct {
	sweep       *Sweep
	clock       clockwork.Clock
	start, last time.Time
}

func (s *Sweep) startProgress() *progress {
	p := &progress{sweep: s, clock: s.Clock}
	if p.clock == nil {
		p.clock = clockwork.NewRealClock()
	}
	p.start = p.clock.Now()
	p.last = p.start
	return p
}

func (p *progress) tell(done int, end bool) {
	if p.sweep.Progress == nil {
		return
	}
	now := p.clock.Now()
	if !end && now.Sub(p.last) < progressEvery {
		return
	}
	p.last = now
	p.sweep.Progress(Progress{Done: done, Trials: p.sweep.Spec.Trials(), Elapsed: now.Sub(p.start)})
}

package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"runtime"
	"slices"
	"sync"

	"bullring/des"
	"bullring/experiments/campaign/results"
	"bullring/experiments/trial"
	"bullring/internal/build"
	"bullring/netem"
)

// Verifier runs recorded trials again and compares them with the record: those of a folder
// of results, or those behind a figure. Of a figure it needs nothing but the file.
type Verifier struct {
	Registry *trial.Registry
	Path     string  // a folder, or the PNG, SVG, PDF or TikZ of a figure
	Sample   float64 // share of the trials to run again, but no fewer than 20
	All      bool    // run all trials, and make all tables, documents and figures again
	Seed     uint64  // selects the sample
	Workers  int     // goroutines that run trials; 0 is GOMAXPROCS

	// Progress, if not nil, is called with the number of trials that are done, of those to
	// run. It must return quickly.
	Progress func(done, all int)
}

// Run verifies the path. An error says why that is not possible: a [*results.EpochError],
// or a folder or figure that cannot be read. A difference is no error.
func (v *Verifier) Run(ctx context.Context) (*Report, error) {
	info, err := os.Stat(v.Path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return v.folder(ctx)
	}
	return v.picture(ctx)
}

// Report is the result of a verification.
type Report struct {
	Figure  string      // its name; empty for a folder
	Beside  string      // the folder with the results behind the figure, if it was found
	Made    string      // the version that made the results, if it is not this one
	Trials  int         // that are recorded, in rows
	Unkept  int         // trials that are in digests only, of a sweep that keeps a summary
	Again   int         // of these, run again
	NotRun  int         // of these, those that did not run here; their rows were not compared
	Unrun   *Difference // the first of these, with the reason
	Differ  int         // of these, those that differ; for a figure, those that share a digest with one that differs
	First   []Difference
	Files   []string // names of the files that have the hashes in the manifest
	Damage  []string // sentences about damaged files
	Own     []string // files with entries that the author has put in, as in [results.Editables]
	Changed []string // files that the author has changed; they were not compared
	Partial string   // what the sweep lacks, if it is not complete
	Tables  []string // computed again from the rows, and identical
	// Documents and Drawn count files that were made again and are identical. Unmade are files
	// that were made again and are others, and only Writer could make them byte by byte.
	Documents, Drawn int
	Unmade           []string
	Writer           string
	Stopped          bool // the context was cancelled
}

// DefaultSample is the default of the share of trials to run again.
const DefaultSample = 0.05

// leastSample is the least number of trials to run again, if there are so many.
const leastSample = 20

// mostDifferences is the largest number of trials that a report describes.
const mostDifferences = 10

// Difference is a trial that differs from its record, or several that share a digest.
type Difference struct {
	Row   int    `json:"row,omitempty"` // of results.csv; 0 if it is not known
	Cell  string `json:"cell"`          // its conditions
	First int    `json:"first_replicate"`
	Last  int    `json:"last_replicate"`
	What  string `json:"what"` // the first column that differs, and the reason if it is known

	notRun bool // the trial did not run, for the reason in What
	order  int
}

// notRunError says that a trial did not run here: its programs may not start, are others than
// they were, or took too long to answer; or a file of its setting is not there.
type notRunError struct{ error }

func (e notRunError) Unwrap() error { return e.error }

// Ran returns an error if a result is not that of the trial, because it did not run here.
func Ran(r *trial.Result) error {
	if err := cmp.Or(r.Late(), r.Impossible()); err != nil {
		return notRunError{err}
	}
	return nil
}

// Answer is what a verification comes to.
type Answer string

// The answers, the weakest last.
const (
	Same        Answer = "same"
	NotCompared Answer = "not compared" // or not run: nothing differs, and something is not known
	Differs     Answer = "differs"
)

// Answer is the weakest answer about anything that was to be compared.
func (report *Report) Answer() Answer {
	switch {
	case report.Differ > 0 || len(report.Damage) > 0:
		return Differs
	case report.NotRun > 0 || len(report.Changed) > 0 || len(report.Unmade) > 0:
		return NotCompared
	}
	return Same
}

// Identical reports whether all that was to be compared is the same.
func (report *Report) Identical() bool { return report.Answer() == Same }

// folder verifies a folder of results.
func (v *Verifier) folder(ctx context.Context) (*Report, error) {
	m, err := results.ReadManifest(v.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s holds no complete results of a sweep: it has no %s; give a folder that bullring sweep has written, or a figure", v.Path, results.ManifestFile)
	}
	if err != nil {
		return nil, err
	}
	if m.Epoch != netem.Epoch {
		return nil, &results.EpochError{Path: v.Path, Version: m.Program.String(), Epoch: m.Epoch}
	}
	folder, err := results.Open(v.Registry, v.Path)
	if err != nil {
		return nil, err
	}
	report := &Report{}
	report.checkFiles(v.Path, m)
	report.checkManifest(folder, m)
	if made := m.Program.String(); made != build.ThisProgram().String() {
		report.Made = made
	}
	readable := report.countRows(ctx, folder, m)
	if err := v.rows(ctx, folder, report); err != nil {
		return nil, err
	}
	report.Trials = max(report.Trials, m.Rows) // rows that cannot be read were recorded, too
	if v.All && readable && ctx.Err() == nil {
		if err := report.remake(folder, m); err != nil {
			return nil, err
		}
	}
	return report, nil
}

// countRows counts the rows that can be read, and reports whether all can.
func (report *Report) countRows(ctx context.Context, folder *results.Folder, m *results.Manifest) (readable bool) {
	trials := make([]int, len(folder.Cells))
	_, err := folder.Rows(func(r *results.Record) (bool, error) {
		report.Trials++
		trials[r.Cell]++
		return ctx.Err() == nil, nil
	})
	if err == nil && folder.Spec.Keep.Summary {
		err = report.countDigests(folder, m, trials)
	}
	if err == nil && ctx.Err() == nil {
		report.checkTrials(folder, m, trials)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist): // already reported
	case err != nil:
		report.Damage = append(report.Damage, err.Error())
	case report.Trials != m.Rows && ctx.Err() == nil:
		report.Damage = append(report.Damage, fmt.Sprintf("%s has %d rows, and %s says %d", results.ResultsFile, report.Trials, results.ManifestFile, m.Rows))
	}
	return err == nil
}

// countDigests counts the trials in the digests, in the place of rows.
func (report *Report) countDigests(folder *results.Folder, m *results.Manifest, trials []int) error {
	l, err := results.LayoutOf(folder.Registry, folder.Spec)
	if err != nil {
		return err
	}
	clear(trials)
	all, rows := 0, 0
	err = folder.Digests(l, func(cell int, d *results.Digest) error {
		trials[cell] = d.Trials
		all += d.Trials
		rows += d.Rows()
		return nil
	})
	if err == nil && all != m.Summarised {
		report.damagef("%s has digests of %d trials, and %s says %d", results.DigestsFile, all, results.ManifestFile, m.Summarised)
	}
	if err == nil && rows != report.Trials {
		report.damagef("%s has %d rows, and %s says that %d are kept", results.ResultsFile, report.Trials, results.DigestsFile, rows)
	}
	report.Unkept = all - report.Trials
	return err
}

// checkFiles compares the files that a manifest lists with their hashes.
func (report *Report) checkFiles(dir string, m *results.Manifest) {
	for _, f := range slices.Concat(m.Files, m.Documents, m.Shown()) {
		info, own, err := results.StatAsWritten(dir, f.Name, f.SHA256)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			report.damagef("%s is missing", f.Name)
		case err != nil:
			report.damagef("%v", err)
		case info.SHA256 != f.SHA256 && results.OfAuthor(f.Name):
			report.Changed = append(report.Changed, f.Name)
		case info.SHA256 != f.SHA256:
			report.damagef("%s was changed: it does not have the hash in %s", f.Name, results.ManifestFile)
		case info.Bytes != f.Bytes:
			report.damagef("%s has %d bytes, and %s says %d", f.Name, info.Bytes, results.ManifestFile, f.Bytes)
		default:
			report.Files = append(report.Files, f.Name)
			if own {
				report.Own = append(report.Own, f.Name)
			}
		}
	}
}

// rows runs rows of the folder again. There are report.Trials rows.
func (v *Verifier) rows(ctx context.Context, folder *results.Folder, report *Report) error {
	take, all := v.choose(report.Trials, 1)
	g := v.gather(report, all)
	number := 0
	err := handOut(ctx, v.workers(), func(hand func(*results.Record) bool) error {
		_, err := folder.Rows(func(r *results.Record) (bool, error) {
			if number++; number > report.Trials {
				return false, nil
			}
			if take() {
				return hand(r.Clone()), nil
			}
			return true, nil
		})
		if number >= report.Trials {
			return nil // errors behind them are reported already
		}
		return err
	}, func() (func(*results.Record), error) {
		c, err := newChecker(folder)
		return func(r *results.Record) {
			if _, err := c.replay(ctx, r, nil); ctx.Err() == nil {
				g.enter(1, differenceOf(folder, r, err))
			}
		}, err
	})
	report.Stopped = ctx.Err() != nil
	return err
}

// differenceOf describes the error of a row that was run again; nil if there is none.
func differenceOf(folder *results.Folder, r *results.Record, err error) *Difference {
	if err == nil {
		return nil
	}
	d := &Difference{Row: r.Number, Cell: results.CellName(&folder.Cells[r.Cell]), First: r.Replicate, Last: r.Replicate, What: err.Error(), order: r.Number}
	_, d.notRun = errors.AsType[notRunError](err)
	if e, ok := errors.AsType[*DifferenceError](err); ok {
		e.Made = "" // reported once for all rows
		d.What = e.what()
	}
	return d
}

func (v *Verifier) workers() int { return cmp.Or(v.Workers, runtime.GOMAXPROCS(0)) }

// choose selects blocks of trials. take reports whether to take the next block, and chosen
// is how many are taken. Every set of that many is equally likely (Knuth, The Art of
// Computer Programming 2, 3.4.2, algorithm S).
func (v *Verifier) choose(blocks, size int) (take func() bool, chosen int) {
	least := min(blocks, (leastSample+size-1)/size)
	chosen = max(least, int(math.Ceil(v.Sample*float64(blocks)-1e-9)))
	if chosen = min(chosen, blocks); v.All {
		chosen = blocks
	}
	stream := des.NewStream(v.Seed, "verify")
	left, wanted := blocks, chosen
	return func() bool {
		took := stream.Intn(left) < wanted
		left--
		if took {
			wanted--
		}
		return took
	}, chosen
}

// gathering collects what workers find, in the order of the trials.
type gathering struct {
	mu       sync.Mutex
	out      *Report
	all      int // number of trials to run
	done     int
	progress func(done, all int)
}

func (v *Verifier) gather(report *Report, all int) *gathering {
	return &gathering{out: report, all: all, progress: v.Progress}
}

// enter counts trials that were to run again, and their difference if there is one.
func (g *gathering) enter(trials int, d *Difference) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.done += trials
	switch {
	case d == nil:
		g.out.Again += trials
	case d.notRun:
		g.out.NotRun += trials
		if g.out.Unrun == nil || d.order < g.out.Unrun.order {
			g.out.Unrun = d
		}
	default:
		g.out.Again += trials
		g.out.Differ += trials
		g.out.First = append(g.out.First, *d)
		slices.SortFunc(g.out.First, func(a, b Difference) int { return a.order - b.order })
		g.out.First = g.out.First[:min(len(g.out.First), mostDifferences)]
	}
	if g.progress != nil {
		g.progress(g.done, g.all)
	}
}

// handOut hands tasks to workers, and returns when all are done. After a cancellation it
// hands out no more tasks.
func handOut[T any](ctx context.Context, workers int, tasks func(hand func(T) bool) error, worker func() (func(T), error)) error {
	queue := make(chan T, workers)
	var group sync.WaitGroup
	defer group.Wait()
	defer close(queue)
	for range workers {
		work, err := worker()
		if err != nil {
			return err
		}
		group.Go(func() {
			for task := range queue {
				work(task)
			}
		})
	}
	return tasks(func(task T) bool {
		select {
		case queue <- task:
			return true
		case <-ctx.Done():
			return false
		}
	})
}

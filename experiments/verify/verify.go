package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"bullring/des"
	"bullring/experiments"
	"bullring/experiments/results"
	"bullring/internal/build"
	"bullring/internal/wholefile"
	"bullring/netem"
)

// Verifier runs recorded trials again and tells whether they come out as recorded:
// those of a folder of results, or those behind a figure, of which the file is
// enough.
type Verifier struct {
	Registry *experiments.Registry
	Path     string  // a folder, or the PNG, SVG or PDF of a figure
	Sample   float64 // share of the trials to run again; 20 at least, if there are
	All      bool    // run all of them, and make all that follows from them again
	Seed     uint64  // chooses the sample
	Workers  int     // goroutines that run trials; 0 is GOMAXPROCS

	// Progress, if not nil, is told how many trials of those to be run are done. It
	// must not take long.
	Progress func(done, all int)
}

// Run verifies. The error says why that is not possible: an [*EpochError], or what
// is wrong with the folder or the figure as such. A difference is no error.
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

// Report is what came of it.
type Report struct {
	Figure  string // its name; empty of a folder
	Beside  string // the folder with the results of the figure, if it was found
	Made    string // the version that made what is verified, if it is not this one
	Trials  int    // that are recorded
	Again   int    // of these, run again
	Differ  int    // of these, came out otherwise; of a figure, those that share a digest with one
	First   []Difference
	Files   []string // that have the hashes in the manifest, by name
	Damage  []string // what is wrong with files, in words
	Partial string   // what the sweep lacks, if it is not complete
	Tables  []string // computed again from the rows, and the same
	// Documents and Drawn are how many files were made again and are the same. Unmade
	// are those that only Writer could make again, byte by byte.
	Documents, Drawn int
	Unmade           []string
	Writer           string
	Stopped          bool // the context was cancelled on the way
}

// DefaultSample is the usual share of trials that are run again.
const DefaultSample = 0.05

// leastSample is the least number of trials that are run again, if there are.
const leastSample = 20

// mostDifferences is how many differing trials are told of.
const mostDifferences = 10

// Difference is a trial, or some that share a digest, that came out otherwise than
// recorded.
type Difference struct {
	Row         int    // of results.csv; 0 if that is not known
	Cell        string // its conditions
	First, Last int    // replicates
	What        string // the first column that differs, and what is known of why

	order int
}

// Identical reports whether nothing was found.
func (report *Report) Identical() bool { return report.Differ == 0 && len(report.Damage) == 0 }

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
	report.Trials = max(report.Trials, m.Rows) // those that cannot be read were recorded, too
	if v.All && readable && ctx.Err() == nil {
		if err := report.remake(folder, m); err != nil {
			return nil, err
		}
	}
	return report, nil
}

// countRows counts the rows as far as they can be read, and reports whether all can.
func (report *Report) countRows(ctx context.Context, folder *results.Folder, m *results.Manifest) (readable bool) {
	trials := make([]int, len(folder.Cells))
	_, err := folder.Rows(func(r *results.Record) (bool, error) {
		report.Trials++
		trials[r.Cell]++
		return ctx.Err() == nil, nil
	})
	if err == nil && ctx.Err() == nil {
		report.checkTrials(folder, m, trials)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist): // which was told of
	case err != nil:
		report.Damage = append(report.Damage, err.Error())
	case report.Trials != m.Rows && ctx.Err() == nil:
		report.Damage = append(report.Damage, fmt.Sprintf("%s has %d rows, and %s says %d", results.ResultsFile, report.Trials, results.ManifestFile, m.Rows))
	}
	return err == nil
}

// checkFiles compares the files that a manifest lists with their hashes.
func (report *Report) checkFiles(dir string, m *results.Manifest) {
	for _, f := range slices.Concat(m.Files, m.Documents, m.Figures) {
		info, err := wholefile.Stat(filepath.Join(dir, f.Name))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			report.Damage = append(report.Damage, f.Name+" is missing")
		case err != nil:
			report.Damage = append(report.Damage, err.Error())
		case info.SHA256 != f.SHA256:
			report.Damage = append(report.Damage, fmt.Sprintf("%s was changed: it does not have the hash in %s", f.Name, results.ManifestFile))
		case info.Bytes != f.Bytes:
			report.Damage = append(report.Damage, fmt.Sprintf("%s has %d bytes, and %s says %d", f.Name, info.Bytes, results.ManifestFile, f.Bytes))
		default:
			report.Files = append(report.Files, f.Name)
		}
	}
}

// rows runs rows of the archive again, of which there are v.Trials.
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
			return nil // what is wrong behind them is known
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

// differenceOf is what the error of a row that was run again says; nil if there is
// none.
func differenceOf(folder *results.Folder, r *results.Record, err error) *Difference {
	if err == nil {
		return nil
	}
	d := &Difference{Row: r.Number, Cell: results.CellName(&folder.Cells[r.Cell]), First: r.Replicate, Last: r.Replicate, What: err.Error(), order: r.Number}
	if e, ok := errors.AsType[*DifferenceError](err); ok {
		e.Made = "" // which is told once
		d.What = e.what()
	}
	return d
}

func (v *Verifier) workers() int { return cmp.Or(v.Workers, runtime.GOMAXPROCS(0)) }

// choose returns whether to take the next of so many blocks of trials, and how many
// are taken. Every set of that many is as likely as any other (Knuth, The Art of
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

// gathering is what workers find, in the order of the trials.
type gathering struct {
	mu       sync.Mutex
	out      *Report
	all      int // trials that are run
	progress func(done, all int)
}

func (v *Verifier) gather(report *Report, all int) *gathering {
	return &gathering{out: report, all: all, progress: v.Progress}
}

// enter takes what came of so many trials.
func (g *gathering) enter(trials int, d *Difference) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.out.Again += trials
	if d != nil {
		g.out.Differ += trials
		g.out.First = append(g.out.First, *d)
		slices.SortFunc(g.out.First, func(a, b Difference) int { return a.order - b.order })
		g.out.First = g.out.First[:min(len(g.out.First), mostDifferences)]
	}
	if g.progress != nil {
		g.progress(g.out.Again, g.all)
	}
}

// handOut hands tasks to workers, and returns when all are done. After a
// cancellation it hands out no more.
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

package sweep

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"math"
	"path/filepath"
	"runtime"
	"time"

	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/spec"
)

// Estimate says what a sweep or its shard would run, and how long that takes if the other
// trials take as long as some that were tried.
type Estimate struct {
	Cells    int // that have a trial in the shard
	Trials   int // at most, unless Fixed
	Fixed    bool
	Stored   int     // of the trials, those that have run before
	Growth   *Growth // what would become of the trials of an earlier version; nil if there is none
	Complete bool    // all have run, and none would run
	Outdated bool    // they ran for an earlier version of the sweep: see Report
	Refused  error   // why the folder cannot take the results, or nil
	Entries  []EntryEstimate

	Workers int
	Probed  int           // cells with a trial of the probe
	Tried   int           // trials of the probe
	Took    time.Duration // time of the probe
	// Time is what the remaining trials take. AtLeast: a tried trial was cut off, and counts
	// with the time until then.
	Time    time.Duration
	AtLeast bool
}

// EntryEstimate is the estimate of an entry of a sweep.
type EntryEstimate struct {
	Label         string
	Cells, Trials int
	Axes          []AxisCells   // n, and every axis with several values
	Time          time.Duration // what its remaining trials take one after the other
}

// AxisCells lists the values of an axis, in the order of the cells.
type AxisCells struct {
	Name   string
	Values []string
}

// Estimate tells what Run would do. A probe of about the budget's length runs the first
// replicates of some cells. Estimate writes nothing. An error in the sweep is returned, as by
// Run; a problem of the folder is in the Estimate. A cancelled context is an error.
func (s *Sweep) Estimate(ctx context.Context, budget time.Duration) (*Estimate, error) {
	cells, l, err := s.resolve()
	if err != nil {
		return nil, err
	}
	r := &sweepRun{Sweep: s, to: s.target(), cells: cells, layout: l, deal: dealOf(s.Spec)}
	e := &Estimate{Fixed: s.Spec.Until == nil, Workers: s.workers()}
	left := r.countCells(e)
	e.Refused = r.lookAtFolder(e, left)
	if e.Complete {
		return e, nil
	}
	if err := s.checkRare(ctx, cells); err != nil {
		return nil, err
	}
	p := &probe{sweepWorker: &sweepWorker{sweepRun: r, rows: results.NewRowWriter(r.layout)}, budget: budget, mean: map[int]time.Duration{}}
	if e.Took, err = p.run(ctx); err != nil {
		return nil, err
	}
	e.Probed, e.Tried, e.AtLeast = len(p.mean), p.tried, p.cut
	e.multiply(r.cells, left, p.mean)
	return e, nil
}

// countCells counts cells and trials, and returns the number of trials of each cell.
func (r *sweepRun) countCells(e *Estimate) []int {
	left := make([]int, len(r.cells))
	e.Entries = make([]EntryEstimate, len(r.Spec.Entries))
	of := make([][]spec.Cell, len(e.Entries))
	for i := range r.cells {
		left[i] = r.deal.count(r.Shard, i)
		if left[i] == 0 {
			continue
		}
		at := r.cells[i].Entry
		e.Cells++
		e.Trials += left[i]
		e.Entries[at].Cells++
		e.Entries[at].Trials += left[i]
		of[at] = append(of[at], r.cells[i])
	}
	for i := range e.Entries {
		e.Entries[i].Label = r.Spec.Entries[i].Label
		e.Entries[i].Axes = axesOf(of[i])
	}
	return left
}

// axesOf returns n and the axes on which the cells have several values.
func axesOf(cells []spec.Cell) []AxisCells {
	var axes []AxisCells
	for _, name := range spec.Axes() {
		a := AxisCells{Name: name}
		seen := map[string]bool{}
		for _, c := range cells {
			if v, _ := c.Field(name); !seen[v] {
				seen[v] = true
				a.Values = append(a.Values, v)
			}
		}
		if len(a.Values) > 1 || name == "n" && len(cells) > 0 {
			axes = append(axes, a)
		}
	}
	return axes
}

// lookAtFolder subtracts the trials in the folder from those that are left, and returns why
// the folder cannot take the rest.
func (r *sweepRun) lookAtFolder(e *Estimate, left []int) error {
	self := r.attempt(results.NewRowWriter(r.layout).Header(), r.clock().Now())
	if err := cmp.Or(r.to.fitsFolder(), r.to.fitsShards(self)); err != nil {
		return err
	}
	grown, err := growthOf(r.Sweep, &self, r.cells, r.layout)
	if err != nil || r.Again {
		return err
	}
	if grown != nil {
		e.Growth = &grown.Growth
		return grown.subtract(e, &self, left)
	}
	report, err := r.to.completed(r.cells, r.layout)
	if err != nil {
		return err
	}
	if report != nil {
		e.Complete, e.Outdated, e.Stored = true, report.Outdated, report.Done
		return nil
	}
	held, err := readJournal(filepath.Join(r.Dir, r.Shard.journalFile()))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = held.fits(r.Registry, self, len(r.cells), r.deal)
	}
	if err != nil {
		return err
	}
	for _, s := range held.records {
		left[s.cell] -= int(s.count)
	}
	e.Stored, e.Complete = held.trials, held.complete()
	return nil
}

// multiply enters the time of the trials that are left, from the mean of a trial of the probed
// cells. A cell that was not probed takes the mean of the probed cells of its entry, or of all
// probed cells if its entry has none.
func (e *Estimate) multiply(cells []spec.Cell, left []int, mean map[int]time.Duration) {
	const all = -1
	sums, probed := map[int]float64{}, map[int]float64{} // by entry, and of all
	for i, c := range cells {
		if t, ok := mean[i]; ok {
			sums[c.Entry] += t.Seconds()
			probed[c.Entry]++
			sums[all] += t.Seconds()
			probed[all]++
		}
	}
	total := 0.0
	times := make([]float64, len(e.Entries))
	for i, c := range cells {
		from := c.Entry
		if probed[from] == 0 {
			from = all
		}
		t, ok := mean[i]
		seconds := t.Seconds()
		if !ok {
			seconds = sums[from] / max(1, probed[from])
		}
		seconds *= float64(max(0, left[i]))
		times[c.Entry] += seconds
		total += seconds
	}
	for i, t := range times {
		e.Entries[i].Time = durationOf(t)
	}
	parallel := max(1, min(e.Workers, runtime.GOMAXPROCS(0), e.Trials-e.Stored))
	e.Time = durationOf(total / float64(parallel))
}

// durationOf converts seconds, and returns the longest duration if there are too many.
func durationOf(s float64) time.Duration {
	if s >= math.MaxInt64/float64(time.Second) {
		return math.MaxInt64
	}
	return time.Duration(s * float64(time.Second))
}

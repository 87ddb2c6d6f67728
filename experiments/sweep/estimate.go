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

	"bullring/experiments/results"
	"bullring/experiments/spec"
)

// Estimate says what a sweep or its shard would run, and how long that may take, judging by
// a few trials. Trials that were not tried may take any time.
type Estimate struct {
	Cells    int // that have a trial in the shard
	Trials   int // at most, unless Fixed
	Fixed    bool
	Stored   int   // of the trials, those that have run before
	Complete bool  // all have run, and none would run
	Outdated bool  // they ran for an earlier version of the sweep: see Report
	Refused  error // why the folder cannot take the results, or nil
	Entries  []EntryEstimate

	Workers int
	Tried   int           // trials of the probe
	Took    time.Duration // time of the probe
	// Time is what the remaining trials take. AtLeast: a tried trial was cut off. Then Least
	// is the time of the remaining trials if every trial as large as that one ends where it
	// was cut off, and Time follows the growth with n up to there.
	Time, Least time.Duration
	AtLeast     bool
	// Guessed is the share of Time in cells that were not probed.
	Guessed float64
	// Memory is what the process may take, in bytes: twice the live memory, since the garbage
	// collector waits that long, and the memory of the program itself.
	Memory uint64
}

// programMemory is the memory of a sweep of tiny trials: 46 MB, measured on Linux and
// amd64.
const programMemory = 46 << 20

// EntryEstimate is the estimate of an entry of a sweep.
type EntryEstimate struct {
	Label         string
	Cells, Trials int
	Axes          []AxisCells // n, and every axis with several values
	Probed, Tried int         // Probed cells, and Tried trials in them
	// Shortest and Longest are the times of a trial in the cells that take least and most.
	Shortest, Longest time.Duration
	AtLeast           bool // of Longest
}

// AxisCells lists the values of an axis, in the order of the cells.
type AxisCells struct {
	Name   string
	Values []string
}

// Estimate tells what Run would do. A probe of about the budget's length runs the first
// replicates of some cells, at growing n. Estimate writes nothing. An error in the sweep is
// returned, as by Run; a problem of the folder is in the Estimate. The probe is cut off
// when the budget is spent; a cancelled context is an error.
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
	p := newProbe(r, budget)
	if err := p.run(ctx); err != nil {
		return nil, err
	}
	p.tell(e, left)
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
	if r.Again {
		return nil
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

// tell estimates the remaining trials from the probe.
func (p *probe) tell(e *Estimate, left []int) {
	e.Tried, e.Took = p.tried, p.took
	var total, least, guessed, memory, longest, longestLeast float64
	for i := range p.cells {
		if p.deal.count(p.Shard, i) == 0 {
			continue
		}
		c := p.cost(i)
		entry := &e.Entries[p.cells[i].Entry]
		entry.add(c, p.probed[i])
		memory = max(memory, c.memory)
		if left[i] <= 0 {
			continue
		}
		sum := c.time * float64(left[i])
		total += sum
		least += c.least * float64(left[i])
		longest, longestLeast = max(longest, c.time), max(longestLeast, c.least)
		if p.probed[i] == nil {
			guessed += sum
		}
		e.AtLeast = e.AtLeast || c.atLeast
	}
	parallel := max(1, min(e.Workers, runtime.GOMAXPROCS(0), e.Trials-e.Stored))
	e.Time = durationOf(max(total/float64(parallel), longest))
	e.Least = durationOf(max(least/float64(parallel), longestLeast))
	if total > 0 {
		e.Guessed = guessed / total
	}
	e.Memory = programMemory + 2*(uint64(float64(parallel)*memory)+p.kept(e))
}

// add adds a cell.
func (e *EntryEstimate) add(c cost, probed *probedCell) {
	if probed != nil {
		e.Probed++
		e.Tried += probed.trials
	}
	t := durationOf(c.time)
	if e.Shortest == 0 || t < e.Shortest {
		e.Shortest = t
	}
	e.Longest = max(e.Longest, t)
	e.AtLeast = e.AtLeast || c.atLeast
}

// kept is the memory for finished trials: the values for the summary of a cell, the values
// for comparisons, and rows that wait to be written.
func (p *probe) kept(e *Estimate) uint64 {
	const value = 8 // bytes of a float64
	values := p.Spec.Replicates*len(p.layout.Summarised) + results.PairedValues(p.Spec, p.cells)
	waiting := min(e.Trials, e.Workers*batchLimit)
	return uint64(values*value + waiting*(p.row+len(p.layout.Summarised)*value))
}

// durationOf converts seconds, and returns the longest duration if there are too many.
func durationOf(s float64) time.Duration {
	if s >= math.MaxInt64/float64(time.Second) {
		return math.MaxInt64
	}
	return time.Duration(s * float64(time.Second))
}

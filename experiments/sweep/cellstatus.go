package sweep

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"bullring/experiments"
	"bullring/experiments/journal"
	"bullring/experiments/results"
	"bullring/experiments/spec"
	"bullring/protocols"
)

// Detail is how far the cells of a sweep are, from the rows of its journals.
type Detail struct {
	Cells    []CellStatus
	Failures []Failure     // the first of each journal
	Rate     float64       // trials a second of the processes that run; 0 if none does
	Left     time.Duration // at that rate; below 0 if it is unknown
}

// CellStatus is how far a cell is. Failed trials violate a check, inside the model; CutOff
// ended at a limit.
type CellStatus struct {
	Name                          string
	Trials                        int // that the sweep asks for, at most
	Done, Failed, CutOff, Outside int
}

// Failure is a trial that violates checks, inside the model.
type Failure struct {
	Cell      string
	Replicate int
	Checks    []string
	Instance  *experiments.Instance
}

// mostFailures is the largest number of failures that are kept of a journal.
const mostFailures = 20

// Detail reads the journals of the sweep. It returns nil for a sweep without a journal.
func (s *Status) Detail() (*Detail, error) {
	if s.sweep == nil {
		return nil, nil
	}
	l, err := results.LayoutOf(s.sweep.Registry, s.sweep.Spec)
	if err != nil {
		return nil, err
	}
	c := &cellCounter{sweep: s.sweep, layout: l, cells: s.sweep.Spec.Cells(), deal: dealOf(s.sweep.Spec), detail: &Detail{Left: -1}}
	for i := range c.cells {
		c.detail.Cells = append(c.detail.Cells, CellStatus{Name: results.CellName(&c.cells[i]), Trials: s.sweep.Spec.Replicates})
	}
	for _, path := range s.journals() {
		if err := c.count(path); err != nil && !errors.Is(err, fs.ErrNotExist) { // a sweep that ends removes its journal
			return nil, err
		}
	}
	if c.detail.Rate > 0 && s.Fixed {
		c.detail.Left = time.Duration(float64(s.Trials-s.Done) / c.detail.Rate * float64(time.Second))
	}
	return c.detail, nil
}

// journals are the paths of the journals, each shard once.
func (s *Status) journals() []string {
	if s.Of == 0 {
		return []string{filepath.Join(s.Paths[0], JournalFile)}
	}
	var paths []string
	for i, p := range s.Shards {
		if i == 0 || s.Shards[i-1].Index != p.Index {
			paths = append(paths, p.Path)
		}
	}
	return paths
}

// cellCounter counts the trials of journals by cell.
type cellCounter struct {
	sweep  *Sweep
	layout results.Layout
	cells  []spec.Cell
	deal   deal
	detail *Detail

	// Of the current journal:
	attempt attempt // the last that was read
	reader  *results.RowReader
	since   int // trials of that attempt
	failed  int
}

// count counts the trials of a journal, which another process may be writing. Trials that are
// in two records count once; StatusOf has reported them as damage.
func (c *cellCounter) count(path string) error {
	whole, err := readJournal(path)
	if whole == nil {
		return err
	}
	held := &contents{path: path}
	c.reader, c.since, c.failed = nil, 0, 0
	_, err = journal.Scan(path, func(at int64, body []byte) error {
		if err := held.enter(at, body); err != nil || len(body) == 0 {
			return err
		}
		switch {
		case body[0] == attemptRecord:
			return c.begin(held.attempts[len(held.attempts)-1])
		case body[0] == trialsRecord && c.reader != nil:
			r := held.records[len(held.records)-1]
			if err := held.within(r, len(c.cells), c.deal, c.attempt.Shard); err != nil {
				return err
			}
			if err := c.rows(r, rowsOf(nil, body[1:])[whole.doubled[at]:]); err != nil {
				return fmt.Errorf("%s: the record at byte %d: %w", path, at, err)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if now, _, _ := journal.Written(path); now {
		c.detail.Rate += float64(c.since) / max(info.ModTime().Sub(c.attempt.Start).Seconds(), 1)
	}
	return nil
}

// begin begins an attempt: it tells the columns of the rows that follow.
func (c *cellCounter) begin(a attempt) error {
	var columns []string
	for _, header := range strings.Split(strings.TrimSpace(a.Header), ",")[1:] {
		columns = append(columns, results.ColumnName(header))
	}
	reader, err := results.NewRowReader(c.layout, columns)
	c.attempt, c.reader, c.since = a, reader, 0
	return err
}

// rows counts trials of a record, the last ones.
func (c *cellCounter) rows(r stretch, rows [][]byte) error {
	cell, number := &c.detail.Cells[r.cell], r.end()-len(rows)
	c.since += len(rows)
	return c.reader.Read(bytes.Join(rows, nil), len(rows), c.cells[r.cell].Algorithm, func(_ []byte, _ []string, s results.Sample) error {
		cell.Done++
		number++
		switch {
		case s.Outside:
			cell.Outside++
		case slices.Contains(s.Verdicts, protocols.Violated):
			cell.Failed++
			return c.keep(&s, int(r.cell), number-1)
		case s.Outcome == experiments.Unfinished:
			cell.CutOff++
		}
		return nil
	})
}

// keep keeps a failed trial, unless there are enough of its journal.
func (c *cellCounter) keep(s *results.Sample, cell, number int) error {
	if c.failed++; c.failed > mostFailures {
		return nil
	}
	shard := c.attempt.Shard
	f := Failure{Cell: c.detail.Cells[cell].Name, Replicate: c.deal.first(shard, cell) + number*c.deal.step(shard) + 1}
	for i, v := range s.Verdicts {
		if v == protocols.Violated {
			f.Checks = append(f.Checks, s.Algorithm.Checks[i])
		}
	}
	var err error
	f.Instance, err = results.InstanceOf(c.sweep.Registry, &c.cells[cell], results.TrialSeed(c.sweep.Spec.Seed, c.cells[cell].Key(), f.Replicate), true)
	c.detail.Failures = append(c.detail.Failures, f)
	return err
}

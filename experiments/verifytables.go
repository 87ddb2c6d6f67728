package experiments

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
)

// checkTables compares the tables of cells with what the rows give.
func (v *Verification) checkTables(a *archive) error {
	summary, growth, err := a.tabulate()
	if err != nil {
		v.Damage = append(v.Damage, fmt.Sprintf("%s and %s were not computed again: %v", SummaryFile, GrowthFile, err))
		return nil
	}
	for _, t := range []struct {
		name string
		now  []byte
	}{{SummaryFile, summary}, {GrowthFile, growth}} {
		recorded, err := os.ReadFile(filepath.Join(a.dir, t.name))
		if os.IsNotExist(err) {
			continue // it was told of
		}
		if err != nil {
			return err
		}
		if bytes.Equal(recorded, t.now) {
			v.Tables = append(v.Tables, t.name)
			continue
		}
		v.Damage = append(v.Damage, fmt.Sprintf("%s is not what the rows of %s give: line %d differs", t.name, ResultsFile, differingLine(recorded, t.now)))
	}
	return nil
}

// differingLine is the first line, from 1, in which two texts differ that do.
func differingLine(a, b []byte) int {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	return 1 + bytes.Count(a[:i], []byte("\n"))
}

// tabulate computes the tables of cells from the rows.
func (a *archive) tabulate() (summary, growth []byte, err error) {
	l, err := a.registry.layout(a.spec)
	if err != nil {
		return nil, nil, err
	}
	var summaries, series bytes.Buffer
	t := newTable(&summaries, l.summaryColumns())
	if err := t.header(); err != nil {
		return nil, nil, err
	}
	var (
		reader *rowReader
		cell   cellSummary
		all    growths
	)
	finish := func() error {
		if cell.trials == 0 {
			return nil
		}
		cell.finish(l)
		all.add(a.cells[cell.number-1], &cell)
		return t.row(&cell)
	}
	if _, err := a.rows(func(r *record) (bool, error) {
		if reader == nil {
			if reader, err = newRowReader(l, r.columns); err != nil {
				return false, err
			}
		}
		s, err := reader.sample(r.fields)
		if err != nil {
			return false, fmt.Errorf("%s: %w", r.where, err)
		}
		if r.replicate == 1 {
			if err := finish(); err != nil {
				return false, err
			}
			in, err := a.input(r)
			if err != nil {
				return false, err
			}
			cell.reset(r.cell+1, in, l)
		}
		cell.add(&s)
		return true, nil
	}); err != nil {
		return nil, nil, err
	}
	if err := finish(); err != nil {
		return nil, nil, err
	}
	t.out.Flush()
	if err := fillTable(&series, l.growthColumns(), all.fitted()); err != nil {
		return nil, nil, err
	}
	return summaries.Bytes(), series.Bytes(), t.out.Error()
}

// input is what a row has in common with those of its cell.
func (a *archive) input(r *record) (input, error) {
	s, err := r.setting()
	if err != nil {
		return input{}, err
	}
	in, err := a.registry.Instance(s)
	if err != nil {
		return input{}, fmt.Errorf("%s: %w", r.where, err)
	}
	return input{a.cells[r.cell].Label, in}, nil
}

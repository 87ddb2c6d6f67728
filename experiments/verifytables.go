package experiments

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// checkTables compares the tables of cells with what the rows give.
func (v *Verification) checkTables(a *archive, m *Manifest) error {
	tables, err := a.tabulate(m.Outside)
	if err != nil {
		v.Damage = append(v.Damage, fmt.Sprintf("the tables were not computed again from %s: %v", ResultsFile, err))
		return nil
	}
	for _, t := range tables {
		recorded, err := os.ReadFile(filepath.Join(a.dir, t.name))
		if errors.Is(err, fs.ErrNotExist) {
			continue // it was told of
		}
		if err != nil {
			v.Damage = append(v.Damage, err.Error())
			continue
		}
		if bytes.Equal(recorded, t.text.Bytes()) {
			v.Tables = append(v.Tables, t.name)
			continue
		}
		v.Damage = append(v.Damage, fmt.Sprintf("%s is not what the rows of %s give: line %d differs", t.name, ResultsFile, differingLine(recorded, t.text.Bytes())))
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

// tabulated is a table that was computed again.
type tabulated struct {
	name string
	text bytes.Buffer
}

// tabulate computes the tables of cells from the rows.
func (a *archive) tabulate(outside bool) ([]*tabulated, error) {
	l, err := a.registry.layout(a.spec)
	if err != nil {
		return nil, err
	}
	summary, growth := &tabulated{name: SummaryFile}, &tabulated{name: GrowthFile}
	o := &output{
		sweep:  &Sweep{Registry: a.registry, Spec: a.spec, Text: a.text, Dir: a.dir, OutsideModel: outside},
		layout: l, cells: a.cells, summary: newTable(&summary.text, l.summaryColumns()),
	}
	if err := o.summary.header(); err != nil {
		return nil, err
	}
	if err := a.summarise(o); err != nil {
		return nil, err
	}
	o.summary.out.Flush()
	if err := errors.Join(o.summary.out.Error(), fillTable(&growth.text, l.growthColumns(), o.growths.fitted(o.layout))); err != nil {
		return nil, err
	}
	if len(a.spec.Compare) == 0 {
		return []*tabulated{summary, growth}, nil
	}
	differences := &tabulated{name: DifferencesFile}
	rows, err := o.differences()
	if err != nil {
		return nil, err
	}
	return []*tabulated{summary, growth, differences}, fillTable(&differences.text, l.differenceColumns(), rows)
}

// summarise hands the rows to the tables, cell by cell.
func (a *archive) summarise(o *output) error {
	if err := a.samples(o.layout, func(r *record, s *sample) error {
		if r.replicate == 1 {
			if err := o.finishCell(); err != nil {
				return err
			}
			in, err := a.input(r)
			if err != nil {
				return err
			}
			o.cell.reset(r.cell+1, in, o.layout, 0)
		}
		o.cell.add(s)
		return nil
	}); err != nil {
		return err
	}
	return o.finishCell()
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

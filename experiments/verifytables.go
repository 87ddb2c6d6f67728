package experiments

import (
	"bytes"
	"errors"
)

// tabulated is a table that was computed again.
type tabulated struct {
	name    string
	columns []Column
	text    bytes.Buffer
}

// tabulate computes the tables of cells from the rows.
func (a *archive) tabulate(outside bool) ([]*tabulated, error) {
	l, err := a.registry.layout(a.spec)
	if err != nil {
		return nil, err
	}
	summary := &tabulated{name: SummaryFile, columns: describe(l.summaryColumns())}
	growth := &tabulated{name: GrowthFile, columns: describe(l.growthColumns())}
	o := &output{folder: a, outside: outside, layout: l, summary: summaryTable(&summary.text, l)}
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
	differences := &tabulated{name: DifferencesFile, columns: describe(l.differenceColumns())}
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
			in, err := a.instance(r)
			if err != nil {
				return err
			}
			o.cell.reset(r.cell+1, input{a.cells[r.cell].Label, in}, o.layout, 0)
		}
		o.cell.add(s)
		return nil
	}); err != nil {
		return err
	}
	return o.finishCell()
}

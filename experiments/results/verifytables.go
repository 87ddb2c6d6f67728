package results

import (
	"bytes"
	"errors"
)

// tabulated is a table that was computed again.
type tabulated struct {
	Name    string
	Columns []Column
	Text    bytes.Buffer
}

// Tabulate computes the tables of cells from the rows.
func (a *Folder) Tabulate(outside bool) ([]*tabulated, error) {
	l, err := LayoutOf(a.Registry, a.Spec)
	if err != nil {
		return nil, err
	}
	summary := &tabulated{Name: SummaryFile, Columns: describe(l.summaryColumns())}
	growth := &tabulated{Name: GrowthFile, Columns: describe(l.growthColumns())}
	o := &Tables{Folder: a, outside: outside, layout: l, summary: summaryTable(&summary.Text, l)}
	if err := o.summary.header(); err != nil {
		return nil, err
	}
	if err := a.summarise(o); err != nil {
		return nil, err
	}
	o.summary.Out.Flush()
	if err := errors.Join(o.summary.Out.Error(), fillTable(&growth.Text, l.growthColumns(), o.growths.fitted(o.layout))); err != nil {
		return nil, err
	}
	if len(a.Spec.Compare) == 0 {
		return []*tabulated{summary, growth}, nil
	}
	differences := &tabulated{Name: DifferencesFile, Columns: describe(l.differenceColumns())}
	rows, err := o.differences()
	if err != nil {
		return nil, err
	}
	return []*tabulated{summary, growth, differences}, fillTable(&differences.Text, l.differenceColumns(), rows)
}

// summarise hands the rows to the tables, cell by cell.
func (a *Folder) summarise(o *Tables) error {
	if err := a.Samples(o.layout, func(r *Record, s *Sample) error {
		if r.Replicate == 1 {
			if err := o.FinishCell(); err != nil {
				return err
			}
			in, err := a.Instance(r)
			if err != nil {
				return err
			}
			o.cell.reset(r.Cell+1, Input{a.Cells[r.Cell].Label, in}, o.layout, 0)
		}
		o.cell.add(s)
		return nil
	}); err != nil {
		return err
	}
	return o.FinishCell()
}

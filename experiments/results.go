package experiments

import (
	"bytes"
	"encoding/csv"
	"errors"
	"path/filepath"
	"slices"

	"bullring/experiments/spec"
	"bullring/protocols"
)

// rowWriter prints rows of results.csv.
type rowWriter struct {
	buffer bytes.Buffer
	table  table[*trial]
}

func newRowWriter(l layout) *rowWriter {
	w := &rowWriter{}
	columns := l.trialColumns()
	w.table = table[*trial]{columns: columns, out: csv.NewWriter(&w.buffer), fields: make([]string, len(columns))}
	return w
}

// append appends the row of a trial.
func (w *rowWriter) append(rows []byte, t *trial) []byte {
	w.buffer.Reset()
	if err := errors.Join(w.table.row(t), w.flush()); err != nil {
		panic(err) // a buffer takes everything
	}
	return append(rows, w.buffer.Bytes()...)
}

// header is the first line of results.csv.
func (w *rowWriter) header() []byte {
	w.buffer.Reset()
	if err := errors.Join(w.table.header(), w.flush()); err != nil {
		panic(err) // a buffer takes everything
	}
	return bytes.Clone(w.buffer.Bytes())
}

func (w *rowWriter) flush() error {
	w.table.out.Flush()
	return w.table.out.Error()
}

// output is the files of a sweep under way. One batch at a time is accepted, in
// the order of the trials.
type output struct {
	sweep  *Sweep
	layout layout
	cells  []spec.Cell

	results     *wholeFile
	summaryFile *wholeFile
	summary     table[*cellSummary]
	cell        cellSummary // the one at hand
	growths     growths

	done    int
	outside int
	failed  int // inside the model

	firstFailed int // row of the first of them
	cutOff      int // inside the model
	outcomes    map[Outcome]int
	checks      []CheckCount // as layout.checks
	files       []string
}

func createOutput(s *Sweep, l layout, cells []spec.Cell) (*output, error) {
	o := &output{sweep: s, layout: l, cells: cells, outcomes: map[Outcome]int{}}
	for _, name := range l.checks {
		o.checks = append(o.checks, CheckCount{Name: name})
	}
	var err error
	if o.results, err = createWhole(filepath.Join(s.Dir, ResultsFile)); err != nil {
		return nil, err
	}
	if o.summaryFile, err = createWhole(filepath.Join(s.Dir, SummaryFile)); err != nil {
		o.discard()
		return nil, err
	}
	o.summary = newTable(o.summaryFile, l.summaryColumns())
	_, err = o.results.Write(newRowWriter(l).header())
	if err = errors.Join(err, o.summary.header()); err != nil {
		o.discard()
		return nil, err
	}
	return o, nil
}

func newTable[T any](f *wholeFile, columns []column[T]) table[T] {
	return table[T]{columns: columns, out: csv.NewWriter(f), fields: make([]string, len(columns))}
}

// accept takes the next trials.
func (o *output) accept(b *batch) error {
	if _, err := o.results.Write(b.rows); err != nil {
		return err
	}
	for i := range b.kept {
		if err := o.add(&b.kept[i]); err != nil {
			return err
		}
	}
	return nil
}

func (o *output) add(s *sample) error {
	replicates := o.sweep.Spec.Replicates
	if o.done%replicates == 0 {
		o.cell.reset(o.done/replicates+1, s.input, o.layout)
	}
	o.done++
	o.cell.add(s)
	o.count(s)
	if o.done%replicates == 0 {
		return o.finishCell()
	}
	return nil
}

// count counts what the report tells.
func (o *output) count(s *sample) {
	o.outcomes[s.outcome]++
	switch {
	case s.outside:
		o.outside++
	case slices.Contains(s.verdicts, protocols.Violated):
		o.failed++
		if o.failed == 1 {
			o.firstFailed = o.done
		}
	case s.outcome == Unfinished:
		o.cutOff++
	}
	for i, name := range o.cell.Algorithm.Checks {
		for j := range o.checks {
			if o.checks[j].Name == name {
				o.checks[j].add(s.verdicts[i])
			}
		}
	}
}

func (o *output) finishCell() error {
	o.cell.finish(o.layout)
	o.growths.add(o.cells[o.cell.number-1], &o.cell)
	return o.summary.row(&o.cell)
}

// commit writes what is left and gives all files their names. failure is why
// the sweep is not complete, if it is not.
func (o *output) commit(failure error) error {
	if o.done%o.sweep.Spec.Replicates != 0 {
		if err := o.finishCell(); err != nil {
			return err
		}
	}
	o.summary.out.Flush()
	if err := o.summary.out.Error(); err != nil {
		return err
	}
	m := o.sweep.manifest()
	m.Rows, m.Complete = o.done, failure == nil
	if failure != nil {
		m.Stopped = failure.Error()
	}
	for _, write := range []func() (FileInfo, error){
		func() (FileInfo, error) { return writeWhole(filepath.Join(o.sweep.Dir, SpecFile), o.sweep.Text) },
		func() (FileInfo, error) {
			info, err := o.results.commit()
			info.Columns = describe(o.layout.trialColumns())
			return info, err
		},
		func() (FileInfo, error) {
			info, err := o.summaryFile.commit()
			info.Columns = describe(o.summary.columns)
			return info, err
		},
		o.writeGrowth,
	} {
		info, err := write()
		if err != nil {
			return err
		}
		m.Files = append(m.Files, info)
		o.files = append(o.files, info.Name)
	}
	o.files = append(o.files, ManifestFile)
	return m.write(o.sweep.Dir)
}

func (o *output) writeGrowth() (FileInfo, error) {
	f, err := createWhole(filepath.Join(o.sweep.Dir, GrowthFile))
	if err != nil {
		return FileInfo{}, err
	}
	defer f.discard()
	t := newTable(f, o.layout.growthColumns())
	err = t.header()
	for _, g := range o.growths.fitted() {
		err = errors.Join(err, t.row(g))
	}
	t.out.Flush()
	if err = errors.Join(err, t.out.Error()); err != nil {
		return FileInfo{}, err
	}
	info, err := f.commit()
	info.Columns = describe(t.columns)
	return info, err
}

// discard removes what was not committed.
func (o *output) discard() {
	for _, f := range []*wholeFile{o.results, o.summaryFile} {
		if f != nil {
			f.discard()
		}
	}
}

func (c *CheckCount) add(v protocols.Verdict) {
	switch v {
	case protocols.Holds:
		c.Holds++
	case protocols.Violated:
		c.Violated++
	default:
		c.Undecided++
	}
}

func (o *output) report() *Report {
	r := &Report{
		Cells: len(o.cells), Trials: o.sweep.Spec.Trials(), Done: o.done, Outside: o.outside, Failed: o.failed, FirstFailed: o.firstFailed, CutOff: o.cutOff,
		Checks: o.checks, Files: o.files,
	}
	for _, outcome := range o.layout.outcomes {
		if o.outcomes[outcome] > 0 {
			r.Outcomes = append(r.Outcomes, Count{string(outcome), o.outcomes[outcome]})
		}
	}
	return r
}

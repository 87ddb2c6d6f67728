package experiments

import (
	"encoding/csv"
	"encoding/hex"
	"errors"
	"io"
	"path/filepath"
	"strconv"
)

// output is the tables of a sweep under way. Trials come in the order of the
// sweep.
type output struct {
	folder  *archive
	outside bool // whether cells outside the model are allowed
	layout  layout

	results     *wholeFile
	summaryFile *wholeFile
	summary     table[*cellSummary]
	cell        cellSummary // the one at hand
	growths     growths

	rows  int
	files []FileInfo
}

func createOutput(a *archive, outside bool, l layout, header string) (*output, error) {
	o := &output{folder: a, outside: outside, layout: l}
	var err error
	if o.results, err = createWhole(filepath.Join(a.dir, ResultsFile)); err != nil {
		return nil, err
	}
	if o.summaryFile, err = createWhole(filepath.Join(a.dir, SummaryFile)); err != nil {
		o.discard()
		return nil, err
	}
	o.summary = summaryTable(o.summaryFile, l)
	_, err = o.results.Write([]byte(header))
	if err = errors.Join(err, o.summary.header()); err != nil {
		o.discard()
		return nil, err
	}
	return o, nil
}

// summaryTable is the table of cells. The name of a column there ends in what was made of
// the trials, so the unit would stand in a place where nobody looks for it.
func summaryTable(w io.Writer, l layout) table[*cellSummary] {
	t := newTable(w, l.summaryColumns())
	t.plain = true
	return t
}

func newTable[T any](w io.Writer, columns []column[T]) table[T] {
	return table[T]{columns: columns, out: csv.NewWriter(w), fields: make([]string, len(columns))}
}

// accept takes the next trials.
func (o *output) accept(b *batch) error {
	var number []byte
	for i, row := range b.rows {
		o.rows++
		number = append(strconv.AppendInt(number[:0], int64(o.rows), 10), ',')
		if _, err := o.results.Write(number); err != nil {
			return err
		}
		if _, err := o.results.Write(row); err != nil {
			return err
		}
		if b.first+i == 0 {
			o.cell.reset(b.cell+1, b.kept[i].input, o.layout, o.folder.spec.Replicates)
		}
		o.cell.add(&b.kept[i])
	}
	return nil
}

// finishCell is told that the cell at hand has no more trials.
func (o *output) finishCell() error {
	if o.cell.trials == 0 {
		return nil
	}
	o.cell.finish(o.layout)
	o.growths.add(o.folder.cells[o.cell.number-1], &o.cell)
	err := o.summary.row(&o.cell)
	o.cell.trials = 0
	return err
}

// commit writes what is left and gives the files their names.
func (o *output) commit() error {
	if err := o.finishCell(); err != nil {
		return err
	}
	o.summary.out.Flush()
	if err := o.summary.out.Error(); err != nil {
		return err
	}
	for _, write := range []func() (FileInfo, error){
		func() (FileInfo, error) {
			info, err := writeWhole(filepath.Join(o.folder.dir, SpecFile), o.folder.text)
			return FileInfo{Info: info}, err
		},
		o.writeIncluded,
		func() (FileInfo, error) {
			info, err := o.results.commit()
			return FileInfo{info, append([]Column{rowColumn}, describe(o.layout.trialColumns())...)}, err
		},
		func() (FileInfo, error) {
			info, err := o.summaryFile.commit()
			return FileInfo{info, describe(o.summary.columns)}, err
		},
		o.writeGrowth,
	} {
		info, err := write()
		if err != nil {
			return err
		}
		if info.Name != "" {
			o.files = append(o.files, info)
		}
	}
	if len(o.folder.spec.Compare) == 0 {
		return nil
	}
	info, err := o.writeDifferences()
	o.files = append(o.files, info)
	return err
}

// writeIncluded writes the file that the sweep includes, if any.
func (o *output) writeIncluded() (FileInfo, error) {
	in := o.folder.spec.Included
	if in == nil {
		return FileInfo{}, nil
	}
	info, err := writeWhole(filepath.Join(o.folder.dir, in.Name), in.Text)
	return FileInfo{Info: info}, err
}

func (o *output) writeGrowth() (FileInfo, error) {
	return writeTable(filepath.Join(o.folder.dir, GrowthFile), o.layout.growthColumns(), o.growths.fitted(o.layout))
}

// writeTable writes a table whose rows are all there.
func writeTable[T any](path string, columns []column[T], rows []T) (FileInfo, error) {
	f, err := createWhole(path)
	if err != nil {
		return FileInfo{}, err
	}
	defer f.discard()
	if err := fillTable(f, columns, rows); err != nil {
		return FileInfo{}, err
	}
	info, err := f.commit()
	return FileInfo{info, describe(columns)}, err
}

// fillTable writes a table.
func fillTable[T any](w io.Writer, columns []column[T], rows []T) error {
	t := newTable(w, columns)
	err := t.header()
	for _, row := range rows {
		err = errors.Join(err, t.row(row))
	}
	t.out.Flush()
	return errors.Join(err, t.out.Error())
}

// discard removes what was not committed.
func (o *output) discard() {
	for _, f := range []*wholeFile{o.results, o.summaryFile} {
		if f != nil {
			f.discard()
		}
	}
}

// resultsHash is the SHA-256 of results.csv, as far as it was written.
func (o *output) resultsHash() string { return hex.EncodeToString(o.results.hash.Sum(nil)) }

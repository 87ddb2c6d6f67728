package results

import (
	"encoding/csv"
	"encoding/hex"
	"errors"
	"io"
	"path/filepath"
	"strconv"

	"bullring/internal/wholefile"
)

// Tables is the tables of a sweep under way. Trials come in the order of the
// sweep.
type Tables struct {
	Folder  *Folder
	outside bool // whether cells outside the model are allowed
	layout  Layout

	results     *wholefile.File
	summaryFile *wholefile.File
	summary     table[*cellSummary]
	cell        cellSummary // the one at hand
	growths     growths

	Rows  int
	Files []FileInfo
}

func CreateTables(a *Folder, outside bool, l Layout, header string) (*Tables, error) {
	o := &Tables{Folder: a, outside: outside, layout: l}
	var err error
	if o.results, err = wholefile.Create(filepath.Join(a.Dir, ResultsFile)); err != nil {
		return nil, err
	}
	if o.summaryFile, err = wholefile.Create(filepath.Join(a.Dir, SummaryFile)); err != nil {
		o.Discard()
		return nil, err
	}
	o.summary = summaryTable(o.summaryFile, l)
	_, err = o.results.Write([]byte(header))
	if err = errors.Join(err, o.summary.header()); err != nil {
		o.Discard()
		return nil, err
	}
	return o, nil
}

// summaryTable is the table of cells. The name of a column there ends in what was made of
// the trials, so the unit would stand in a place where nobody looks for it.
func summaryTable(w io.Writer, l Layout) table[*cellSummary] {
	t := newTable(w, l.summaryColumns())
	t.plain = true
	return t
}

func newTable[T any](w io.Writer, columns []TextColumn[T]) table[T] {
	return table[T]{Columns: columns, Out: csv.NewWriter(w), fields: make([]string, len(columns))}
}

// Accept takes the next trials.
func (o *Tables) Accept(b *Batch) error {
	var number []byte
	for i, row := range b.Rows {
		o.Rows++
		number = append(strconv.AppendInt(number[:0], int64(o.Rows), 10), ',')
		if _, err := o.results.Write(number); err != nil {
			return err
		}
		if _, err := o.results.Write(row); err != nil {
			return err
		}
		if b.First+i == 0 {
			o.cell.reset(b.Cell+1, b.Kept[i].Input, o.layout, o.Folder.Spec.Replicates)
		}
		o.cell.add(&b.Kept[i])
	}
	return nil
}

// FinishCell is told that the cell at hand has no more trials.
func (o *Tables) FinishCell() error {
	if o.cell.trials == 0 {
		return nil
	}
	o.cell.finish(o.layout)
	o.growths.add(o.Folder.Cells[o.cell.number-1], &o.cell)
	err := o.summary.row(&o.cell)
	o.cell.trials = 0
	return err
}

// Commit writes what is left and gives the files their names.
func (o *Tables) Commit() error {
	if err := o.FinishCell(); err != nil {
		return err
	}
	o.summary.Out.Flush()
	if err := o.summary.Out.Error(); err != nil {
		return err
	}
	for _, write := range []func() (FileInfo, error){
		func() (FileInfo, error) {
			info, err := wholefile.Write(filepath.Join(o.Folder.Dir, SpecFile), o.Folder.Text)
			return FileInfo{Info: info}, err
		},
		o.writeIncluded,
		func() (FileInfo, error) {
			info, err := o.results.Commit()
			return FileInfo{info, append([]Column{RowColumn}, describe(o.layout.TrialColumns())...)}, err
		},
		func() (FileInfo, error) {
			info, err := o.summaryFile.Commit()
			return FileInfo{info, describe(o.summary.Columns)}, err
		},
		o.writeGrowth,
	} {
		info, err := write()
		if err != nil {
			return err
		}
		if info.Name != "" {
			o.Files = append(o.Files, info)
		}
	}
	if len(o.Folder.Spec.Compare) == 0 {
		return nil
	}
	info, err := o.writeDifferences()
	o.Files = append(o.Files, info)
	return err
}

// writeIncluded writes the file that the sweep includes, if any.
func (o *Tables) writeIncluded() (FileInfo, error) {
	in := o.Folder.Spec.Included
	if in == nil {
		return FileInfo{}, nil
	}
	info, err := wholefile.Write(filepath.Join(o.Folder.Dir, in.Name), in.Text)
	return FileInfo{Info: info}, err
}

func (o *Tables) writeGrowth() (FileInfo, error) {
	return writeTable(filepath.Join(o.Folder.Dir, GrowthFile), o.layout.growthColumns(), o.growths.fitted(o.layout))
}

// writeTable writes a table whose rows are all there.
func writeTable[T any](path string, columns []TextColumn[T], rows []T) (FileInfo, error) {
	f, err := wholefile.Create(path)
	if err != nil {
		return FileInfo{}, err
	}
	defer f.Discard()
	if err := fillTable(f, columns, rows); err != nil {
		return FileInfo{}, err
	}
	info, err := f.Commit()
	return FileInfo{info, describe(columns)}, err
}

// fillTable writes a table.
func fillTable[T any](w io.Writer, columns []TextColumn[T], rows []T) error {
	t := newTable(w, columns)
	err := t.header()
	for _, row := range rows {
		err = errors.Join(err, t.row(row))
	}
	t.Out.Flush()
	return errors.Join(err, t.Out.Error())
}

// Discard removes what was not committed.
func (o *Tables) Discard() {
	for _, f := range []*wholefile.File{o.results, o.summaryFile} {
		if f != nil {
			f.Discard()
		}
	}
}

// ResultsHash is the SHA-256 of results.csv, as far as it was written.
func (o *Tables) ResultsHash() string { return hex.EncodeToString(o.results.Hash.Sum(nil)) }

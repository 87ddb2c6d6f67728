package results

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"

	"bullring/experiments/campaign/spec"
	"bullring/internal/wholefile"
)

// Tables writes the tables of a sweep while it runs. Trials come in the order of the sweep.
type Tables struct {
	Folder  *Folder // for which the tables are made
	dir     string  // of the tables
	outside bool    // cells outside the model are allowed
	layout  Layout

	results     *wholefile.File
	summaryFile *wholefile.File
	summary     table[*cellSummary]
	cell        cellSummary // the current cell
	growths     growths
	digests     digestsWriter

	Rows       int        // number of rows that were written
	Summarised int        // of a sweep that keeps a summary, the number of trials
	Files      []FileInfo // that were committed
}

// CreateTables begins the tables of a folder. header is the first line of results.csv.
func CreateTables(f *Folder, outside bool, l Layout, header string) (*Tables, error) {
	t, err := createDerived(f, outside, l, f.Dir)
	if err != nil {
		return nil, err
	}
	if t.results, err = wholefile.Create(filepath.Join(f.Dir, ResultsFile)); err == nil {
		_, err = t.results.Write([]byte(header))
	}
	if err == nil && l.keep.Summary {
		t.digests.file, err = wholefile.Create(filepath.Join(f.Dir, DigestsFile))
	}
	if err != nil {
		t.Discard()
		return nil, err
	}
	return t, nil
}

// createDerived begins the tables that are computed from results.csv.
func createDerived(f *Folder, outside bool, l Layout, dir string) (*Tables, error) {
	t := &Tables{Folder: f, dir: dir, outside: outside, layout: l}
	var err error
	if t.summaryFile, err = wholefile.Create(filepath.Join(dir, SummaryFile)); err != nil {
		return nil, err
	}
	t.summary = newTable(t.summaryFile, l.summaryColumns())
	t.summary.plain = true // a unit behind messages_sd would look like that of the deviation
	if err := t.summary.header(); err != nil {
		t.Discard()
		return nil, err
	}
	return t, nil
}

// Accept takes the rows and samples of the next trials of a cell. first is the number of the
// first of them within the cell, counted from 0.
func (t *Tables) Accept(cell, first int, rows [][]byte, samples []Sample) error {
	var number []byte
	for i, row := range rows {
		t.Rows++
		number = append(strconv.AppendInt(number[:0], int64(t.Rows), 10), ',')
		if _, err := t.results.Write(number); err != nil {
			return err
		}
		if _, err := t.results.Write(row); err != nil {
			return err
		}
		if first+i == 0 {
			t.cell.reset(cell+1, samples[i].Input, t.layout, t.Folder.Spec.Replicates)
		}
		t.cell.add(&samples[i])
	}
	return nil
}

// FinishCell says that the current cell has no more trials.
func (t *Tables) FinishCell() error {
	if t.cell.trials == 0 {
		return nil
	}
	if t.digests.cell == nil {
		t.cell.finish(t.layout)
	} else if err := t.finishDigest(); err != nil {
		return err
	}
	t.growths.add(t.Folder.Cells[t.cell.number-1], &t.cell)
	err := t.summary.row(&t.cell)
	t.cell.trials = 0
	return err
}

// nextCell finishes the current cell, and returns the input of the cell that the row begins.
func (t *Tables) nextCell(r *Record) (Input, error) {
	if err := t.FinishCell(); err != nil {
		return Input{}, err
	}
	in, err := t.Folder.Instance(r)
	return Input{t.Folder.Cells[r.Cell].Label, t.Folder.Cells[r.Cell].Rare, in}, err
}

// Commit writes the remaining files and gives all of them their names.
func (t *Tables) Commit() error {
	if err := t.FinishCell(); err != nil {
		return err
	}
	sources := []spec.Included{{Name: SpecFile, Text: t.Folder.Text}}
	if in := t.Folder.Spec.Included; in != nil {
		sources = append(sources, *in)
	}
	for _, s := range sources {
		info, err := wholefile.Write(filepath.Join(t.dir, s.Name), s.Text)
		if err != nil {
			return err
		}
		t.Files = append(t.Files, FileInfo{Info: info})
	}
	info, err := t.results.Commit()
	if err != nil {
		return err
	}
	t.Files = append(t.Files, FileInfo{info, t.layout.RowColumns()})
	if t.digests.file != nil {
		if info, err = t.digests.file.Commit(); err != nil {
			return err
		}
		t.Files = append(t.Files, FileInfo{Info: info})
	}
	return t.commitDerived()
}

// commitDerived commits the tables that are computed from results.csv.
func (t *Tables) commitDerived() error {
	info, err := t.summaryFile.Commit()
	if err != nil {
		return err
	}
	t.Files = append(t.Files, FileInfo{info, describe(t.summary.columns)})
	growth, err := writeTable(filepath.Join(t.dir, GrowthFile), t.layout.growthColumns(), t.growths.fitted(t.layout))
	if err != nil {
		return err
	}
	t.Files = append(t.Files, growth)
	if len(t.Folder.Spec.Compare) == 0 {
		return nil
	}
	rows, err := t.differences()
	if err != nil {
		return err
	}
	differences, err := writeTable(filepath.Join(t.dir, DifferencesFile), t.layout.differenceColumns(), rows)
	t.Files = append(t.Files, differences)
	return err
}

// Discard removes files that were not committed.
func (t *Tables) Discard() {
	for _, f := range []*wholefile.File{t.results, t.summaryFile, t.digests.file} {
		if f != nil {
			f.Discard()
		}
	}
}

// ResultsHash is the SHA-256 of results.csv as written so far.
func (t *Tables) ResultsHash() (string, error) { return t.results.Hash() }

// Retabulate reads the rows of the folder, gives them the labels of the sweep, and makes
// its tables. Commit gives them their names.
func (f *Folder) Retabulate(outside bool, l Layout) (*Tables, error) {
	columns, header, err := f.header()
	if err != nil {
		return nil, err
	}
	reader, err := NewRowReader(l, columns)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(f.Dir, ResultsFile), err)
	}
	t, err := CreateTables(f, outside, l, header)
	if err != nil {
		return nil, err
	}
	if l.keep.Summary {
		if err = t.fromDigests(); err != nil {
			t.Discard()
			return nil, err
		}
		return t, nil
	}
	rows := NewRowWriter(l)
	_, err = f.Rows(func(r *Record) (bool, error) {
		r.Fields[reader.Label] = f.Cells[r.Cell].Label
		kept, err := reader.Sample(r.Fields)
		if err != nil {
			return false, fmt.Errorf("%s: %w", r.Where, err)
		}
		if r.Replicate == 1 {
			if kept.Input, err = t.nextCell(r); err != nil {
				return false, err
			}
		}
		row := rows.AppendFields(nil, r.Fields[1:])
		return true, t.Accept(r.Cell, r.Replicate-1, [][]byte{row}, []Sample{kept})
	})
	if err != nil {
		t.Discard()
		return nil, err
	}
	return t, nil
}

// Tabulate computes the tables of cells from the rows, and writes them into a directory.
func (f *Folder) Tabulate(outside bool, dir string) ([]FileInfo, error) {
	l, err := LayoutOf(f.Registry, f.Spec)
	if err != nil {
		return nil, err
	}
	t, err := createDerived(f, outside, l, dir)
	if err != nil {
		return nil, err
	}
	defer t.Discard()
	from := t.fromRows
	if l.keep.Summary {
		from = t.fromDigests
	}
	if err := from(); err != nil {
		return nil, err
	}
	if err := t.FinishCell(); err != nil {
		return nil, err
	}
	if err := t.commitDerived(); err != nil {
		return nil, err
	}
	return t.Files, nil
}

// fromRows makes the tables of cells from the rows of the folder.
func (t *Tables) fromRows() error {
	return t.Folder.Samples(t.layout, func(r *Record, s *Sample) error {
		if r.Replicate == 1 {
			in, err := t.nextCell(r)
			if err != nil {
				return err
			}
			t.cell.reset(r.Cell+1, in, t.layout, 0)
		}
		t.cell.add(s)
		return nil
	})
}

func newTable[T any](w io.Writer, columns []TextColumn[T]) table[T] {
	return table[T]{columns: columns, out: w}
}

// writeTable writes a table from all its rows.
func writeTable[T any](path string, columns []TextColumn[T], rows []T) (FileInfo, error) {
	f, err := wholefile.Create(path)
	if err != nil {
		return FileInfo{}, err
	}
	defer f.Discard()
	t := newTable(f, columns)
	err = t.header()
	for _, row := range rows {
		err = errors.Join(err, t.row(row))
	}
	if err != nil {
		return FileInfo{}, err
	}
	info, err := f.Commit()
	return FileInfo{info, describe(columns)}, err
}

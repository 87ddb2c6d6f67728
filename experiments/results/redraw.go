package results

import (
	"fmt"
	"path/filepath"

	"bullring/internal/wholefile"
)

// Retabulate reads the rows of the folder, gives them the labels of the sweep, and makes
// its tables. They do not have their names yet.
func (a *Folder) Retabulate(outside bool, l Layout) (*Tables, error) {
	columns, header, err := a.header()
	if err != nil {
		return nil, err
	}
	reader, err := NewRowReader(l, columns)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(a.Dir, ResultsFile), err)
	}
	o, err := CreateTables(a, outside, l, header)
	if err != nil {
		return nil, err
	}
	rows := NewRowWriter(l)
	_, err = a.Rows(func(r *Record) (bool, error) {
		r.Fields[reader.Label] = a.Cells[r.Cell].Label
		kept, err := reader.Sample(r.Fields)
		if err != nil {
			return false, fmt.Errorf("%s: %w", r.Where, err)
		}
		if r.Replicate == 1 {
			if err := o.FinishCell(); err != nil {
				return false, err
			}
			in, err := a.Instance(r)
			if err != nil {
				return false, err
			}
			kept.Input = Input{a.Cells[r.Cell].Label, in}
		}
		row := rows.AppendFields(nil, r.Fields[1:])
		return true, o.Accept(&Batch{Cell: r.Cell, First: r.Replicate - 1, Rows: [][]byte{row}, Kept: []Sample{kept}})
	})
	if err != nil {
		o.Discard()
		return nil, err
	}
	return o, nil
}

// UnchangedRows reports that results.csv is not as the manifest says: as it was, or, if
// the folder was being written anew, as it is to be.
func (m *Manifest) UnchangedRows(dir string) error {
	info, err := wholefile.Stat(filepath.Join(dir, ResultsFile))
	if err != nil {
		return err
	}
	for _, f := range m.Files {
		if f.Name == ResultsFile && (info.SHA256 == f.SHA256 || info.SHA256 == m.Rewriting) {
			return nil
		}
	}
	return fmt.Errorf("%s was changed since: its hash is not the one in %s; bullring verify tells more, and bullring sweep --again makes it again", filepath.Join(dir, ResultsFile), ManifestFile)
}

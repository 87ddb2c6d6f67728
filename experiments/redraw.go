package experiments

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"bullring/experiments/spec"
	"bullring/internal/wholefile"
)

// Redraw draws the figures of a folder of results as the sweep has them now, and returns
// the paths of their files. The trials of the sweep have to be those of the folder; its
// labels, comparisons and figures may be others, and all files are written anew from the
// rows. Nothing is run. draw draws the figures into a folder that this process has taken.
func Redraw(s *Sweep, draw func(*Folder, *Claims) ([]string, error)) ([]string, error) {
	cells, l, err := s.resolve()
	if err != nil {
		return nil, err
	}
	kept, err := Open(s.Registry, s.Dir)
	if err != nil {
		return nil, err
	}
	if kept.TrialsHash() != s.trialsHash() {
		return nil, fmt.Errorf("%s asks for other trials than those in %s: of the latter, %s; run it into another directory", s.File, s.Dir, OtherTrials(kept.Spec, s.Spec))
	}
	if err := s.fitsIncluded(kept); err != nil {
		return nil, err
	}
	c, err := s.hold()
	if err != nil {
		return nil, err
	}
	defer c.Close()
	if err := c.Free(s.temporary()); err != nil {
		return nil, err
	}
	if err := s.rewrite(c, cells, l); err != nil {
		return nil, err
	}
	now, err := Open(s.Registry, s.Dir)
	if err != nil || len(s.Spec.Figures) == 0 {
		return nil, err
	}
	return draw(now, c)
}

// archive is the folder of the sweep, whose rows may have labels of an earlier version
// of it.
func (s *Sweep) archive(cells []spec.Cell) *Folder {
	return &Folder{Registry: s.Registry, Dir: s.Dir, Text: s.Text, Spec: s.Spec, Cells: cells, Relabelled: true}
}

// rewrite writes the files of the folder anew from the rows that it holds, for another
// version of the sweep with the same trials. Figures are left to [Draw]. When it is
// killed, the manifest tells which rows there may be, and it can begin again.
func (s *Sweep) rewrite(c *Claims, cells []spec.Cell, l Layout) error {
	m, err := ReadManifest(s.Dir)
	if err != nil {
		return err
	}
	if err := m.UnchangedRows(s.Dir); err != nil {
		return err
	}
	a := s.archive(cells)
	o, err := a.Retabulate(m.Outside, l)
	if err != nil {
		return err
	}
	defer o.Discard()
	if err := c.Take(s.ownFiles()); err != nil {
		return err
	}
	m.Rewriting = o.ResultsHash()
	if err := m.Write(s.Dir); err != nil {
		return err
	}
	if err := o.Commit(); err != nil {
		return err
	}
	// The columns of the rows are still those of the program that ran the trials.
	o.Files[slices.IndexFunc(o.Files, func(f FileInfo) bool { return f.Name == ResultsFile })].Columns = ColumnsOf(m, ResultsFile)
	old := slices.Concat(m.Files, m.Figures)
	m.Files, m.Hash, m.Rewriting = o.Files, s.trialsHash(), ""
	s.name(m)
	if err := WriteDocuments(a, m, nil); err != nil {
		return err
	}
	return errors.Join(removeFormer(s.Dir, old, m.Files), c.Settle())
}

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

// removeFormer removes files that a folder has no longer, as far as they are as they
// were written.
func removeFormer(dir string, old, now []FileInfo) error {
	for _, f := range old {
		if !filepath.IsLocal(f.Name) || slices.ContainsFunc(now, func(g FileInfo) bool { return g.Name == f.Name }) {
			continue
		}
		path := filepath.Join(dir, f.Name)
		info, err := wholefile.Stat(path)
		if err == nil && info.SHA256 == f.SHA256 {
			err = os.Remove(path)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

package experiments

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"bullring/experiments/spec"
)

// Redraw draws the figures of a folder of results as the sweep has them now, and returns
// the paths of their files. The trials of the sweep have to be those of the folder; its
// labels, comparisons and figures may be others, and all files are written anew from the
// rows. Nothing is run. draw draws the figures into a folder that this process has taken.
func Redraw(s *Sweep, draw func(*archive, *claims) ([]string, error)) ([]string, error) {
	cells, l, err := s.resolve()
	if err != nil {
		return nil, err
	}
	kept, err := openArchive(s.Registry, s.Dir)
	if err != nil {
		return nil, err
	}
	if kept.trialsHash() != s.trialsHash() {
		return nil, fmt.Errorf("%s asks for other trials than those in %s: of the latter, %s; run it into another directory", s.File, s.Dir, otherTrials(kept.spec, s.Spec))
	}
	if err := s.fitsIncluded(kept); err != nil {
		return nil, err
	}
	c, err := s.hold()
	if err != nil {
		return nil, err
	}
	defer c.close()
	if err := c.free(s.temporary()); err != nil {
		return nil, err
	}
	if err := s.rewrite(c, cells, l); err != nil {
		return nil, err
	}
	now, err := openArchive(s.Registry, s.Dir)
	if err != nil || len(s.Spec.Figures) == 0 {
		return nil, err
	}
	return draw(now, c)
}

// archive is the folder of the sweep, whose rows may have labels of an earlier version
// of it.
func (s *Sweep) archive(cells []spec.Cell) *archive {
	return &archive{registry: s.Registry, dir: s.Dir, text: s.Text, spec: s.Spec, cells: cells, relabelled: true}
}

// rewrite writes the files of the folder anew from the rows that it holds, for another
// version of the sweep with the same trials. Figures are left to [Draw]. When it is
// killed, the manifest tells which rows there may be, and it can begin again.
func (s *Sweep) rewrite(c *claims, cells []spec.Cell, l layout) error {
	m, err := ReadManifest(s.Dir)
	if err != nil {
		return err
	}
	if err := m.unchangedRows(s.Dir); err != nil {
		return err
	}
	a := s.archive(cells)
	o, err := a.retabulate(m.Outside, l)
	if err != nil {
		return err
	}
	defer o.discard()
	if err := c.take(s.ownFiles()); err != nil {
		return err
	}
	m.Rewriting = o.resultsHash()
	if err := m.write(s.Dir); err != nil {
		return err
	}
	if err := o.commit(); err != nil {
		return err
	}
	// The columns of the rows are still those of the program that ran the trials.
	o.files[slices.IndexFunc(o.files, func(f FileInfo) bool { return f.Name == ResultsFile })].Columns = m.columnsOf(ResultsFile)
	old := slices.Concat(m.Files, m.Figures)
	m.Files, m.Hash, m.Rewriting = o.files, s.trialsHash(), ""
	s.name(m)
	if err := a.describe(m, nil); err != nil {
		return err
	}
	return errors.Join(removeFormer(s.Dir, old, m.Files), c.settle())
}

// retabulate reads the rows of the folder, gives them the labels of the sweep, and makes
// its tables. They do not have their names yet.
func (a *archive) retabulate(outside bool, l layout) (*output, error) {
	columns, header, err := a.header()
	if err != nil {
		return nil, err
	}
	reader, err := newRowReader(l, columns)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(a.dir, ResultsFile), err)
	}
	o, err := createOutput(a, outside, l, header)
	if err != nil {
		return nil, err
	}
	rows := newRowWriter(l)
	_, err = a.rows(func(r *record) (bool, error) {
		r.fields[reader.label] = a.cells[r.cell].Label
		kept, err := reader.sample(r.fields)
		if err != nil {
			return false, fmt.Errorf("%s: %w", r.where, err)
		}
		if r.replicate == 1 {
			if err := o.finishCell(); err != nil {
				return false, err
			}
			in, err := a.instance(r)
			if err != nil {
				return false, err
			}
			kept.input = input{a.cells[r.cell].Label, in}
		}
		row := rows.appendFields(nil, r.fields[1:])
		return true, o.accept(&batch{cell: r.cell, first: r.replicate - 1, rows: [][]byte{row}, kept: []sample{kept}})
	})
	if err != nil {
		o.discard()
		return nil, err
	}
	return o, nil
}

// unchangedRows reports that results.csv is not as the manifest says: as it was, or, if
// the folder was being written anew, as it is to be.
func (m *Manifest) unchangedRows(dir string) error {
	info, err := fileInfo(filepath.Join(dir, ResultsFile))
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
		info, err := fileInfo(path)
		if err == nil && info.SHA256 == f.SHA256 {
			err = os.Remove(path)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

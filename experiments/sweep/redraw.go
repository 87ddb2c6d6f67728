package sweep

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"bullring/experiments/paper"
	"bullring/experiments/results"
	"bullring/experiments/spec"
	"bullring/internal/wholefile"
)

// Redraw draws the figures of a folder of results as the sweep has them now, and returns
// the paths of their files. The trials of the sweep have to be those of the folder; its
// labels, comparisons and figures may be others, and all files are written anew from the
// rows. Nothing is run. draw draws the figures into a folder that this process has taken.
func Redraw(s *Sweep, draw func(*results.Folder, *results.Claims) ([]string, error)) ([]string, error) {
	cells, l, err := s.resolve()
	if err != nil {
		return nil, err
	}
	kept, err := results.Open(s.Registry, s.Dir)
	if err != nil {
		return nil, err
	}
	if kept.TrialsHash() != s.trialsHash() {
		return nil, fmt.Errorf("%s asks for other trials than those in %s: of the latter, %s; run it into another directory", s.File, s.Dir, results.OtherTrials(kept.Spec, s.Spec))
	}
	if err := s.fitsIncluded(kept); err != nil {
		return nil, err
	}
	c, err := s.takeFolder()
	if err != nil {
		return nil, err
	}
	defer c.Close()
	if err := c.Free(s.allFiles()); err != nil {
		return nil, err
	}
	if err := s.rewrite(c, cells, l); err != nil {
		return nil, err
	}
	now, err := results.Open(s.Registry, s.Dir)
	if err != nil || len(s.Spec.Figures) == 0 {
		return nil, err
	}
	return draw(now, c)
}

// rewrite writes the files of the folder anew from the rows that it holds, for another
// version of the sweep with the same trials. Figures are left to [Draw]. When it is
// killed, the manifest tells which rows there may be, and it can begin again.
func (s *Sweep) rewrite(c *results.Claims, cells []spec.Cell, l results.Layout) error {
	m, err := results.ReadManifest(s.Dir)
	if err != nil {
		return err
	}
	if err := m.UnchangedRows(s.Dir); err != nil {
		return err
	}
	folder := s.folder(cells)
	o, err := folder.Retabulate(m.Outside, l)
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
	o.Files[slices.IndexFunc(o.Files, func(f results.FileInfo) bool { return f.Name == results.ResultsFile })].Columns = paper.ColumnsOf(m, results.ResultsFile)
	old := slices.Concat(m.Files, m.Figures)
	m.Files, m.Hash, m.Rewriting = o.Files, s.trialsHash(), ""
	s.name(m)
	if err := paper.WriteDocuments(folder, m, nil); err != nil {
		return err
	}
	return errors.Join(removeFormer(s.Dir, old, m.Files), c.Settle())
}

// removeFormer removes files that a folder has no longer, as far as they are as they
// were written.
func removeFormer(dir string, old, now []results.FileInfo) error {
	for _, f := range old {
		if !filepath.IsLocal(f.Name) || slices.ContainsFunc(now, func(g results.FileInfo) bool { return g.Name == f.Name }) {
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

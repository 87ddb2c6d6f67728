package sweep

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"bullring/experiments/campaign/paper"
	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/spec"
	"bullring/internal/wholefile"
)

// Redraw writes the files of a folder again for a changed sweep, draws its figures, and
// returns their paths. Labels, comparisons, figures and tables may have changed; the trials must be
// those in the folder. It runs no trial. draw draws the figures of a folder that this
// process has locked.
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
		return nil, fmt.Errorf("%s asks for other trials than those in %s: of the latter, %s; bullring sweep keeps the trials that both have, and runs the others", s.File, s.Dir, results.OtherTrials(kept.Spec, s.Spec))
	}
	to := s.target()
	if err := to.fitsIncluded(kept); err != nil {
		return nil, err
	}
	c, err := to.take()
	if err != nil {
		return nil, err
	}
	defer c.Close()
	if err := c.Free(to.allFiles()); err != nil {
		return nil, err
	}
	if err := to.rewrite(c, cells, l); err != nil {
		return nil, err
	}
	now, err := results.Open(s.Registry, s.Dir)
	if err != nil || len(s.Spec.Figures)+len(s.Spec.Tables) == 0 {
		return nil, err
	}
	return draw(now, c)
}

// leave ends a sweep whose trials are all there, or that cannot go on. Files of an earlier version of
// the sweep are written again.
func (to target) leave(c *results.Claims, report *Report, err error, cells []spec.Cell, l results.Layout) (*Report, error) {
	if err == nil && report.Outdated {
		err = to.rewrite(c, cells, l)
	}
	return report, errors.Join(err, to.tidy(c))
}

// rewrite writes all files of the folder, except figures, again from its rows, for a
// changed sweep with the same trials. If it is killed, the manifest tells the hashes of
// both versions of the rows, so it can start again.
func (to target) rewrite(c *results.Claims, cells []spec.Cell, l results.Layout) error {
	m, err := results.ReadManifest(to.dir)
	if err != nil {
		return err
	}
	if err := m.UnchangedRows(to.dir); err != nil {
		return err
	}
	folder := to.folder(cells)
	o, err := folder.Retabulate(m.Outside, l)
	if err != nil {
		return err
	}
	defer o.Discard()
	kept, err := c.Take(to.ownFiles())
	if err != nil {
		return err
	}
	if m.Rewriting, err = o.ResultsHash(); err != nil {
		return err
	}
	if err := m.Write(to.dir); err != nil {
		return err
	}
	if err := o.Commit(); err != nil {
		return err
	}
	// The program that ran the trials decides the columns of the rows.
	o.Files[slices.IndexFunc(o.Files, func(f results.FileInfo) bool { return f.Name == results.ResultsFile })].Columns = m.ColumnsOf(results.ResultsFile)
	old := slices.Concat(m.Files, m.Shown())
	m.Files, m.Tables, m.Hash, m.Rewriting = o.Files, nil, to.trialsHash(), ""
	to.name(m)
	if err := paper.WriteDocuments(folder, m, nil, kept); err != nil {
		return err
	}
	return errors.Join(removeFormer(to.dir, old, m.Files), c.Settle())
}

// removeFormer removes files that the folder no longer needs, unless they were changed.
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

package grade

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bullring/experiments/trial/search"
	"bullring/internal/regular"
	"bullring/internal/wholefile"
)

// Files of a folder. Beside them it has a page for each submission, and cases.
const (
	PointsJSON = "grades.json"
	PointsCSV  = "grades.csv"
	JUnitXML   = "junit.xml"
)

// mostReport is the size of the largest report that is read.
const mostReport = 256 << 20

// Folder is where a grading writes to, and what an earlier one has left there. A nil folder keeps
// nothing.
type Folder struct {
	dir   string
	again bool // grade all
	had   *Grades
}

// OpenFolder opens a folder, which need not exist. It refuses one with files that this package did not
// write, or that were changed since. again does not use what an earlier grading has left.
func OpenFolder(dir string, again bool) (*Folder, error) {
	f := &Folder{dir: dir, again: again}
	if err := f.read(); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") && !f.owns(e.Name()) {
			return nil, fmt.Errorf("%s holds %s, which is not as bullring grade wrote it: give another folder, or remove that file", dir, e.Name())
		}
	}
	return f, nil
}

// read reads the report of an earlier grading, if there is one.
func (f *Folder) read() error {
	text, err := regular.Read(f.path(PointsJSON), mostReport)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	had := &Grades{}
	if json.Unmarshal(text, had) == nil && had.Format == format {
		f.had = had
	}
	return nil
}

// owns reports whether a file is as this package wrote it.
func (f *Folder) owns(name string) bool {
	text, err := regular.Read(f.path(name), mostReport)
	if err != nil {
		return false
	}
	switch {
	case name == PointsJSON:
		return f.had != nil
	case name == PointsCSV:
		return f.had != nil && bytes.Equal(text, f.had.CSV())
	case name == JUnitXML:
		return f.had != nil && bytes.Equal(text, f.had.junit())
	case filepath.Ext(name) == ".html":
		return isSealed(text)
	}
	return filepath.Ext(name) == ".json" && search.CheckCaseFile(f.path(name)) == nil
}

func (f *Folder) path(name string) string { return filepath.Join(f.dir, name) }

// kept is what an earlier grading found of a submission, if that was of the same assignment, the same
// files and this program, and came to an end.
func (f *Folder) kept(r *Grades, s Submission) (Graded, bool) {
	if f == nil || f.again || f.had == nil || f.had.Assignment != r.Assignment || f.had.Program != r.Program || f.had.Sandbox != r.Sandbox {
		return Graded{}, false
	}
	i := slices.IndexFunc(f.had.Graded, func(g Graded) bool {
		return g.Name == s.Name && g.SHA256 == s.SHA256 && g.Command == s.Program && !g.Inconclusive
	})
	if i < 0 || !f.owns(s.Name+".html") {
		return Graded{}, false
	}
	return f.had.Graded[i], true
}

// add writes the page of a submission, unless an earlier one was kept, and then the points so far. What
// the tables of an earlier grading say is no longer true by then.
func (f *Folder) add(r *Grades, g *Graded, kept bool) error {
	if f == nil {
		return nil
	}
	if err := os.MkdirAll(f.dir, 0o755); err != nil {
		return err
	}
	for _, name := range []string{PointsCSV, JUnitXML} {
		if err := os.Remove(f.path(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if !kept {
		if _, err := wholefile.Write(f.path(g.Name+".html"), sealed(page(r, g))); err != nil {
			return err
		}
	}
	return f.write(PointsJSON, r.JSON())
}

// keep keeps a case.
func (f *Folder) keep(name string, c search.Case) (file string, err error) {
	if err = os.MkdirAll(f.dir, 0o755); err == nil {
		err = c.Write(f.path(name))
	}
	return f.path(name), err
}

// end writes the tables.
func (f *Folder) end(r *Grades) error {
	if f == nil || len(r.Graded) == 0 {
		return nil
	}
	if err := f.write(PointsCSV, r.CSV()); err != nil {
		return err
	}
	return f.write(JUnitXML, r.junit())
}

func (f *Folder) write(name string, text []byte) error {
	_, err := wholefile.Write(f.path(name), text)
	return err
}

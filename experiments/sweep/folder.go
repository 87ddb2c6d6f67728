package sweep

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bullring/experiments/journal"
	"bullring/experiments/report"
	"bullring/experiments/results"
	"bullring/experiments/spec"
	"bullring/internal/regular"
)

// ScriptsDir is the folder of the scripts for Slurm. It always holds MergeScript, which
// joins the shards.
const (
	ScriptsDir  = "slurm"
	MergeScript = "merge.sh"
)

// claim creates the folder, unless it holds results of another sweep.
func (s *Sweep) claim() error {
	if err := s.fitsFolder(); err != nil {
		return err
	}
	if err := os.MkdirAll(s.Dir, 0o755); err != nil {
		return fmt.Errorf("the folder for the results: %w", err)
	}
	return nil
}

// fitsFolder returns an error if the folder holds other files, or results of another sweep.
func (s *Sweep) fitsFolder() error {
	if err := s.isResultsFolder(); err != nil {
		return err
	}
	const advice = "give another directory, or remove this one"
	same, err := s.isKept()
	if same || err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(s.Dir, results.SpecFile)); err == nil {
		kept, err := results.Open(s.Registry, s.Dir)
		if err != nil {
			return fmt.Errorf("%s holds the results of another sweep: %w; %s", s.Dir, err, advice)
		}
		if kept.TrialsHash() != s.trialsHash() {
			return fmt.Errorf("%s holds the results of another sweep, or of an earlier version of this one with other trials: %s; %s", s.Dir, results.OtherTrials(kept.Spec, s.Spec), advice)
		}
		return s.fitsIncluded(kept)
	}
	for _, name := range []string{results.ResultsFile, results.ManifestFile, results.SummaryFile, results.GrowthFile} {
		if _, err := os.Stat(filepath.Join(s.Dir, name)); err == nil {
			return fmt.Errorf("%s holds a %s, but no %s that tells what it belongs to; %s", s.Dir, name, results.SpecFile, advice)
		}
	}
	return s.fitsIncluded(nil)
}

// isKept reports whether the folder holds this sweep byte by byte. The included file may be
// missing: it is written last.
func (s *Sweep) isKept() (bool, error) {
	same := false
	for _, of := range s.sources() {
		present, err := regular.Read(filepath.Join(s.Dir, of.kept), spec.MaxFile)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil || !bytes.Equal(present, of.text):
			return false, err
		}
		same = same || of.kept == results.SpecFile
	}
	return same, nil
}

// fitsIncluded returns an error if another file has the name of the included file, and does
// not belong to the results in the folder. kept is nil if there are none.
func (s *Sweep) fitsIncluded(kept *results.Folder) error {
	in := s.Spec.Included
	if in == nil || kept != nil && kept.Spec.Included != nil && kept.Spec.Included.Name == in.Name {
		return nil
	}
	present, err := regular.Read(filepath.Join(s.Dir, in.Name), spec.MaxFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil && !bytes.Equal(present, in.Text):
		err = fmt.Errorf("%s holds a %s that differs from %s; give another directory, or remove that file", s.Dir, in.Name, in.File)
	}
	return err
}

// source is a file that a sweep is read from, and its name in the folder of results.
type source struct {
	file, kept string
	text       []byte
}

// sources are the file of the sweep and the file that it includes.
func (s *Sweep) sources() []source {
	list := []source{{s.File, results.SpecFile, s.Text}}
	if in := s.Spec.Included; in != nil {
		list = append(list, source{in.File, in.Name, in.Text})
	}
	return list
}

// ownFiles are the names of the files that a sweep writes, without its journal and its
// figures.
func (s *Sweep) ownFiles() []string {
	return slices.Concat(results.TableFiles(s.Spec), results.DocumentFiles, []string{results.ManifestFile})
}

// isResultsFolder returns an error if the folder holds files, and nothing shows that
// bullring has written there. Hidden files do not count.
func (s *Sweep) isResultsFolder() error {
	entries, err := os.ReadDir(s.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the folder for the results: %w", err)
	}
	var strange []string
	for _, e := range entries {
		name := e.Name()
		_, shard := shardOfFile(name)
		hidden := strings.HasPrefix(name, ".")
		if hidden || (shard || name == JournalFile) && journal.Begun(filepath.Join(s.Dir, name)) {
			continue
		}
		strange = append(strange, name)
	}
	if len(strange) == 0 || s.hasWritten() {
		return nil
	}
	return fmt.Errorf("%s is no folder of results: it holds %s, and nothing shows that bullring has written there; give another directory, or an empty one", s.Dir, results.SomeOf(strange))
}

// hasWritten reports whether something in the folder shows that bullring has written there.
func (s *Sweep) hasWritten() bool {
	if _, err := results.ReadManifest(s.Dir); err == nil {
		return true
	}
	if results.Claimed(s.Dir) || beginningOf(filepath.Join(s.Dir, JournalFile)) != nil || s.hasTables() || s.hasScripts() {
		return true
	}
	files, _ := shardFiles(s.Dir)
	for _, file := range files {
		if beginningOf(file) != nil {
			return true
		}
	}
	return false
}

// hasTables reports whether the folder holds a spec and a table that begins as results.csv
// does. The manifest may be damaged.
func (s *Sweep) hasTables() bool {
	_, err := os.Lstat(filepath.Join(s.Dir, results.SpecFile))
	return err == nil && beginsWith(filepath.Join(s.Dir, results.ResultsFile), results.RowColumn.Header()+",algorithm,")
}

// hasScripts reports whether the folder holds scripts for Slurm of this sweep.
func (s *Sweep) hasScripts() bool {
	return beginsWith(filepath.Join(s.Dir, ScriptsDir, MergeScript), "#!/bin/bash\n#SBATCH --job-name="+s.Spec.Name+"-merge\n")
}

// beginsWith reports whether a regular file begins with a text.
func beginsWith(path, text string) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	file, err := regular.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	head, _ := bufio.NewReaderSize(file, len(text)).Peek(len(text))
	return string(head) == text
}

// takeFolder locks the folder for this process. A shard locks its journal only.
func (s *Sweep) takeFolder() (*results.Claims, error) {
	if s.Shard.partial() {
		return nil, nil
	}
	var adopt []string // files of an unfinished sweep in a folder of an earlier version
	if beginningOf(filepath.Join(s.Dir, JournalFile)) != nil || s.hasTables() {
		adopt = s.existingFiles()
	}
	c, err := results.OpenClaims(s.Dir, adopt)
	if err != nil {
		return nil, err
	}
	c.Replace = s.Again
	return c, nil
}

// existingFiles are the sweep's own files that exist. A page that bullring did not write is
// none: the first versions wrote no page.
func (s *Sweep) existingFiles() []string {
	var names []string
	for _, name := range s.ownFiles() {
		if _, err := os.Lstat(filepath.Join(s.Dir, name)); err == nil && (name != results.ReportFile || report.CheckFile(filepath.Join(s.Dir, name)) == nil) {
			names = append(names, name)
		}
	}
	return names
}

// isTidy reports whether no journal and no temporary file is left by a process that was
// killed at the very end of a sweep.
func (s *Sweep) isTidy() bool {
	_, err := os.Lstat(filepath.Join(s.Dir, JournalFile))
	return err != nil && len(results.StaleFiles(s.Dir, s.allFiles())) == 0
}

// tidy removes the journal and the temporary files.
func (s *Sweep) tidy(c *results.Claims) error {
	err := c.RemoveStale(s.allFiles())
	path := filepath.Join(s.Dir, JournalFile)
	if !journal.Begun(path) { // no journal, or not one of bullring
		return err
	}
	j, _, openErr := journal.Open(path, func(int64, []byte) error { return nil })
	if openErr != nil {
		return errors.Join(err, openErr)
	}
	return errors.Join(err, j.Remove())
}

// allFiles are the sweep's own files and its figures. Each is first written under a
// temporary name.
func (s *Sweep) allFiles() []string {
	return append(s.ownFiles(), results.FigureFiles(s.Spec)...)
}

// folder returns the folder of the sweep. Its rows may have labels of an earlier version.
func (s *Sweep) folder(cells []spec.Cell) *results.Folder {
	return &results.Folder{Registry: s.Registry, Dir: s.Dir, Text: s.Text, Spec: s.Spec, Cells: cells, Relabelled: true}
}

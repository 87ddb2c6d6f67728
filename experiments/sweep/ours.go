package sweep

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bullring/experiments/journal"
	"bullring/experiments/results"
	"bullring/internal/regular"
)

// The scripts for Slurm stand in a folder of their own. One that joins the shards is
// always among them.
const (
	ScriptsDir  = "slurm"
	MergeScript = "merge.sh"
)

// ownFiles are the names that a sweep gives to files in its folder, but for its
// journal and its figures.
func (s *Sweep) ownFiles() []string {
	names := slices.Concat([]string{results.SpecFile, results.ResultsFile, results.SummaryFile, results.GrowthFile}, results.DocumentFiles)
	if in := s.Spec.Included; in != nil {
		names = append(names, in.Name)
	}
	if len(s.Spec.Compare) > 0 {
		names = append(names, results.DifferencesFile)
	}
	return names
}

// isOurs reports why the folder is none for results: something stands there, and
// nothing tells that bullring has written there before. Hidden files are not counted.
func (s *Sweep) isOurs() error {
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
	return fmt.Errorf("%s is no folder of results: it holds %s, and nothing tells that bullring has written there; give another directory, or an empty one", s.Dir, results.SomeOf(strange))
}

// hasWritten reports whether the folder tells that bullring has written there.
func (s *Sweep) hasWritten() bool {
	if _, err := results.ReadManifest(s.Dir); err == nil {
		return true
	}
	if claimed(s.Dir) || beginningOf(filepath.Join(s.Dir, JournalFile)) != nil || s.hasTables() || s.hasScripts() {
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

// claimed reports whether the list of claims of a folder names a file.
func claimed(dir string) bool {
	c := &results.Claims{Dir: dir, Own: map[string]bool{}, Open: map[string]bool{}}
	_, err := journal.Scan(filepath.Join(dir, results.ClaimsFile), func(_ int64, body []byte) error { return c.Enter(body) })
	return err == nil && len(c.Own) > 0
}

// hasTables reports whether results are there: a spec, and a table that begins as all
// do. The manifest beside them may be damaged.
func (s *Sweep) hasTables() bool {
	_, err := os.Lstat(filepath.Join(s.Dir, results.SpecFile))
	return err == nil && beginsWith(filepath.Join(s.Dir, results.ResultsFile), results.RowColumn.Header()+",algorithm,")
}

// hasScripts reports whether the scripts that [Slurm] writes are there.
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

// hold takes the folder for this process; a shard needs no more than its journal.
func (s *Sweep) hold() (*results.Claims, error) {
	if s.Shard.partial() {
		return nil, nil
	}
	var adopt []string // of a folder of an earlier version, in which a sweep was under way
	if beginningOf(filepath.Join(s.Dir, JournalFile)) != nil || s.hasTables() {
		adopt = s.present()
	}
	c, err := results.OpenClaims(s.Dir, adopt)
	if err != nil {
		return nil, err
	}
	c.Replace = s.Again
	return c, nil
}

// present are the sweep's own files that are there.
func (s *Sweep) present() []string {
	var names []string
	for _, name := range s.ownFiles() {
		if _, err := os.Lstat(filepath.Join(s.Dir, name)); err == nil {
			names = append(names, name)
		}
	}
	return names
}

// isTidy reports whether a process that was killed at the very end of a sweep has left
// nothing that can go.
func (s *Sweep) isTidy() bool {
	_, err := os.Lstat(filepath.Join(s.Dir, JournalFile))
	return err != nil && len(results.StaleFiles(s.Dir, s.temporary())) == 0
}

// tidy removes it.
func (s *Sweep) tidy(c *results.Claims) error {
	err := c.RemoveStale(s.temporary())
	path := filepath.Join(s.Dir, JournalFile)
	if !journal.Begun(path) { // there is none, or it is not ours
		return err
	}
	j, _, openErr := journal.Open(path, func(int64, []byte) error { return nil })
	if openErr != nil {
		return errors.Join(err, openErr)
	}
	return errors.Join(err, j.Remove())
}

// temporary are the files of the folder that are written under another name first.
func (s *Sweep) temporary() []string {
	return append(s.ownFiles(), results.FigureFiles(s.Spec.Figures)...)
}

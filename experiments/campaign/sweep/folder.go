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

	"bullring/experiments/campaign/journal"
	"bullring/experiments/campaign/report"
	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/spec"
	"bullring/internal/regular"
)

// ScriptsDir is the folder of the scripts for Slurm. It always holds MergeScript, which
// joins the shards.
const (
	ScriptsDir  = "slurm"
	MergeScript = "merge.sh"
)

// target is the folder that a sweep writes to.
type target struct {
	*Source
	dir   string
	shard Shard
	again bool // replace what is there
}

// claim creates the folder, unless it holds results of another sweep.
func (to target) claim() error {
	if err := to.fitsFolder(); err != nil {
		return err
	}
	if err := os.MkdirAll(to.dir, 0o755); err != nil {
		return fmt.Errorf("the folder for the results: %w", err)
	}
	return nil
}

// fitsFolder returns an error if the folder holds other files, or results that cannot be
// read. They may be those of another sweep: see growthOf.
func (to target) fitsFolder() error {
	if err := to.isResultsFolder(); err != nil {
		return err
	}
	same, err := to.isKept()
	if same || err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(to.dir, results.SpecFile)); err == nil {
		kept, err := results.Open(to.Registry, to.dir)
		if err != nil {
			return fmt.Errorf("%s holds the results of another sweep: %w; %s", to.dir, err, otherDirectory)
		}
		return to.fitsIncluded(kept)
	}
	for _, name := range []string{results.ResultsFile, results.ManifestFile, results.SummaryFile, results.GrowthFile} {
		if _, err := os.Stat(filepath.Join(to.dir, name)); err == nil {
			return fmt.Errorf("%s holds a %s, but no %s that tells what it belongs to; %s", to.dir, name, results.SpecFile, otherDirectory)
		}
	}
	return to.fitsIncluded(nil)
}

// isKept reports whether the folder holds this sweep byte by byte. The included file may be
// missing: it is written last.
func (to target) isKept() (bool, error) {
	same := false
	for _, of := range to.sources() {
		present, err := regular.Read(filepath.Join(to.dir, of.kept), spec.MaxFile)
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

// fitsShards returns an error if the folder holds shards that do not fit the attempt. It
// reads the first shard only: a folder on a cluster may have a thousand, and as many tasks
// that start at once. Shards of an earlier version do not count if they were joined.
func (to target) fitsShards(self attempt) error {
	files, err := shardFiles(to.dir)
	if err != nil {
		return err
	}
	for _, file := range files {
		other := beginningOf(file)
		if other == nil || filepath.Base(file) == to.shard.journalFile() || to.joined(other, self.Header) {
			continue
		}
		const advice = "give another directory, or remove the shards that are there"
		if to.shard.partial() && other.Shard.Of != to.shard.Of {
			return fmt.Errorf("%s is a part of %d, and shard %v is not; %s", file, other.Shard.Of, to.shard, advice)
		}
		twin := *other
		twin.Shard = self.Shard
		if text := twin.mismatch(to.Registry, &self); text != "" {
			return fmt.Errorf("%s is there, but %s; %s", file, text, advice)
		}
		return nil
	}
	return nil
}

// joined reports whether an attempt of a shard ran trials of an earlier version of the
// sweep, whose complete tables are in the folder.
func (to target) joined(a *attempt, header string) bool {
	m, err := results.ReadManifest(to.dir)
	return err == nil && m.Complete && !to.describes(m, header) && m.Hash == trialsOf(to.Registry, a)
}

// fitsIncluded returns an error if another file has the name of the included file, and does
// not belong to the results in the folder. kept is nil if there are none.
func (to target) fitsIncluded(kept *results.Folder) error {
	in := to.Spec.Included
	if in == nil || kept != nil && kept.Spec.Included != nil && kept.Spec.Included.Name == in.Name {
		return nil
	}
	present, err := regular.Read(filepath.Join(to.dir, in.Name), spec.MaxFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil && !bytes.Equal(present, in.Text):
		err = fmt.Errorf("%s holds a %s that differs from %s; give another directory, or remove that file", to.dir, in.Name, in.File)
	}
	return err
}

// ownFiles are the names of the files that a sweep writes, without its journal, its
// figures and its tables for a paper.
func (to target) ownFiles() []string {
	return slices.Concat(results.TableFiles(to.Spec), results.DocumentFiles, []string{results.ManifestFile})
}

// isResultsFolder returns an error if the folder holds files, and nothing shows that
// bullring has written there. Hidden files do not count.
func (to target) isResultsFolder() error {
	entries, err := os.ReadDir(to.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the folder for the results: %w", err)
	}
	var strange []string
	for _, e := range entries {
		name := e.Name()
		_, shard := shardOfFile(name)
		hidden := strings.HasPrefix(name, ".")
		if hidden || (shard || name == JournalFile) && journal.Begun(filepath.Join(to.dir, name)) {
			continue
		}
		strange = append(strange, name)
	}
	if len(strange) == 0 || to.hasWritten() {
		return nil
	}
	return fmt.Errorf("%s is no folder of results: it holds %s, and nothing shows that bullring has written there; give another directory, or an empty one", to.dir, results.SomeOf(strange))
}

// hasWritten reports whether something in the folder shows that bullring has written there.
func (to target) hasWritten() bool {
	if _, err := results.ReadManifest(to.dir); err == nil {
		return true
	}
	if results.Claimed(to.dir) || beginningOf(filepath.Join(to.dir, JournalFile)) != nil || to.hasTables() || to.hasScripts() {
		return true
	}
	files, _ := shardFiles(to.dir)
	for _, file := range files {
		if beginningOf(file) != nil {
			return true
		}
	}
	return false
}

// hasTables reports whether the folder holds a spec and a table that begins as results.csv
// does. The manifest may be damaged.
func (to target) hasTables() bool {
	_, err := os.Lstat(filepath.Join(to.dir, results.SpecFile))
	return err == nil && beginsWith(filepath.Join(to.dir, results.ResultsFile), results.RowColumn.Header()+",algorithm,")
}

// hasScripts reports whether the folder holds scripts for Slurm of this sweep.
func (to target) hasScripts() bool {
	return beginsWith(filepath.Join(to.dir, ScriptsDir, MergeScript), "#!/bin/bash\n#SBATCH --job-name="+to.Spec.Name+"-merge\n")
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

// take locks the folder for this process. A shard locks its journal only.
func (to target) take() (*results.Claims, error) {
	if to.shard.partial() {
		return nil, nil
	}
	var adopt []string // files of an unfinished sweep in a folder of an earlier version
	if beginningOf(filepath.Join(to.dir, JournalFile)) != nil || to.hasTables() {
		adopt = to.existingFiles()
	}
	c, err := results.OpenClaims(to.dir, adopt)
	if err != nil {
		return nil, err
	}
	c.Replace = to.again
	return c, nil
}

// existingFiles are the sweep's own files that exist. A page that bullring did not write is
// none: the first versions wrote no page.
func (to target) existingFiles() []string {
	var names []string
	for _, name := range to.ownFiles() {
		if _, err := os.Lstat(filepath.Join(to.dir, name)); err == nil && (name != results.ReportFile || report.CheckFile(filepath.Join(to.dir, name)) == nil) {
			names = append(names, name)
		}
	}
	return names
}

// isTidy reports whether no journal and no temporary file is left by a process that was
// killed at the very end of a sweep.
func (to target) isTidy() bool {
	_, err := os.Lstat(filepath.Join(to.dir, JournalFile))
	return err != nil && len(results.StaleFiles(to.dir, to.temporary())) == 0
}

// tidy removes the journal and the temporary files.
func (to target) tidy(c *results.Claims) error {
	err := c.RemoveStale(to.temporary())
	path := filepath.Join(to.dir, JournalFile)
	if !journal.Begun(path) { // no journal, or not one of bullring
		return err
	}
	j, _, openErr := journal.Open(path, func(int64, []byte) error { return nil })
	if openErr != nil {
		return errors.Join(err, openErr)
	}
	return errors.Join(err, j.Remove())
}

// allFiles are the sweep's own files, its figures and its tables for a paper.
func (to target) allFiles() []string {
	return slices.Concat(to.ownFiles(), results.FigureFiles(to.Spec), results.PaperFiles(to.Spec))
}

// temporary are the files that are first written under a temporary name. A journal is if it
// takes the trials of another one.
func (to target) temporary() []string { return append(to.allFiles(), JournalFile) }

// folder returns the folder of the sweep. Its rows may have labels of an earlier version.
func (to target) folder(cells []spec.Cell) *results.Folder {
	return &results.Folder{Registry: to.Registry, Dir: to.dir, Text: to.Text, Spec: to.Spec, Cells: cells, Relabelled: true}
}

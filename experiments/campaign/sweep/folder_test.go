package sweep_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"bullring/experiments/campaign/cluster"
	"bullring/experiments/campaign/figures"
	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/sweep"
	"bullring/experiments/campaign/verify"
	"bullring/experiments/internal/sweeptest"
)

// put writes files, by path below a folder, which is made.
func put(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// everything is all that stands below a folder, links as what they point to.
func everything(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	if err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.Type()&fs.ModeSymlink != 0:
			all[path], err = os.Readlink(path)
		case e.Type().IsRegular():
			var text []byte
			text, err = os.ReadFile(path)
			all[path] = string(text)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

// writers are all that writes into a folder of results.
func writers(t testing.TB, text string) map[string]func(dir string) error {
	r := sweeptest.Registry(sweeptest.Triangle)
	parts := t.TempDir()
	part := sweeptest.Sweep(t, r, text)
	part.Dir, part.Shard = parts, sweep.Shard{Index: 0, Of: 2}
	sweeptest.Run(t, part)
	part.Shard.Index = 1
	sweeptest.Run(t, part)
	in := func(dir string, change func(*sweep.Sweep)) *sweep.Sweep {
		s := sweeptest.Sweep(t, r, text)
		s.Dir = dir
		change(s)
		return s
	}
	runs := func(change func(*sweep.Sweep)) func(string) error {
		return func(dir string) error {
			_, err := in(dir, change).Run(t.Context())
			return err
		}
	}
	return map[string]func(string) error{
		"sweep": runs(func(*sweep.Sweep) {}),
		"again": runs(func(s *sweep.Sweep) { s.Again = true }),
		"shard": runs(func(s *sweep.Sweep) { s.Shard = sweep.Shard{Index: 1, Of: 3} }),
		"merge": func(dir string) error {
			s, err := (&sweep.Join{Registry: r, Paths: []string{parts}, Dir: dir}).Sweep()
			if err == nil {
				_, err = s.Run(t.Context())
			}
			return err
		},
		"slurm": func(dir string) error {
			_, err := (&cluster.Slurm{Sweep: in(dir, func(*sweep.Sweep) {}), Program: "/bin/true", Tasks: 2}).Write()
			return err
		},
		"dry run": func(dir string) error {
			e, err := in(dir, func(*sweep.Sweep) {}).Estimate(t.Context(), 0)
			if err == nil {
				err = e.Refused
			}
			return err
		},
	}
}

// A folder in which something stands that bullring did not write is no folder for
// results, whatever is to be written there, and stays as it is.
func TestForeignFoldersAreRefused(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"project":      {"README.md": "# mine", "figures/lines.png": "mine", "CITATION.cff": "mine", ".results.csv.1.tmp": "mine", ".x.tmp": "mine"},
		"journal":      {sweep.JournalFile: "dear diary"},
		"shard":        {"shard-1-of-3.journal": "dear diary"},
		"extension":    {results.ManifestFile: `{"manifest_version": 3, "name": "an extension"}`},
		"spec":         {results.SpecFile: sweeptest.Small, "README.md": "# mine"},
		"other tables": {results.SpecFile: sweeptest.Small, results.ResultsFile: "name,mark\n"},
		"own scripts":  {"slurm/merge.sh": "#!/bin/bash\n#SBATCH --job-name=other\n"},
	} {
		for what, write := range writers(t, sweeptest.Small) {
			dir := filepath.Join(t.TempDir(), "mine")
			put(t, dir, files)
			before := everything(t, dir)
			err := write(dir)
			if err == nil || !strings.Contains(err.Error(), dir+" is no folder of results: it holds ") || !strings.Contains(err.Error(), "give another directory") {
				t.Errorf("%s into %s: %v", what, name, err)
			}
			if !maps.Equal(everything(t, dir), before) {
				t.Errorf("%s into %s has changed it", what, name)
			}
		}
	}
}

// A foreign file of a journal's name, in a folder of results even, is neither cut nor
// written, and nothing is written through a link.
func TestForeignJournalsAreRefused(t *testing.T) {
	for what, write := range writers(t, sweeptest.Long) {
		name := sweep.JournalFile
		switch what {
		case "slurm", "dry run": // which write no journal
			continue
		case "shard":
			name = "shard-1-of-3.journal"
		}
		for _, link := range []bool{false, true} {
			s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), sweeptest.Long)
			if err := stopAfter(t, s, 30); err == nil {
				t.Fatal("it was not stopped")
			}
			path, target := filepath.Join(s.Dir, name), filepath.Join(t.TempDir(), "precious")
			os.Remove(path)
			put(t, filepath.Dir(target), map[string]string{"precious": strings.Repeat("mine ", 100)})
			place := os.Link
			if link {
				place = os.Symlink
			}
			if err := place(target, path); err != nil {
				t.Skip("no links here: ", err)
			}
			err := write(s.Dir)
			if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "no journal of bullring") && !strings.Contains(err.Error(), "no regular file") {
				t.Errorf("%s, link %v: %v", what, link, err)
			}
			if text, _ := os.ReadFile(target); string(text) != strings.Repeat("mine ", 100) {
				t.Errorf("%s, link %v: the file was changed to %q", what, link, text)
			}
		}
	}
}

// In a folder of results, what bullring did not write stays, or is in the way; so does
// what was changed since. When all is run again, only the files of their author stay.
func TestForeignFilesInAFolderOfResults(t *testing.T) {
	r := sweeptest.Registry(sweeptest.Triangle)
	s := sweeptest.Sweep(t, r, sweeptest.Small)
	sweeptest.Run(t, s)
	figure, readme, table := filepath.Join(s.Dir, "figures", "lines.pdf"), filepath.Join(s.Dir, results.ReadmeFile), filepath.Join(s.Dir, results.TableFile)
	own := map[string]string{"notes.txt": "mine", ".notes.1.tmp": "mine", "figures/other.png": "mine", "figures/.lines.pdf.tmp": "mine"}
	put(t, s.Dir, own)
	put(t, s.Dir, map[string]string{"figures/lines.pdf": "mine"})
	if _, err := figures.Draw(r, s.Dir); err == nil || !strings.Contains(err.Error(), "figures/lines.pdf (not written by bullring)") {
		t.Errorf("a figure of its name: %v", err)
	}
	if err := os.Remove(figure); err != nil {
		t.Fatal(err)
	}
	put(t, s.Dir, map[string]string{results.TableFile: "my table", results.ReadmeFile: "my notes", ".results.csv.123.tmp": "left", "figures/.lines.png.7.tmp": "left"})
	s.Again = true
	sweeptest.Run(t, s)
	if _, err := figures.Draw(r, s.Dir); err != nil {
		t.Errorf("after all was run again: %v", err)
	}
	now := everything(t, s.Dir)
	if now[readme] != "my notes" {
		t.Errorf("the notes are %q", now[readme])
	}
	if now[table] == "my table" || now[filepath.Join(s.Dir, ".results.csv.123.tmp")] != "" || now[filepath.Join(s.Dir, "figures/.lines.png.7.tmp")] != "" {
		t.Error("what is bullring's was not replaced, or not removed")
	}
	for name, text := range own {
		if now[filepath.Join(s.Dir, name)] != text {
			t.Errorf("%s is now %q", name, now[filepath.Join(s.Dir, name)])
		}
	}
}

// A file that appears while a sweep runs is not replaced when it ends; the trials are
// kept until the file is out of the way.
func TestFileInTheWayAtTheEnd(t *testing.T) {
	s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), sweeptest.Small)
	var once sync.Once
	s.Progress = func(sweep.Progress) {
		once.Do(func() { put(t, s.Dir, map[string]string{results.CitationFile: "mine"}) })
	}
	_, err := s.Run(t.Context())
	if e, ok := errors.AsType[*sweep.WriteError](err); !ok || e.Gone || !strings.Contains(err.Error(), "CITATION.cff (not written by bullring)") {
		t.Fatal(err)
	}
	path := filepath.Join(s.Dir, results.CitationFile)
	if text, _ := os.ReadFile(path); string(text) != "mine" {
		t.Errorf("the file is now %q", text)
	}
	s.Progress = nil
	if _, err := s.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "CITATION.cff") {
		t.Errorf("it is still there: %v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if report := sweeptest.Run(t, s); report.Stored != report.Done || report.Done != report.Trials {
		t.Errorf("of %d trials %d were kept", report.Done, report.Stored)
	}
}

// Folders of versions that had no list of what they wrote, stopped, killed while they
// wrote, complete, and with a manifest that is damaged.
func TestFoldersOfEarlierVersions(t *testing.T) {
	r := sweeptest.Registry(sweeptest.Triangle)
	whole := sweeptest.Sweep(t, r, sweeptest.Long)
	sweeptest.Run(t, whole)
	want := contents(t, whole.Dir)
	forget := func(s *sweep.Sweep, names ...string) {
		for _, name := range append(names, results.ClaimsFile) {
			if err := os.Remove(filepath.Join(s.Dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for what, lacking := range map[string][]string{"stopped": nil, "killed": {results.ManifestFile, results.ReadmeFile}} {
		s := sweeptest.Sweep(t, r, sweeptest.Long)
		if err := stopAfter(t, s, 30); err == nil {
			t.Fatal("it was not stopped")
		}
		forget(s, lacking...)
		s.Progress = nil
		if report := sweeptest.Run(t, s); report.Stored < 30 || !maps.Equal(contents(t, s.Dir), want) {
			t.Errorf("%s: %d trials were kept, or the tables differ", what, report.Stored)
		}
	}
	forget(whole)
	if !sweeptest.Run(t, whole).Already {
		t.Error("a complete one was run again")
	}
	if _, err := os.Stat(filepath.Join(whole.Dir, results.ClaimsFile)); err == nil {
		t.Error("nothing was to be written, and something was")
	}
	for range 2 {
		if _, err := figures.Draw(r, whole.Dir); err != nil {
			t.Errorf("a complete one: %v", err)
		}
	}
	for _, known := range []bool{true, false} {
		put(t, whole.Dir, map[string]string{results.ManifestFile: "{"})
		if !known {
			forget(whole)
		}
		whole.Again = true
		if sweeptest.Run(t, whole); !maps.Equal(contents(t, whole.Dir), want) {
			t.Error("with a damaged manifest, the tables differ")
		}
	}
}

// Of several that write one folder at once one works and the others say so, also when
// the one before has just finished and removed its journal.
func TestOneAtATime(t *testing.T) {
	for what, write := range writers(t, sweeptest.Small) {
		if what == "shard" || what == "dry run" {
			continue
		}
		dir := filepath.Join(t.TempDir(), "out")
		var worked, refused atomic.Int64
		var group sync.WaitGroup
		for range 3 {
			group.Go(func() {
				for range 3 {
					switch err := write(dir); {
					case err == nil:
						worked.Add(1)
					case strings.Contains(err.Error(), dir+" is being written by another bullring: wait until it has finished"):
						refused.Add(1)
					default:
						t.Errorf("%s: %v", what, err)
					}
				}
			})
		}
		group.Wait()
		if worked.Load() == 0 {
			t.Errorf("%s: none of %d worked", what, refused.Load())
		}
		if left, _ := filepath.Glob(filepath.Join(dir, ".*.tmp")); left != nil {
			t.Errorf("%s has left %v", what, left)
		}
		if what == "slurm" {
			continue
		}
		if _, err := os.Stat(filepath.Join(dir, sweep.JournalFile)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s has left its journal: %v", what, err)
		}
		v, err := (&verify.Verifier{Registry: sweeptest.Registry(sweeptest.Triangle), Path: dir}).Run(t.Context())
		if err != nil || !v.Identical() {
			t.Errorf("%s: %v, %+v", what, err, v)
		}
	}
}

// While one works, no other begins.
func TestNoOtherBegins(t *testing.T) {
	for what, write := range writers(t, sweeptest.Small) {
		if what == "dry run" {
			continue
		}
		s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), sweeptest.Small)
		var once sync.Once
		var err error
		s.Progress = func(sweep.Progress) { once.Do(func() { err = write(s.Dir) }) }
		sweeptest.Run(t, s)
		if shard := what == "shard"; shard != (err == nil) || !shard && !strings.Contains(fmt.Sprint(err), "is being written by another bullring") {
			t.Errorf("%s beside a sweep: %v", what, err)
		}
	}
}

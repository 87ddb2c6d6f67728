package results_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bullring/experiments/campaign/results"
	"bullring/experiments/internal/sweeptest"
)

// claims takes the folder of a sweep until the test ends.
func claims(t *testing.T, dir string) *results.Claims {
	t.Helper()
	c, err := results.OpenClaims(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// What bullring did not write is in the way, and so is what was changed since; its own is not.
func TestWhatIsInTheWay(t *testing.T) {
	s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), sweeptest.Tiny)
	sweeptest.Run(t, s)
	in := func(name string) string { return filepath.Join(s.Dir, filepath.FromSlash(name)) }
	c := claims(t, s.Dir)
	if err := c.Free([]string{results.ResultsFile, results.TableFile, results.ManifestFile, "figures/f.png", "new.csv"}); err != nil {
		t.Errorf("its own files: %v", err)
	}
	write(t, in("figures/mine.png"), "mine")
	write(t, in("notes"), "mine")
	write(t, in(results.TableFile), "changed")
	if err := os.Mkdir(in("figures/f.pdf"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"figures/mine.png": "figures/mine.png (not written by bullring)",
		"notes/f.png":      "notes (not a folder)",
		"figures/f.pdf":    "figures/f.pdf (not a regular file)",
		results.TableFile:  "summary.tex (changed since bullring wrote it)",
	} {
		if _, err := c.Take([]string{name}); err == nil || err.Error() != "in "+s.Dir+" bullring does not replace "+want+": move it away, or give another directory" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := c.Free([]string{"figures/mine.png", "notes/f.png", "figures/f.pdf", results.TableFile, "notes"}); err == nil || !strings.Contains(err.Error(), " and 2 more: move it away") {
		t.Errorf("five files: %v", err)
	}

	write(t, in(results.ReadmeFile), "my notes")
	c.Replace = true // files that were changed, but not those of an author
	if kept, err := c.Take([]string{results.TableFile, results.ReadmeFile}); err != nil || strings.Join(kept, " ") != results.ReadmeFile {
		t.Errorf("kept is %q, %v", kept, err)
	}
	if kept := results.Kept(s.Dir); strings.Join(kept, " ") != results.ReadmeFile {
		t.Errorf("changed by their author are %q", kept)
	}
	write(t, in(results.TableFile), "half written")
	c.Replace = false
	if err := c.Free([]string{results.TableFile}); err != nil {
		t.Errorf("a file that is being written: %v", err)
	}
	if err := c.Settle(); err != nil {
		t.Fatal(err)
	}
	if err := c.Free([]string{results.TableFile}); err == nil {
		t.Error("a file that is not as the manifest says is replaced")
	}
}

// Temporary files of a killed process are removed, and no others; one process at a time writes.
func TestStaleFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{".a.csv.12.tmp", "figures/.f.png.7.tmp", ".notes.1.tmp", "figures/.a.csv.1.tmp"} {
		write(t, filepath.Join(dir, name), "left")
	}
	c := claims(t, dir)
	if err := c.RemoveStale([]string{"a.csv", "figures/f.png"}); err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, pattern := range []string{".*.tmp", "figures/.*.tmp"} {
		names, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			left = append(left, filepath.Base(name))
		}
	}
	if strings.Join(left, " ") != ".notes.1.tmp .a.csv.1.tmp" {
		t.Errorf("left are %q", left)
	}
	if _, err := results.OpenClaims(dir, nil); err == nil || !strings.Contains(err.Error(), "is being written by another bullring") {
		t.Errorf("a second process: %v", err)
	}
}

//go:build unix

package trial_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/sweep"
	"bullring/experiments/campaign/verify"
	"bullring/experiments/internal/sweeptest"
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
)

// Whatever stands in the place of a file that is read, a device without an end or a
// pipe without a writer, is refused at once.
func TestNoRegularFileIsRead(t *testing.T) {
	r := sweeptest.Registry(sweeptest.Triangle)
	dir := t.TempDir()
	s := sweeptest.Sweep(t, r, sweeptest.Small)
	s.Dir = dir
	sweeptest.Run(t, s)
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	readers := map[string]func() error{
		results.ManifestFile: func() error { _, err := results.ReadManifest(dir); return err },
		results.SpecFile:     func() error { _, err := verify.RowSetting(r, dir, 1); return err },
		results.ResultsFile:  func() error { _, err := verify.RowSetting(r, dir, 1); return err },
		results.SummaryFile: func() error {
			v, err := (&verify.Verifier{Registry: r, Path: dir, Workers: 1}).Run(context.Background())
			if err == nil && len(v.Damage) == 0 {
				return nil
			}
			return damage{v, err}
		},
		sweep.JournalFile: func() error { _, err := sweep.StatusOf(r, []string{dir}); return err },
		"case.json":       func() error { _, err := search.ReadCase(filepath.Join(dir, "case.json")); return err },
		"figure.svg": func() error {
			_, err := (&verify.Verifier{Registry: r, Path: filepath.Join(dir, "figure.svg")}).Run(context.Background())
			return err
		},
		"net.txt": func() error {
			_, err := r.Instance(trial.Setting{Algorithm: "ring", N: 3, Topology: trial.GraphFile + filepath.Join(dir, "net.txt")})
			return err
		},
	}
	for name, read := range readers {
		path := filepath.Join(dir, name)
		kept, _ := os.ReadFile(path)
		for target, kind := range map[string]string{"/dev/zero": "is a device", pipe: "is a pipe"} {
			os.Remove(path)
			if err := os.Symlink(target, path); err != nil {
				t.Fatal(err)
			}
			if err := read(); err == nil || !strings.Contains(err.Error(), kind) {
				t.Errorf("%s, %s: %v", name, target, err)
			}
		}
		os.Remove(path)
		if kept != nil {
			if err := os.WriteFile(path, kept, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// damage is what a verification finds, as an error.
type damage struct {
	*verify.Report
	error
}

func (d damage) Error() string {
	if d.error != nil {
		return d.error.Error()
	}
	return strings.Join(d.Damage, "\n")
}

// A row without an end does not fill the memory.
func TestEndlessRow(t *testing.T) {
	r := sweeptest.Registry(sweeptest.Triangle)
	s := sweeptest.Sweep(t, r, sweeptest.Small)
	sweeptest.Run(t, s)
	path := filepath.Join(s.Dir, results.ResultsFile)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(info.Size() + 1<<40); err != nil { // a hole
		t.Skip(err)
	}
	f.Close()
	_, err = verify.RowSetting(r, s.Dir, 1<<30)
	if err == nil || !strings.Contains(err.Error(), "a row has more than") {
		t.Error(err)
	}
}

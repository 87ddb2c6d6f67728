package sweep_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bullring/experiments/campaign/journal"
	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/sweep"
	"bullring/experiments/internal/sweeptest"
)

// status is the one sweep that the paths are of.
func status(t testing.TB, paths ...string) *sweep.Status {
	t.Helper()
	all, err := sweep.StatusOf(sweeptest.Registry(sweeptest.Triangle), paths)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 1 {
		t.Fatalf("%v are %d sweeps", paths, len(all))
	}
	return all[0]
}

func TestStatusOfASweep(t *testing.T) {
	s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), sweeptest.Long)
	if err := stopAfter(t, s, 100); err == nil {
		t.Fatal("it was not stopped")
	}
	got := status(t, s.Dir)
	if got.Complete || got.State != sweep.Stopped || got.Done < 100 || got.Done >= got.Trials || !got.Fixed || got.Of != 0 {
		t.Errorf("stopped: %+v", got)
	}
	trials, title := got.Trials, got.Title

	path := filepath.Join(s.Dir, sweep.JournalFile)
	j, _, err := journal.Open(path, func(int64, []byte) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	if now, known, _ := journal.Written(path); known && (!now || status(t, s.Dir).State != sweep.UnderWay) {
		t.Errorf("while somebody has it open: %+v", status(t, s.Dir))
	}
	// Half of a record is no damage while somebody writes.
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, info.Size()-3); err != nil {
		t.Fatal(err)
	}
	if _, known, _ := journal.Written(path); known && status(t, s.Dir).Damage != nil {
		t.Errorf("a record that is being written is damage: %+v", status(t, s.Dir))
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if got := status(t, s.Dir); len(got.Damage) != 1 || !strings.Contains(got.Damage[0], "are cut off") {
		t.Errorf("a torn end: %+v", got)
	}

	s.Progress = nil
	sweeptest.Run(t, s)
	got = status(t, s.Dir)
	if !got.Complete || got.State != sweep.Complete || got.Done != trials || got.Trials != trials || got.Title != title || got.Damage != nil {
		t.Errorf("complete: %+v", got)
	}
	if err := os.Truncate(filepath.Join(s.Dir, results.ResultsFile), 10); err != nil {
		t.Fatal(err)
	}
	if got := status(t, s.Dir); got.Complete || len(got.Damage) != 1 || !strings.Contains(got.Damage[0], "has 10 bytes") {
		t.Errorf("a table that is cut: %+v", got)
	}
}

func TestStatusOfShards(t *testing.T) {
	for name, text := range map[string]string{"fixed": sweeptest.Small, "until": stopping} {
		t.Run(name, func(t *testing.T) {
			dir, other := t.TempDir(), t.TempDir()
			done, most := 0, 0
			const of = 5
			for _, i := range []int{0, 3} {
				report := sweeptest.RunShard(t, dir, text, i, of)
				done, most = done+report.Done, most+report.Trials
			}
			got := status(t, dir)
			if got.Complete || got.State != sweep.Stopped || got.Missing != "1-2,4" || got.Of != of || got.Done != done || got.Fixed != (name == "fixed") {
				t.Errorf("two of five: %+v", got)
			}
			told := 0
			for _, p := range got.Shards {
				if p.State != sweep.Complete {
					t.Errorf("%+v", p)
				}
				told += p.Trials
			}
			if told != most {
				t.Errorf("the two have %d trials at most, and the reports say %d", told, most)
			}
			for _, i := range []int{1, 2, 4} {
				report := sweeptest.RunShard(t, other, text, i, of)
				done, most = done+report.Done, most+report.Trials
			}
			got = status(t, dir, other, other)
			if !got.Complete || got.Missing != "" || got.Done != done || got.Trials != most || len(got.Shards) != of || len(got.Paths) != 2 {
				t.Errorf("in two folders: %+v", got)
			}
			join(t, sweeptest.Registry(sweeptest.Triangle), dir, other)
			if got := status(t, dir); !got.Complete || got.Of != 0 || got.Done != done {
				t.Errorf("joined: %+v", got)
			}
		})
	}
}

func TestStatusOfWhatIsNotSound(t *testing.T) {
	r := sweeptest.Registry(sweeptest.Triangle)
	if _, err := sweep.StatusOf(r, []string{t.TempDir()}); err == nil || !strings.Contains(err.Error(), "holds nothing of a sweep") {
		t.Errorf("an empty folder: %v", err)
	}
	if _, err := sweep.StatusOf(r, []string{filepath.Join(t.TempDir(), "none")}); err == nil {
		t.Error("there is a status of what is not there")
	}

	dir := t.TempDir()
	for i := range 3 {
		sweeptest.RunShard(t, dir, sweeptest.Small, i, 3)
	}
	file := func(i, of int) string { return filepath.Join(dir, fmt.Sprintf("shard-%d-of-%d.journal", i, of)) }
	content, err := os.ReadFile(file(1, 3))
	if err != nil {
		t.Fatal(err)
	}
	content[len(content)/2] ^= 1
	if err := os.WriteFile(file(1, 3), content, 0o644); err != nil {
		t.Fatal(err)
	}
	got := status(t, dir)
	if got.Complete || got.Missing != "1" || len(got.Damage) != 1 || !strings.Contains(got.Damage[0], "damaged and left out") {
		t.Errorf("damage within: %+v", got)
	}
	if err := os.WriteFile(file(1, 3), nil, 0o644); err != nil { // a task that was killed at once
		t.Fatal(err)
	}
	all, err := sweep.StatusOf(r, []string{dir})
	if err != nil || len(all) != 1 || all[0].Missing != "1" || len(all[0].Damage) != 1 || len(all[0].Shards) != 3 {
		t.Errorf("an empty file: %v, %v", all, err)
	}
	alone := filepath.Join(t.TempDir(), "shard-4-of-9.journal")
	if err := os.WriteFile(alone, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if got := status(t, alone); got.Of != 9 || got.Missing != "0-8" || got.Name != "" {
		t.Errorf("an empty file alone: %+v", got)
	}
	if err := os.Remove(file(1, 3)); err != nil {
		t.Fatal(err)
	}
	other := t.TempDir()
	sweeptest.RunShard(t, other, sweeptest.Small, 1, 2) // of another division, put beside them
	if err := os.Rename(filepath.Join(other, "shard-1-of-2.journal"), filepath.Join(dir, "shard-1-of-2.journal")); err != nil {
		t.Fatal(err)
	}
	all, err = sweep.StatusOf(r, []string{dir})
	if err != nil || len(all) != 2 || all[0].Of+all[1].Of != 5 {
		t.Errorf("two divisions: %v, %v", all, err)
	}
}

// A sweep with an included file joins, and its folder can be read, wherever the file
// has gone.
func TestShardsOfASweepThatIncludes(t *testing.T) {
	from, dir := t.TempDir(), t.TempDir()
	text := "include: base.yaml\n" + strings.Replace(sweeptest.Small, "replicates: 7\n", "", 1)
	base := filepath.Join(from, "base.yaml")
	if err := os.WriteFile(base, []byte("replicates: 7\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	r := sweeptest.Registry(sweeptest.Triangle)
	file := filepath.Join(from, "small.yaml")
	parsed, err := results.ParseSpec(r, file, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		s := &sweep.Sweep{Source: sweep.Source{Registry: r, Spec: parsed, Text: []byte(text), File: file}, Dir: dir, Shard: sweep.Shard{Index: i, Of: 2}}
		sweeptest.Run(t, s)
	}
	if err := os.Remove(base); err != nil {
		t.Fatal(err)
	}
	if got := status(t, dir); !got.Complete {
		t.Errorf("%+v", got)
	}
	join(t, r, dir)
	whole := sweeptest.Sweep(t, r, sweeptest.Small)
	sweeptest.Run(t, whole)
	got, want := contents(t, dir), contents(t, whole.Dir)
	for _, name := range []string{results.ResultsFile, results.SummaryFile} {
		if got[name] != want[name] {
			t.Errorf("%s is another than that of the sweep in one file", name)
		}
	}
	// The same sweep with another included file is another sweep.
	if err := os.WriteFile(base, []byte("replicates: 6\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if parsed, err = results.ParseSpec(r, file, []byte(text)); err != nil {
		t.Fatal(err)
	}
	s := &sweep.Sweep{Source: sweep.Source{Registry: r, Spec: parsed, Text: []byte(text), File: file}, Dir: dir}
	if _, err := s.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "48 trials would be lost") {
		t.Errorf("it was run over the results of another: %v", err)
	}
}

package sweep_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/sweep"
	"bullring/experiments/internal/sweeptest"
	"bullring/experiments/trial"
)

// tables are the files of a sweep that are the same however it was run.
var tables = []string{results.SpecFile, results.ResultsFile, results.SummaryFile, results.GrowthFile}

// contents are these files.
func contents(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, name := range tables {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		all[name] = string(text)
	}
	return all
}

// stopping is a sweep of which every cell decides how many trials it takes.
var stopping = strings.Replace(sweeptest.Small, "replicates: 7", "replicates: {min: 3, max: 40, half_width: 10%, of: [messages, elected_time]}", 1)

// stopAfter runs the sweep and cancels it about when so many trials are done.
func stopAfter(t testing.TB, s *sweep.Sweep, trials int) error {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s.Progress = func(p sweep.Progress) {
		if p.Done >= trials {
			cancel()
		}
	}
	s.Clock = &sweeptest.Rushing{}
	_, err := s.Run(ctx)
	return err
}

func TestStoppedSweepGoesOn(t *testing.T) {
	for name, text := range map[string]string{"fixed": sweeptest.Long, "until": strings.Replace(stopping, "half_width: 10%", "half_width: 2%", 1)} {
		t.Run(name, func(t *testing.T) {
			whole := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), text)
			report := sweeptest.Run(t, whole)
			want := contents(t, whole.Dir)

			s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), text)
			stops := 0
			for done := 1; ; done += 150 {
				s.Workers = 1 + stops%3
				err := stopAfter(t, s, done)
				if err == nil {
					break
				}
				if _, ok := errors.AsType[*sweep.StoppedError](err); !ok {
					t.Fatal(err)
				}
				if _, err := os.Stat(filepath.Join(s.Dir, sweep.JournalFile)); err != nil {
					t.Fatalf("stopped without a journal: %v", err)
				}
				stops++
			}
			if stops < 3 {
				t.Errorf("it was stopped %d times", stops)
			}
			if got := contents(t, s.Dir); !maps.Equal(got, want) {
				t.Error("what was stopped and went on differs from what ran in one go")
			}
			if _, err := os.Stat(filepath.Join(s.Dir, sweep.JournalFile)); err == nil {
				t.Error("a complete sweep keeps its journal")
			}
			s.Progress = nil
			if err := os.WriteFile(filepath.Join(s.Dir, sweep.JournalFile), nil, 0o644); err != nil { // killed before it was removed
				t.Fatal(err)
			}
			again := sweeptest.Run(t, s)
			if _, err := os.Stat(filepath.Join(s.Dir, sweep.JournalFile)); err == nil {
				t.Error("a complete sweep keeps an old journal")
			}
			if !again.Already || again.Done != report.Done || fmt.Sprint(again.Outcomes, again.Checks) != fmt.Sprint(report.Outcomes, report.Checks) {
				t.Errorf("run again, it reports %+v; at first %+v", again, report)
			}
		})
	}
}

// Whatever became of the end of the journal, the sweep goes on with what is sound.
func TestDamagedJournal(t *testing.T) {
	text := strings.Replace(sweeptest.Small, "replicates: 7", "replicates: 100", 1)
	whole := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), text)
	sweeptest.Run(t, whole)
	want := contents(t, whole.Dir)
	chance := rand.New(rand.NewPCG(1, 2))
	damaged := 10
	if testing.Short() {
		damaged = 2
	}
	for i := range damaged {
		s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), text)
		if err := stopAfter(t, s, 1000); err == nil {
			t.Fatal("it was not stopped")
		}
		path := filepath.Join(s.Dir, sweep.JournalFile)
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if tail := len(content) / 2; i%2 == 0 {
			content = content[:len(content)-chance.IntN(tail)]
		} else {
			content[len(content)-1-chance.IntN(tail)] ^= 1 << chance.IntN(8)
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
		s.Progress = nil
		report := sweeptest.Run(t, s)
		if report.Stored == 0 || report.Stored == report.Done {
			t.Errorf("of %d trials %d were read", report.Done, report.Stored)
		}
		if got := contents(t, s.Dir); !maps.Equal(got, want) {
			t.Fatal("the results differ")
		}
	}
}

// join joins the shards in the folders into the first.
func join(t testing.TB, r *trial.Registry, dirs ...string) *sweep.Report {
	t.Helper()
	s, err := (&sweep.Join{Registry: r, Paths: dirs}).Sweep()
	if err != nil {
		t.Fatal(err)
	}
	return sweeptest.Run(t, s)
}

func TestShardsJoin(t *testing.T) {
	for name, text := range map[string]string{"fixed": sweeptest.Small, "until": stopping} {
		t.Run(name, func(t *testing.T) {
			whole := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), text)
			sweeptest.Run(t, whole)
			want := contents(t, whole.Dir)
			for _, of := range []int{2, 7, 50} {
				if of > 7 && testing.Short() {
					continue
				}
				dir := t.TempDir()
				trials := 0
				for i := range of {
					s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), text)
					s.Dir, s.Shard, s.Workers = dir, sweep.Shard{Index: i, Of: of}, 1+i%3
					trials += sweeptest.Run(t, s).Done
				}
				report := join(t, sweeptest.Registry(sweeptest.Triangle), dir)
				if report.Done != trials || report.Stored != trials {
					t.Errorf("%d trials in %d shards, %d joined, %d read", trials, of, report.Done, report.Stored)
				}
				if got := contents(t, dir); !maps.Equal(got, want) {
					t.Errorf("%d shards differ from the whole", of)
				}
				m, err := results.ReadManifest(dir)
				if err != nil || len(m.Attempts) != of || !m.Complete {
					t.Errorf("%d attempts of %d shards, %v", len(m.Attempts), of, err)
				}
			}
		})
	}
}

func TestPartsThatDoNotFit(t *testing.T) {
	r := sweeptest.Registry(sweeptest.Triangle)
	shard := func(dir, text string, i, of int) {
		t.Helper()
		s := sweeptest.Sweep(t, r, text)
		s.Dir, s.Shard = dir, sweep.Shard{Index: i, Of: of}
		sweeptest.Run(t, s)
	}
	join := func(paths ...string) error {
		_, err := (&sweep.Join{Registry: r, Paths: paths, Dir: t.TempDir()}).Sweep()
		return err
	}
	dir, other := t.TempDir(), t.TempDir()
	shard(dir, sweeptest.Small, 0, 5)
	shard(dir, sweeptest.Small, 3, 5)
	err := join(dir)
	missing, ok := errors.AsType[*sweep.MissingError](err)
	if !ok || missing.Of != 5 || fmt.Sprint(missing.Missing) != "[1 2 4]" || !strings.Contains(err.Error(), "--array=1-2,4") {
		t.Errorf("three are missing: %v", err)
	}
	shard(other, sweeptest.Small, 3, 5)
	if err := join(dir, other); err == nil || !strings.Contains(err.Error(), "doubled: shard 3/5") {
		t.Errorf("one is there twice: %v", err)
	}
	if err := join(dir, dir); !errors.As(err, &missing) {
		t.Errorf("one folder twice: %v", err)
	}
	foreign := t.TempDir()
	shard(foreign, strings.Replace(sweeptest.Small, "replicates: 7", "replicates: 8", 1), 1, 5)
	if err := join(dir, foreign); err == nil || !strings.Contains(err.Error(), "foreign: ") || !strings.Contains(err.Error(), "shard-1-of-5") {
		t.Errorf("one is of another sweep: %v", err)
	}
	division := t.TempDir()
	shard(division, sweeptest.Small, 1, 4)
	if err := join(dir, division); err == nil || !strings.Contains(err.Error(), "not of one division") {
		t.Errorf("another division: %v", err)
	}
	if err := join(t.TempDir()); err == nil || !strings.Contains(err.Error(), "holds no shards") {
		t.Errorf("an empty folder: %v", err)
	}
	torn := t.TempDir()
	shard(torn, sweeptest.Small, 0, 2)
	shard(torn, sweeptest.Small, 1, 2)
	path := filepath.Join(torn, "shard-1-of-2.journal")
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	content[len(content)/2] ^= 1
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := join(torn); !errors.As(err, &missing) || fmt.Sprint(missing.Missing) != "[1]" || !strings.Contains(err.Error(), "is not complete") {
		t.Errorf("a damaged one: %v", err)
	}
	shard(torn, sweeptest.Small, 1, 2) // which mends it
	if err := join(torn); err != nil {
		t.Errorf("a mended one: %v", err)
	}
}

func TestJournalOfAnotherSweepIsRefused(t *testing.T) {
	s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), sweeptest.Long)
	if err := stopAfter(t, s, 100); err == nil {
		t.Fatal("it was not stopped")
	}
	if err := os.Remove(filepath.Join(s.Dir, results.SpecFile)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{results.ResultsFile, results.SummaryFile, results.GrowthFile, results.ManifestFile} {
		os.Remove(filepath.Join(s.Dir, name))
	}
	before, err := os.ReadFile(filepath.Join(s.Dir, sweep.JournalFile))
	if err != nil {
		t.Fatal(err)
	}
	other := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), strings.Replace(sweeptest.Small, "replicates: 7", "replicates: 9", 1))
	other.Dir = s.Dir
	if _, err := other.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "would be lost") {
		t.Errorf("another spec: %v", err)
	}
	s.OutsideModel = true
	if _, err := s.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "--outside-model=false") {
		t.Errorf("outside the model: %v", err)
	}
	if after, _ := os.ReadFile(filepath.Join(s.Dir, sweep.JournalFile)); string(after) != string(before) {
		t.Error("a refused sweep has changed the journal")
	}
	other.Again, other.Drop = true, true
	sweeptest.Run(t, other)
}

func TestParseShard(t *testing.T) {
	for text, want := range map[string]sweep.Shard{"0/1": {Index: 0, Of: 1}, "3/64": {Index: 3, Of: 64}} {
		if got, err := sweep.ParseShard(text); err != nil || got != want {
			t.Errorf("%s is %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "3", "64/64", "-1/4", "x/4", "1/0", "1/x", "1/1000000", "auto/4"} {
		if got, err := sweep.ParseShard(text); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%q is %v, %v", text, got, err)
		}
	}
	t.Setenv("SGE_TASK_ID", "4")
	if got, err := sweep.ParseShard("auto/4"); err != nil || got.Index != 3 {
		t.Errorf("task 4 of Grid Engine is %v, %v", got, err)
	}
	t.Setenv("SLURM_ARRAY_TASK_ID", "4")
	if _, err := sweep.ParseShard("auto/4"); err == nil || !strings.Contains(err.Error(), "SLURM_ARRAY_TASK_ID") {
		t.Errorf("task 4 of Slurm: %v", err)
	}
}

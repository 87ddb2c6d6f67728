package sweep_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/sweep"
	"bullring/experiments/campaign/verify"
	"bullring/experiments/internal/sweeptest"
	"bullring/experiments/trial"
)

func TestAnyNumberOfWorkersWritesTheSameBytes(t *testing.T) {
	r := sweeptest.Registry(sweeptest.Triangle)
	one := sweeptest.Sweep(t, r, sweeptest.Small)
	one.Workers = 1
	report := sweeptest.Run(t, one)
	if want := 2 * 6 * 2 * 2 * 7; report.Done != want || report.Trials != want {
		t.Errorf("%d of %d trials done; want %d", report.Done, report.Trials, want)
	}
	for _, workers := range []int{2, 8} {
		many := sweeptest.Sweep(t, r, sweeptest.Small)
		many.Workers = workers
		sweeptest.Run(t, many)
		for _, name := range tables {
			if !bytes.Equal(sweeptest.Read(t, one, name), sweeptest.Read(t, many, name)) {
				t.Errorf("%s of %d workers differs from that of one", name, workers)
			}
		}
	}
}

func TestReportCountsTrials(t *testing.T) {
	report := sweeptest.Run(t, sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), sweeptest.Small))
	if len(report.Outcomes) != 1 || report.Outcomes[0] != (sweep.Count{Name: "elected", Times: report.Done}) {
		t.Errorf("outcomes %v; want all elected", report.Outcomes)
	}
	for i, name := range []string{"E1", "E2"} {
		if want := (sweep.CheckCount{Name: name, Holds: report.Done}); report.Checks[i] != want {
			t.Errorf("check %v; want %v", report.Checks[i], want)
		}
	}
}

// A trial is decided by its cell alone: by none of the other cells, and, but
// for what the algorithm does, not by the algorithm.
func TestTrialsDoNotDependOnTheSweepAroundThem(t *testing.T) {
	r := sweeptest.Registry(sweeptest.Triangle)
	without := func(row map[string]string, columns ...string) string {
		row = maps.Clone(row)
		for _, c := range append(columns, "row") {
			delete(row, c)
		}
		return fmt.Sprint(row)
	}
	alone := sweeptest.Sweep(t, r, "name: alone\nreplicates: 3\nalgorithms: [bird]\naxes: {n: 8, placement: random, delay: \"uniform(0,2ms)\"}\n")
	sweeptest.Run(t, alone)
	among := sweeptest.Sweep(t, r, "name: among\nreplicates: 5\nalgorithms: [ring, bird]\naxes: {n: [3, 8], placement: [decreasing, random], delay: [1ms, \"uniform(0,2ms)\"]}\n")
	sweeptest.Run(t, among)
	found := 0
	for _, row := range sweeptest.Rows(t, sweeptest.Read(t, among, "results.csv")) {
		if row["n"] != "8" || row["placement"] != "random" || row["delay"] == "1ms" || row["replicate"] > "3" {
			continue
		}
		replicate, _ := strconv.Atoi(row["replicate"])
		other := sweeptest.Rows(t, sweeptest.Read(t, alone, "results.csv"))[replicate-1]
		ignore := []string{}
		if row["algorithm"] == "ring" {
			ignore = []string{"algorithm", "label"}
		}
		if got, want := without(row, ignore...), without(other, ignore...); got != want {
			t.Errorf("among others:\n%s\nalone:\n%s", got, want)
		}
		found++
	}
	if found != 6 {
		t.Errorf("%d rows compared; want 6", found)
	}
}

// TestCancelledSweepLeavesWholeRows cancels while a sweep is under way, at an
// instant that its progress chooses.
func TestCancelledSweepLeavesWholeRows(t *testing.T) {
	text := strings.Replace(sweeptest.Small, "replicates: 7", "replicates: 700", 1)
	s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), text)
	ctx, cancel := context.WithCancel(context.Background())
	s.Clock = &sweeptest.Rushing{} // so that every batch is told of
	s.Workers = 2
	s.Progress = func(p sweep.Progress) {
		if p.Done >= 3000 {
			cancel()
		}
	}
	report, err := s.Run(ctx)
	stopped, ok := errors.AsType[*sweep.StoppedError](err)
	if !ok || !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v; want a StoppedError", err)
	}
	all := sweeptest.Rows(t, sweeptest.Read(t, s, "results.csv"))
	if len(all) > stopped.Done || report.Done != len(all) || stopped.Done < 3000 || stopped.Done == stopped.Trials {
		t.Errorf("%d rows, %d done, %+v", len(all), report.Done, stopped)
	}
	for i, row := range all {
		if row["row"] != strconv.Itoa(i+1) || row["fingerprint"] == "" {
			t.Fatalf("row %d is %v", i+1, row)
		}
	}
	m, err := results.ReadManifest(s.Dir)
	if err != nil || m.Complete || m.Rows != len(all) || m.Stopped == "" {
		t.Errorf("manifest %+v, %v", m, err)
	}
	if summary := sweeptest.Rows(t, sweeptest.Read(t, s, "summary.csv")); len(summary) != (len(all)+699)/700 {
		t.Errorf("%d cells in the summary of %d rows", len(summary), len(all))
	}
	if left, _ := filepath.Glob(filepath.Join(s.Dir, ".*.tmp")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestBrokenBoundStopsTheSweep(t *testing.T) {
	wrong := func(n int) float64 {
		if n == 8 {
			return sweeptest.Triangle(n) - 1
		}
		return sweeptest.Triangle(n)
	}
	var first []byte
	for _, workers := range []int{1, 8} {
		s := sweeptest.Sweep(t, sweeptest.Registry(wrong), sweeptest.Small)
		s.Workers = workers
		report, err := s.Run(context.Background())
		row, ok := errors.AsType[*sweep.RowError](err)
		if !ok {
			t.Fatalf("error %v; want a RowError", err)
		}
		if _, ok := errors.AsType[*trial.BrokenBoundError](err); !ok {
			t.Errorf("error %v; want a broken bound", err)
		}
		if want := "bullring replay " + s.Dir + " " + strconv.Itoa(row.Row); !strings.Contains(err.Error(), want) {
			t.Errorf("error %v; want it to say %q", err, want)
		}
		content := sweeptest.Read(t, s, "results.csv")
		all := sweeptest.Rows(t, content)
		last := all[len(all)-1]
		if len(all) != row.Row || report.Done != row.Row || last["n"] != "8" || last["placement"] != "decreasing" {
			t.Errorf("%d rows, error at %d, the last is %v", len(all), row.Row, last)
		}
		if first == nil {
			first = content
		}
		if !bytes.Equal(first, content) {
			t.Error("another number of workers leaves other rows")
		}
		result, err := verify.Replay(context.Background(), s.Registry, s.Dir, row.Row, nil)
		if err != nil || result.BrokenBound() == nil {
			t.Errorf("replay: %v, broken bound %v", err, result.BrokenBound())
		}
	}
}

func TestCellsAreCheckedBeforeAnythingRuns(t *testing.T) {
	r := sweeptest.Registry(sweeptest.Triangle)
	for name, c := range map[string]struct{ text, says string }{
		"outside the model": {"name: a\nalgorithms:\n  - ring\n  - {algorithm: ring, label: x, initiators: 0}\naxes: {n: 4}\n", "test.yaml:4:5: ring n=4 initiators=0: the guarantees of ring do not apply here"},
		"no such process":   {"name: a\nalgorithms: [{algorithm: ring, initiators: 7}]\naxes: {n: [8, 4]}\n", "test.yaml:2:14: ring n=4 initiators=7"},
	} {
		s := sweeptest.Sweep(t, r, c.text)
		_, err := s.Run(context.Background())
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v; want %q", name, err, c.says)
		}
		if _, err := os.Stat(s.Dir); err == nil {
			t.Errorf("%s: the directory was made", name)
		}
	}
	for name, c := range map[string]struct{ text, says string }{
		"placement": {"name: a\nalgorithms: [ring]\naxes: {n: 4, placement: [randon]}\n", `3:26: placement: unknown placement "randon" (did you mean "random"?)`},
		"delay":     {"name: a\nalgorithms: [ring]\naxes: {n: 4, delay: fast}\n", "3:21"},
		"topology":  {"name: a\nalgorithms: [ring]\naxes: {n: 4, topology: rung}\n", "3:24"},
		"fault":     {"name: a\nalgorithms: [ring]\naxes: {n: 4, fault: crash}\n", "3:21"},
		"initiator": {"name: a\nalgorithms: [ring]\naxes: {n: 4, initiators: lust}\n", "3:26"},
		"variant":   {"name: a\nalgorithms: [{algorithm: ring, variant: leader}]\naxes: {n: 4}\n", "2:41"},
		"bound":     {"name: a\nalgorithms: [ring]\naxes: {n: 4}\nfigures: [{y: messages, curves: [{algorithm: ring, bound: wurst}]}]\n", `did you mean "worst"`},
		"metric":    {"name: a\nalgorithms: [ring]\naxes: {n: 4}\nfigures: [{y: message}]\n", `did you mean "messages"`},
	} {
		if _, err := results.ParseSpec(r, "test.yaml", []byte(c.text)); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v; want %q", name, err, c.says)
		}
	}
}

func TestOutsideTheModelIsLabelled(t *testing.T) {
	s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), "name: a\nalgorithms: [{algorithm: ring, initiators: 0}]\naxes: {n: 4}\n")
	s.OutsideModel = true
	report := sweeptest.Run(t, s)
	row := sweeptest.Rows(t, sweeptest.Read(t, s, "results.csv"))[0]
	if report.Outside != 1 || report.Failed != 0 || row["outside"] != "not every process initiates" || row["bound_worst"] != "" {
		t.Errorf("report %+v, row %v", report, row)
	}
	if _, err := verify.Replay(context.Background(), s.Registry, s.Dir, 1, nil); err != nil {
		t.Error(err)
	}
}

func TestDirectoriesOfOtherSweepsAreRefused(t *testing.T) {
	r := sweeptest.Registry(sweeptest.Triangle)
	s := sweeptest.Sweep(t, r, sweeptest.Small)
	sweeptest.Run(t, s)
	before := sweeptest.Read(t, s, "results.csv")
	sweeptest.Run(t, s)
	if !bytes.Equal(before, sweeptest.Read(t, s, "results.csv")) {
		t.Error("another run of the same sweep gave other results")
	}
	other := sweeptest.Sweep(t, r, strings.Replace(sweeptest.Small, "replicates: 7", "replicates: 6", 1))
	other.Dir = s.Dir
	if _, err := other.Run(context.Background()); err == nil || !strings.Contains(err.Error(), "give another directory") {
		t.Errorf("error %v; want a refusal", err)
	}
	if err := os.Remove(filepath.Join(s.Dir, "spec.yaml")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Run(context.Background()); err == nil || !strings.Contains(err.Error(), "no spec.yaml") {
		t.Errorf("error %v; want a refusal", err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s.Dir = file
	if _, err := s.Run(context.Background()); err == nil || !strings.Contains(err.Error(), "folder for the results") {
		t.Errorf("error %v; want a refusal", err)
	}
}

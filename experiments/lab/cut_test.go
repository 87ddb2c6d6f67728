package lab

import (
	"strings"
	"testing"

	"bullring/experiments"
	"bullring/experiments/catalog"
)

// TestCut: of a run that never comes to rest, the schedule ends where the judge has seen enough. One
// that cannot be followed stays whole, so that its replay says why.
func TestCut(t *testing.T) {
	registry := catalog.New()
	in, err := Instance(registry, experiments.Setting{Algorithm: "tokenring", N: 3, Seed: 1}, Options{Limit: 200 * ms})
	if err != nil {
		t.Fatal(err)
	}
	trial, err := Try(t.Context(), registry, in, Options{Limit: 200 * ms}, nil)
	if err != nil || trial.Wrong != nil {
		t.Fatal(err, trial.Wrong)
	}
	lines := trial.Replay.Schedule.Lines()
	if steps := len(trial.Recording.Steps); uint64(len(lines)) != 1+trial.Result.Counters.Events || len(lines) > steps {
		t.Errorf("%d lines for %d events; %d steps were recorded", len(lines), trial.Result.Counters.Events, steps)
	}
	lines[len(lines)/2] = "deliver 0->1 NOTHING"
	broken := experiments.Schedule(strings.Join(lines, "\n"))
	trial.Replay.Schedule = broken
	trial.cut(t.Context(), registry)
	if trial.Replay.Schedule != broken {
		t.Errorf("a schedule that cannot be followed is cut to\n%s", trial.Replay.Schedule)
	}
}

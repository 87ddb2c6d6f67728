package lab

import (
	"strings"
	"testing"

	"bullring/experiments/catalog"
	"bullring/experiments/trial"
)

// TestCut: of a run that never comes to rest, the schedule ends where the judge has seen enough. One
// that cannot be followed stays whole, so that its replay says why.
func TestCut(t *testing.T) {
	registry := catalog.New()
	in, err := Instance(registry, trial.Setting{Algorithm: "tokenring", N: 3, Seed: 1}, Options{Limit: 200 * ms})
	if err != nil {
		t.Fatal(err)
	}
	tried, err := Try(t.Context(), registry, in, Options{Limit: 200 * ms}, nil)
	if err != nil || tried.Wrong != nil {
		t.Fatal(err, tried.Wrong)
	}
	lines := tried.Replay.Schedule.Lines()
	if steps := len(tried.Recording.Steps); uint64(len(lines)) != 1+tried.Result.Counters.Events || len(lines) > steps {
		t.Errorf("%d lines for %d events; %d steps were recorded", len(lines), tried.Result.Counters.Events, steps)
	}
	lines[len(lines)/2] = "deliver 0->1 NOTHING"
	broken := trial.Schedule(strings.Join(lines, "\n"))
	tried.Replay.Schedule = broken
	tried.cut(t.Context(), registry)
	if tried.Replay.Schedule != broken {
		t.Errorf("a schedule that cannot be followed is cut to\n%s", tried.Replay.Schedule)
	}
}

package search_test

import (
	"strings"
	"testing"

	"bullring/experiments/catalog"
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
)

// scheduled is a setting with a schedule.
func scheduled(s trial.Setting, lines ...string) trial.Setting {
	s.Schedule = trial.Schedule(strings.Join(lines, "\n"))
	return s
}

// TestShrinkSchedules: only the steps are left that the failure needs.
func TestShrinkSchedules(t *testing.T) {
	registry := catalog.New()
	for name, c := range map[string]struct {
		setting trial.Setting
		n       int
		want    string
	}{
		// The timer of process 0 expires before the answers arrive.
		"too early": {scheduled(trial.Setting{Algorithm: "bully", N: 4, Initiators: "0,2", Dead: "last"},
			"timers free", "start 2", "start 0", "deliver 0->1 ELECTION(1)", "deliver 0->2 ELECTION(1)", "timeout 2 timer 0",
			"timeout 0 timer 0", "deliver 1->0 ANSWER(2)", "go on"), 2, "timers free\nstart 0\ntimeout 0 timer 0"},
		"lost": {scheduled(trial.Setting{Algorithm: "lcr", N: 4},
			"timers free, restarts", "start 0", "start 1", "start 2", "start 3", "deliver 0->1 PROBE(1)", "lose 3->0 PROBE(4)", "go on"), 2, "timers free\nstart 0\nstart 1\nlose 1->0 PROBE(4)\ngo on"},
	} {
		t.Run(name, func(t *testing.T) {
			found, err := search.Shrink(t.Context(), registry, c.setting, "", nil)
			if err != nil {
				t.Fatal(err)
			}
			if found.Setting.N != c.n || string(found.Setting.Schedule) != c.want || found.Setting.Dead != "none" {
				t.Errorf("%+v", found.Setting)
			}
			minimal(t, registry, found)
			if err := replayed(t, search.NewCase(found.Result, found.Failure, "note")); err != nil {
				t.Error(err)
			}
		})
	}
	for want, lines := range map[string][]string{
		"nothing is wrong": {"timers free", "start 0", "start 1"}, // it ends before the run does
		"is not possible":  {"timers free", "start 0", "start 1", "deliver 0->1 PROBE(2)"},
	} {
		s := scheduled(trial.Setting{Algorithm: "lcr", N: 2}, lines...)
		if _, err := search.Shrink(t.Context(), registry, s, "", nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %s", lines, err, want)
		}
	}
}

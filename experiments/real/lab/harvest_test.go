package lab_test

import (
	"path/filepath"
	"slices"
	"testing"

	"bullring/experiments/catalog"
	"bullring/experiments/real/lab"
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
	"bullring/netem/explore"
	"bullring/protocols"
)

// tooShort is a bully that is told half the longest delay of its links.
var tooShort = trial.Setting{
	Algorithm: "bully", N: 4, Initiators: "0", Dead: "last", Delay: "uniform(0,8ms)", Assume: "4ms", OutsideModel: true,
}

// answeredLate is the other way in which E1 breaks: who was asked asks the next one, and does not
// wait long enough for the answer.
const answeredLate = "timers free\nstart 0\ndeliver 0->1 ELECTION(1)\ntimeout 1 timer 0"

// TestHarvest: a failure that was seen over sockets is the same failure in each replay, and shrinks
// to one that is known.
func TestHarvest(t *testing.T) {
	known := []trial.Schedule{shortest(t), answeredLate}
	seen := map[trial.Schedule]int{}
	for seed := uint64(1); seen[known[0]] == 0 || seen[known[0]]+seen[known[1]] < 3; seed++ {
		if seed > 2000 {
			t.Fatalf("2,000 live runs have shown %v", seen)
		}
		s := tooShort
		s.Seed = seed
		tried := try(t, s, lab.Options{})
		if tried.Wrong != nil {
			t.Fatal(tried.Wrong)
		}
		if tried.Result.Verdict("E1") == protocols.Violated {
			seen[shrunk(t, search.NewCase(tried.Result, "E1", ""), known)]++
		}
	}
	recorded, err := search.ReadCase(filepath.Join("..", "..", "catalog", "testdata", "cases", "bully-live.json"))
	if err != nil {
		t.Fatal(err)
	}
	if got := shrunk(t, recorded, known); got != answeredLate {
		t.Errorf("the recorded case shrinks to %q", got)
	}
}

// shortest is the shortest run that breaks E1 of all runs of two processes.
func shortest(t *testing.T) trial.Schedule {
	t.Helper()
	s := search.Search{Setting: trial.Setting{Algorithm: "bully", N: 2, Initiators: "0"}, Timers: trial.FreeTimers, Full: true}
	s.Options.Strategy, s.Options.MaxStates = explore.BreadthFirst, 1000
	e, err := search.Explore(t.Context(), catalog.New(), s)
	if err != nil || e.Counterexample == nil {
		t.Fatal(err, "no run breaks E1")
	}
	return e.Scheduled(e.Counterexample).Schedule
}

// shrunk replays a case twice and shrinks it. What is left is the schedule of a known failure.
func shrunk(t *testing.T, c search.Case, known []trial.Schedule) trial.Schedule {
	t.Helper()
	for range 2 {
		if _, err := c.Replay(t.Context(), catalog.New(), nil); err != nil {
			t.Error(err)
		}
	}
	found, err := search.Shrink(t.Context(), catalog.New(), c.Setting, c.Failure, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := found.Setting
	steps := len(s.Schedule.Lines()) - 1 // each known failure has as many processes as steps
	if !slices.Contains(known, s.Schedule) || s.N != steps || s.Dead != "none" {
		t.Errorf("%d processes, dead %s, and the steps\n%s\nare left of\n%s", s.N, s.Dead, s.Schedule, c.Setting.Schedule)
	}
	return s.Schedule
}

package commit_test

import (
	"fmt"
	"testing"

	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/experiments/trial/search"
	"bullring/protocols"
)

// voting is the exploration of an algorithm with every vector of votes.
func voting(algorithm, variant string, n, crashes int) catalogtest.Search {
	s := catalogtest.Of(algorithm, n).Variant(variant).Crashing(crashes)
	s.Setting.Inputs = search.Every
	return s
}

// Two-phase commit keeps AC1 to AC4 whoever crashes at whatever point, and AC5 if those come back; three-phase
// commit keeps all of them if none does.
func TestCommitProven(t *testing.T) {
	catalogtest.Proven(t, registry, testing.Short(), []catalogtest.Proof{
		{Search: voting("twophase", "basic", 2, 0).InFull(), States: 48, Transitions: 64},
		{Search: voting("twophase", "basic", 3, 1).Restarting(1), States: 21437, Transitions: 52475},
		{Search: voting("twophase", "cooperative", 3, 1).Restarting(1), States: 35835, Transitions: 94244},
		{Search: voting("twophase", "basic", 2, 2).Restarting(2), States: 6745, Transitions: 14654},
		{Search: voting("threephase", "", 2, 1).InFull(), States: 243, Transitions: 459},
		{Search: voting("threephase", "", 3, 1), States: 1911, Transitions: 4488},
		{Search: voting("threephase", "", 3, 2), States: 3284, Transitions: 9569},
		{Search: voting("threephase", "", 4, 1), States: 12657, Transitions: 37140},
		{Search: voting("threephase", "", 4, 2), States: 28786, Transitions: 99952},
	})
}

// The other sides: two-phase commit blocks if a process need not come back, and three-phase commit
// decides differently if links lose messages.
func TestCommitViolated(t *testing.T) {
	lossy := voting("threephase", "", 2, 0)
	lossy.Budget.Losses = 1
	for _, c := range []struct {
		catalogtest.Search
		violated, outside string
	}{
		{voting("twophase", "basic", 3, 1), "AC5", "a process crashes and may not come back"},
		{voting("twophase", "cooperative", 3, 1), "AC5", "a process crashes and may not come back"},
		{voting("twophase", "basic", 3, 2).Restarting(1), "AC5", "a process crashes and may not come back"},
		{lossy, "AC3", "links lose messages"},
	} {
		e := catalogtest.Explore(t, registry, c.Search)
		if run := e.Counterexample; run == nil || e.Properties[run.Property].Name != c.violated || fmt.Sprint(e.Outside) != "["+c.outside+"]" {
			t.Errorf("%v: %+v, outside the model: %q", c.Search, run, e.Outside)
		}
	}
}

// A partition after the votes: the side that knows that all have voted yes commits, the other one
// aborts. Two-phase commit blocks instead.
func TestPartition(t *testing.T) {
	c := catalogtest.NewChecker(t, registry)
	for algorithm, want := range map[string]trial.Outcome{"threephase": families.Unsafe, "twophase": families.Blocked} {
		r := c.Outside(trial.Setting{Algorithm: algorithm, N: 4, Fault: "at 2500us partition {0 1 | 2 3}"})
		if r.Outcome != want || r.Verdict("AC2") != protocols.Holds || (r.Verdict("AC1") == protocols.Violated) != (want == families.Unsafe) {
			t.Errorf("%s: %s, AC1 %v", algorithm, r.Outcome, r.Verdict("AC1"))
		}
	}
}

// Runs inside the models decide, and keep their bounds.
func TestCommits(t *testing.T) {
	c := catalogtest.NewChecker(t, registry)
	for _, votes := range []struct {
		inputs  string
		outcome trial.Outcome
	}{{"", families.Committed}, {"one 0", families.Aborted}, {"1,0,1,1,0", families.Aborted}, {"all 0", families.Aborted}} {
		for _, algorithm := range []string{"twophase", "threephase"} {
			for _, delay := range []string{"", "uniform(0,1ms)"} {
				c.Run(trial.Setting{Algorithm: algorithm, N: 5, Inputs: votes.inputs, Delay: delay}, votes.outcome)
			}
		}
	}
	for seed := range uint64(60) {
		c.Survives(trial.Setting{Algorithm: "threephase", N: 6, Inputs: trial.RandomInputs, Fault: fmt.Sprintf("random crashes %d in 0s..20ms", seed%6+1), Seed: seed})
		c.Survives(trial.Setting{Algorithm: "threephase", N: 6, Delay: "uniform(0,1ms)", Fault: fmt.Sprintf("random crashes %d in 0s..20ms", seed%6+1), Seed: seed})
		for _, variant := range []string{"basic", "cooperative"} {
			c.Survives(trial.Setting{Algorithm: "twophase", Variant: variant, N: 5, Fault: "random failures mttf exp(5ms) mttr exp(5ms) until 20ms", Seed: seed})
		}
	}
	c.Needs("exact", "decided")
	c.NeedsAny("worst")
}

// A leader crashes in each phase, right after its first PRE-COMMIT: the bound on the time is reached.
func TestPhasesOfThreePhaseCommit(t *testing.T) {
	c := catalogtest.NewChecker(t, registry)
	for fault, want := range map[string]float64{
		"":                      5,
		"crash 0 after 7 sends": 7, // process 1 has committed, and tells the others
		"crash 0 after 4 sends": 9,
		"crash 0 after 4 sends; crash 1 after 3 sends": 13,
	} {
		r := c.Run(trial.Setting{Algorithm: "threephase", N: 4, Fault: fault}, families.Committed)
		if got, _ := r.Metric("decided_time"); got != want {
			t.Errorf("%q: decided after %v delays, want %v", fault, got, want)
		}
	}
}

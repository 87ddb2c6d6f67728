package lab_test

import (
	"fmt"
	"math/bits"
	"slices"
	"testing"

	"bullring/experiments"
	"bullring/experiments/lab"
	"bullring/netem/live"
)

// agreements are settings with bounds that hold under every schedule. messages is the number of
// messages where all schedules have the same: a second time, apart from the bounds of the
// catalogue. nil leaves it to these.
var agreements = []struct {
	setting  experiments.Setting
	messages func(n int) int
}{
	{experiments.Setting{Algorithm: "lcr", Placement: "decreasing"}, func(n int) int { return n * (n + 1) / 2 }},
	{experiments.Setting{Algorithm: "lcr", Placement: "increasing"}, func(n int) int { return 2*n - 1 }},
	{experiments.Setting{Algorithm: "lcr", Placement: "increasing", Variant: "all-terminate"}, func(n int) int { return 3*n - 1 }},
	{experiments.Setting{Algorithm: "lcr", Placement: "random"}, nil},
	{experiments.Setting{Algorithm: "changroberts", Placement: "decreasing"}, func(n int) int { return n * (n + 3) / 2 }},
	{experiments.Setting{Algorithm: "changroberts", Placement: "increasing", Initiators: "0"}, func(n int) int { return 3*n - 1 }},
	{experiments.Setting{Algorithm: "changroberts", Placement: "random"}, nil},
	{experiments.Setting{Algorithm: "lelann", Placement: "random"}, func(n int) int { return n * n }},
	{experiments.Setting{Algorithm: "peterson", Placement: "increasing"}, func(n int) int { return 4 * n }},
	{experiments.Setting{Algorithm: "peterson", Placement: "random"}, nil},
	{experiments.Setting{Algorithm: "franklin", Placement: "increasing"}, func(n int) int { return 4 * n }},
	{experiments.Setting{Algorithm: "franklin", Placement: "random"}, nil},
	{experiments.Setting{Algorithm: "hirschbergsinclair", Placement: "increasing"}, func(n int) int { return 5*n - 8 + 4<<bits.Len(uint(n-1)) }},
	{experiments.Setting{Algorithm: "hirschbergsinclair", Placement: "random"}, nil},
	{experiments.Setting{Algorithm: "echo", Topology: "complete", Initiators: "0", Variant: "leader-only"}, func(n int) int { return n * (n - 1) }},
	{experiments.Setting{Algorithm: "electiontree", Topology: "line", Initiators: "0"}, func(n int) int { return 3*n - 3 }},
	{experiments.Setting{Algorithm: "centralized"}, func(n int) int { return 3 * (n - 1) }},
	{experiments.Setting{Algorithm: "lamport"}, func(n int) int { return 3 * (n - 1) * n }},
	{experiments.Setting{Algorithm: "ricartagrawala"}, func(n int) int { return 2 * (n - 1) * n }},
	{experiments.Setting{Algorithm: "carvalhoroucairol"}, nil},
	{experiments.Setting{Algorithm: "suzukikasami"}, func(n int) int { return n * (n - 1) }},
	{experiments.Setting{Algorithm: "raymond", Topology: "line", Initiators: "last"}, func(n int) int { return 2 * (n - 1) }},
	{experiments.Setting{Algorithm: "raymond", Topology: "line"}, nil},
	{experiments.Setting{Algorithm: "maekawa", Initiators: "0"}, nil},
	{experiments.Setting{Algorithm: "maekawa"}, nil},
	{experiments.Setting{Algorithm: "majority", Initiators: "0"}, func(n int) int { return 3 * (n - 1) }},
	{experiments.Setting{Algorithm: "chandylamport", Topology: "complete"}, func(n int) int { return n * (n - 1) }},
	{experiments.Setting{Algorithm: "berkeley"}, func(n int) int { return 3 * (n - 1) }},
}

// TestAgreement: what is proven for every schedule holds over sockets.
func TestAgreement(t *testing.T) {
	for _, n := range []int{5, 32} {
		if n > 5 && testing.Short() {
			break
		}
		for _, c := range agreements {
			s := c.setting
			s.N = n
			if s.Initiators == "last" {
				s.Initiators = fmt.Sprint(n - 1)
			}
			trial := try(t, s, lab.Options{})
			what := fmt.Sprintf("%s %s %s, initiators %q, of %d", s.Algorithm, s.Variant, s.Placement, s.Initiators, n)
			if trial.Wrong != nil || trial.Recording.End != live.Rest || !trial.Result.Correct {
				t.Errorf("%s: %v, ends with %v, correct %v", what, trial.Wrong, trial.Recording.End, trial.Result.Correct)
				continue
			}
			if err := trial.Result.BrokenBound(); err != nil {
				t.Errorf("%s: %v", what, err)
			}
			measured, _ := trial.Result.Metric("messages")
			if c.messages != nil && int(measured) != c.messages(n) {
				t.Errorf("%s: %v messages live, and %d in theory", what, measured, c.messages(n))
			}
			if c.messages == nil && !slices.ContainsFunc(trial.Result.Bounds, func(b experiments.BoundResult) bool { return b.Relation != experiments.Mean }) {
				t.Errorf("%s: no bound was applied", what)
			}
		}
	}
}

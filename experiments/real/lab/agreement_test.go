package lab_test

import (
	"fmt"
	"math/bits"
	"slices"
	"testing"

	"bullring/experiments/real/lab"
	"bullring/experiments/trial"
	"bullring/netem/live"
)

// agreements are settings with bounds that hold under every schedule. messages is the number of
// messages where all schedules have the same: a second time, apart from the bounds of the
// catalogue. nil leaves it to these.
var agreements = []struct {
	setting  trial.Setting
	messages func(n int) int
}{
	{trial.Setting{Algorithm: "lcr", Placement: "decreasing"}, func(n int) int { return n * (n + 1) / 2 }},
	{trial.Setting{Algorithm: "lcr", Placement: "increasing"}, func(n int) int { return 2*n - 1 }},
	{trial.Setting{Algorithm: "lcr", Placement: "increasing", Variant: "all-terminate"}, func(n int) int { return 3*n - 1 }},
	{trial.Setting{Algorithm: "lcr", Placement: "random"}, nil},
	{trial.Setting{Algorithm: "changroberts", Placement: "decreasing"}, func(n int) int { return n * (n + 3) / 2 }},
	{trial.Setting{Algorithm: "changroberts", Placement: "increasing", Initiators: "0"}, func(n int) int { return 3*n - 1 }},
	{trial.Setting{Algorithm: "changroberts", Placement: "random"}, nil},
	{trial.Setting{Algorithm: "lelann", Placement: "random"}, func(n int) int { return n * n }},
	{trial.Setting{Algorithm: "peterson", Placement: "increasing"}, func(n int) int { return 4 * n }},
	{trial.Setting{Algorithm: "peterson", Placement: "random"}, nil},
	{trial.Setting{Algorithm: "franklin", Placement: "increasing"}, func(n int) int { return 4 * n }},
	{trial.Setting{Algorithm: "franklin", Placement: "random"}, nil},
	{trial.Setting{Algorithm: "hirschbergsinclair", Placement: "increasing"}, func(n int) int { return 5*n - 8 + 4<<bits.Len(uint(n-1)) }},
	{trial.Setting{Algorithm: "hirschbergsinclair", Placement: "random"}, nil},
	{trial.Setting{Algorithm: "freistable", Placement: "random"}, func(n int) int { return n * n }},
	{trial.Setting{Algorithm: "frei", Placement: "random"}, func(n int) int { return n * (2*n + 1) }},
	{trial.Setting{Algorithm: "freiunoriented", Placement: "random"}, func(n int) int { return n * (2*n + 1) }},
	{trial.Setting{Algorithm: "echo", Topology: "complete", Initiators: "0", Variant: "leader-only"}, func(n int) int { return n * (n - 1) }},
	{trial.Setting{Algorithm: "electiontree", Topology: "line", Initiators: "0"}, func(n int) int { return 3*n - 3 }},
	{trial.Setting{Algorithm: "centralized"}, func(n int) int { return 3 * (n - 1) }},
	{trial.Setting{Algorithm: "lamport"}, func(n int) int { return 3 * (n - 1) * n }},
	{trial.Setting{Algorithm: "ricartagrawala"}, func(n int) int { return 2 * (n - 1) * n }},
	{trial.Setting{Algorithm: "carvalhoroucairol"}, nil},
	{trial.Setting{Algorithm: "suzukikasami"}, func(n int) int { return n * (n - 1) }},
	{trial.Setting{Algorithm: "raymond", Topology: "line", Initiators: "last"}, func(n int) int { return 2 * (n - 1) }},
	{trial.Setting{Algorithm: "raymond", Topology: "line"}, nil},
	{trial.Setting{Algorithm: "maekawa", Initiators: "0"}, nil},
	{trial.Setting{Algorithm: "maekawa"}, nil},
	{trial.Setting{Algorithm: "majority", Initiators: "0"}, func(n int) int { return 3 * (n - 1) }},
	{trial.Setting{Algorithm: "chandylamport", Topology: "complete"}, func(n int) int { return n * (n - 1) }},
	{trial.Setting{Algorithm: "bracha", Initiators: "0"}, func(n int) int { return (n - 1) * (2*n + 1) }},
	{trial.Setting{Algorithm: "berkeley"}, func(n int) int { return 3 * (n - 1) }},
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
			tried := try(t, s, lab.Options{})
			what := fmt.Sprintf("%s %s %s, initiators %q, of %d", s.Algorithm, s.Variant, s.Placement, s.Initiators, n)
			if tried.Wrong != nil || tried.Recording.End != live.Rest || !tried.Result.Correct {
				t.Errorf("%s: %v, ends with %v, correct %v", what, tried.Wrong, tried.Recording.End, tried.Result.Correct)
				continue
			}
			if err := tried.Result.BrokenBound(); err != nil {
				t.Errorf("%s: %v", what, err)
			}
			measured, _ := tried.Result.Metric("messages")
			if c.messages != nil && int(measured) != c.messages(n) {
				t.Errorf("%s: %v messages live, and %d in theory", what, measured, c.messages(n))
			}
			if c.messages == nil && !slices.ContainsFunc(tried.Result.Bounds, func(b trial.BoundResult) bool { return b.Relation != trial.Mean }) {
				t.Errorf("%s: no bound was applied", what)
			}
		}
	}
}

package main

import (
	"maps"
	"slices"
	"testing"

	"bullring/experiments/trial"
)

// Each property is broken by the states that break it, and by no others.
func TestRules(t *testing.T) {
	for _, c := range []struct {
		says    string
		states  []Message
		down    bool // process 0 has crashed
		refuses bool // a participant votes no
		broken  []string
		outcome trial.Outcome
	}{
		{"all commit", []Message{Commit, Commit, Commit}, false, false, nil, Committed},
		{"one votes no", []Message{Abort, Abort, Abort}, false, true, nil, Aborted},
		{"the coordinator crashed after the votes", []Message{0, Yes, Abort}, true, false, []string{"AC5"}, Aborted},
		{"the coordinator is dead, and needs no decision", []Message{0, Abort, Abort}, true, false, nil, Aborted},
		{"two decisions", []Message{Commit, Commit, Abort}, true, true, []string{"AC1"}, Committed},
		{"commit without a vote", []Message{Commit, Commit, 0}, false, false, []string{"AC2"}, Committed},
		{"abort without a reason", []Message{Abort, Abort, Abort}, false, false, []string{"AC3"}, Aborted},
	} {
		seen := trial.Seen[Message]{States: c.states, Down: []bool{c.down, false, false}, Crashed: c.down}
		r := rules{willing: !c.refuses}
		if broken := slices.Sorted(maps.Keys(r.Broken(seen))); !slices.Equal(broken, c.broken) || r.Outcome(seen) != c.outcome {
			t.Errorf("%s: %v broken, %s; want %v, %s", c.says, broken, r.Outcome(seen), c.broken, c.outcome)
		}
	}
}

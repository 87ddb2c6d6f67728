package families

import (
	"fmt"
	"slices"

	"bullring/experiments/trial"
	"bullring/netem/explore"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/commit"
)

// The outcomes of an atomic commitment.
const (
	Committed trial.Outcome = "committed" // all live processes have decided to commit
	Aborted   trial.Outcome = "aborted"   // all live processes have decided to abort
	Unsafe    trial.Outcome = "unsafe"    // one of AC1 to AC4 is violated
	Blocked   trial.Outcome = "blocked"   // a live process has not decided
)

var commitFamily = trial.Family{
	Name: "commit",
	Checks: []explore.Property{
		{Name: "AC1", Kind: explore.Always, Says: "no two processes decide differently"},
		{Name: "AC2", Kind: explore.Always, Says: "a process commits only if all have voted yes"},
		{Name: "AC3", Kind: explore.Always, Says: "if all vote yes and none has crashed, no process aborts"},
		{Name: "AC4", Kind: explore.Always, Says: "a process decides once"},
		{Name: "AC5", Kind: explore.Eventually, Says: "every live process decides"},
	},
	Bands: []trial.Band{
		{Name: "in doubt", Says: "has voted yes, and knows no decision", Look: looks.Fill{Colour: looks.Orange, Texture: looks.Zigzag},
			In: trial.InBand(func(p commit.Participant) bool { return p.Said().InDoubt() })},
		{Name: "committed", Says: "has decided to commit", Look: looks.Fill{Colour: looks.Green, Texture: looks.Full},
			In: trial.InBand(func(p commit.Participant) bool { return p.Said().Decision == commit.Commit })},
		{Name: "aborted", Says: "has decided to abort", Look: looks.Fill{Colour: looks.Red, Texture: looks.Dotted},
			In: trial.InBand(func(p commit.Participant) bool { return p.Said().Decision == commit.Abort })},
	},
	Ear:   newCommitEar,
	Right: []trial.Outcome{Committed, Aborted},
	Wrong: []trial.Outcome{Unsafe, Blocked},
	Metrics: []trial.Metric{
		{Name: "decided_time", Unit: trial.Units, Meaning: "when the last process decided; empty if one is blocked", Axis: "time to decide", Summary: true,
			Measure: func(r *trial.Result) (float64, bool) {
				if blocks, judged := measureBlocked(r); !judged || blocks > 0 {
					return 0, false
				}
				return measureDecided(r)
			}},
		{Name: "blocked", Meaning: "1 if a live process had not decided at the end", Axis: "share of runs that block", Proportion: true, Summary: true,
			Measure: measureBlocked},
	},
}

var (
	measureDecided = trial.LastChange[commit.Said]()
	measureBlocked = trial.SeenBy(func(seen trial.Seen[commit.Said]) (float64, bool) {
		if blocked(seen) != nil {
			return 1, true
		}
		return 0, true
	})
)

// votes are the inputs of atomic commitment: 0 is no, 1 is yes.
var votes = trial.Inputs{Least: 0, Most: 1, Default: "all 1"}

// Commit completes the declaration of an algorithm of atomic commitment. Its
// inputs are votes: 0 is no, 1 is yes.
func Commit[M protocols.Message](a trial.Algorithm, build func(*trial.Instance) func(protocols.ID) commit.Process[M]) trial.Algorithm {
	a.Inputs = &votes
	rules := func(in *trial.Instance) trial.Rules[commit.Said] {
		return commitRules{protocols.ID(slices.Index(in.Inputs(), 0))}
	}
	return trial.Ruled(a, commitFamily, rules, func(in *trial.Instance) func(protocols.ID) protocols.Process[M] {
		made := build(in)
		return func(p protocols.ID) protocols.Process[M] { return made(p) }
	})
}

// commitRules are the rules of atomic commitment.
type commitRules struct {
	unwilling protocols.ID // the first process that votes no, or -1
}

// State implements trial.Rules.
func (commitRules) State(process any) commit.Said {
	return trial.As[commit.Participant](process).Said()
}

// BrokenBy implements trial.Local.
func (r commitRules) BrokenBy(seen trial.Seen[commit.Said], p protocols.ID, before commit.Said) map[string]string {
	now := seen.States[p]
	if now.Decision == before.Decision {
		return nil
	}
	broken := map[string]string{}
	if before.Decision != commit.Undecided {
		broken["AC4"] = fmt.Sprintf("process %d %v, and then %v", p, before, now)
	}
	if now.Decision == commit.Abort && r.unwilling < 0 && !seen.Crashed {
		broken["AC3"] = fmt.Sprintf("process %d aborts", p)
	}
	if now.Decision == commit.Commit && r.unwilling >= 0 {
		broken["AC2"] = fmt.Sprintf("process %d commits against the vote of process %d", p, r.unwilling)
	}
	for q, other := range seen.States {
		switch {
		case now.Decision == commit.Commit && !other.Yes && broken["AC2"] == "":
			broken["AC2"] = fmt.Sprintf("process %d commits, and process %d has not voted yes", p, q)
		case now.Decision != commit.Undecided && other.Decision != commit.Undecided && other.Decision != now.Decision && broken["AC1"] == "":
			broken["AC1"] = fmt.Sprintf("process %d %v, and process %d %v", p, now, q, other)
		}
	}
	return broken
}

// Broken implements trial.Rules: at rest, all that is left is who has not decided.
func (commitRules) Broken(seen trial.Seen[commit.Said]) map[string]string {
	return blocked(seen)
}

// blocked says that a live process has not decided.
func blocked(seen trial.Seen[commit.Said]) map[string]string {
	for p, s := range seen.States {
		if s.Decision == commit.Undecided && !seen.Down[p] {
			return map[string]string{"AC5": fmt.Sprintf("process %d is alive and cannot decide", p)}
		}
	}
	return nil
}

// Outcome implements trial.Rules.
func (commitRules) Outcome(seen trial.Seen[commit.Said]) trial.Outcome {
	if slices.ContainsFunc(seen.States, func(s commit.Said) bool { return s.Decision == commit.Commit }) {
		return Committed
	}
	return Aborted
}

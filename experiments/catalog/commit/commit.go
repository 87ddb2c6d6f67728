// Package commit declares the built-in algorithms of atomic commitment.
package commit

import (
	"bullring/experiments/trial"
	"bullring/protocols"
	"bullring/protocols/commit"
)

// All returns the algorithms.
func All() []trial.Algorithm {
	return []trial.Algorithm{
		twoPhaseAlgorithm(),
		threePhaseAlgorithm(),
	}
}

// willing reports whether a process votes yes.
func willing(in *trial.Instance, p protocols.ID) bool { return in.Input(p) == 1 }

// refusals is the number of processes that vote no, without the coordinator, and whether it is one
// of them.
func refusals(in *trial.Instance) (others int, coordinator bool) {
	for p := range protocols.ID(in.N) {
		if p != commit.Coordinator && !willing(in, p) {
			others++
		}
	}
	return others, !willing(in, commit.Coordinator)
}

// committedAfter is the bound on the time of a commitment without failures.
func committedAfter(formula string, delays float64) trial.Bound {
	return trial.Bound{
		Name: "decided", Metric: "decided_time", Relation: trial.Exactly, Formula: formula,
		Convention: "no failures; all vote yes; n > 1; every message takes exactly the bound on delay",
		Value: func(in *trial.Instance) (float64, bool) {
			no, coordinator := refusals(in)
			return delays, undisturbed(in) && no == 0 && !coordinator && in.N > 1 && in.InStep()
		},
	}
}

// undisturbed reports whether nothing fails.
func undisturbed(in *trial.Instance) bool { return in.Calm() && len(in.Dead) == 0 }

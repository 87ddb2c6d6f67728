// Package catalog declares the built-in algorithms: their papers, what they
// assume, and the bounds that every run of them is held to.
package catalog

import (
	"bullring/experiments"
	"bullring/protocols"
	"bullring/protocols/election"
)

// New returns a registry of the built-in algorithms.
func New() *experiments.Registry {
	r := &experiments.Registry{}
	r.Register(lcrAlgorithm(), changRobertsAlgorithm(), petersonAlgorithm(), ringListAlgorithm(), modifiedRingAlgorithm(), bullyAlgorithm())
	return r
}

func everyoneDecides(*experiments.Instance) election.Promise { return election.Promise{} }

// The helpers below say when a bound applies.

// noPlan: nothing fails after the start.
func noPlan(in *experiments.Instance) bool { return in.Calm() }

// constantDelay: times are multiples of one delay, whatever fails.
func constantDelay(in *experiments.Instance) bool {
	_, ok := in.Unit()
	does := in.Drawn.Effects()
	return ok && !does.Delays && !does.Pauses && !does.Clocks && !does.Links
}

// allInitiate: every process that lives initiates.
func allInitiate(in *experiments.Instance) bool {
	return len(in.Initiators)+len(in.Dead) == in.N
}

func randomPlacement(in *experiments.Instance) bool { return in.Setting.Placement == "random" }

// best is the address of the best live process.
func best(in *experiments.Instance) protocols.ID {
	best := protocols.ID(-1)
	for p := range protocols.ID(in.N) {
		if !in.IsDead(p) && (best < 0 || in.Order.Better(in.Ranks[p], in.Ranks[best])) {
			best = p
		}
	}
	return best
}

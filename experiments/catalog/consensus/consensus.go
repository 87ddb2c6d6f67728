// Package consensus declares the built-in algorithms by which processes agree on a value.
package consensus

import (
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/protocols"
	"bullring/protocols/consensus"
	"bullring/protocols/rounds"
)

// All returns the algorithms.
func All() []trial.Algorithm {
	return []trial.Algorithm{
		floodSetAlgorithm(),
	}
}

// round is a process of a synchronous consensus.
type round[M any] interface {
	protocols.Round[M]
	consensus.Decider
}

// inRounds is a process of a synchronous consensus whose rounds are counted by a clock.
type inRounds[M protocols.Message] struct {
	*rounds.Lockstep[M]
	consensus.Decider
}

// inLockstep declares a synchronous consensus whose rounds take the assumed bound on delay.
func inLockstep[M protocols.Message](a trial.Algorithm, build func(*trial.Instance) func(protocols.ID) round[M]) trial.Algorithm {
	return families.Consensus(a, func(in *trial.Instance) func(protocols.ID) consensus.Process[rounds.Stamped[M]] {
		make := build(in)
		return func(p protocols.ID) consensus.Process[rounds.Stamped[M]] {
			made := make(p)
			return inRounds[M]{rounds.NewLockstep(made, in.Assumed), made}
		}
	})
}

// exactRounds: every message takes exactly the assumed bound. So time is counted in rounds.
func exactRounds(in *trial.Instance) bool {
	unit, _ := in.Unit()
	return in.ConstantDelay() && in.Assumed == unit
}

// Package consensus declares the built-in algorithms by which processes agree on a value.
package consensus

import (
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/protocols"
	"bullring/protocols/adversary"
	"bullring/protocols/consensus"
	"bullring/protocols/rounds"
)

// All returns the algorithms.
func All() []trial.Algorithm {
	return []trial.Algorithm{
		floodSetAlgorithm(),
		eigAlgorithm(),
		omAlgorithm(),
		phaseKingAlgorithm(),
		benOrAlgorithm(),
		chandraTouegAlgorithm(),
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

// protocol makes the processes of a synchronous consensus.
type protocol[M protocols.Message] struct {
	honest func(protocols.ID) round[M]
	// second is what a two-faced process is to the half of the processes with the larger addresses.
	second     func(protocols.ID) protocols.Round[M]
	repertoire adversary.Repertoire[M]
}

// inLockstep declares a synchronous consensus whose rounds take the assumed bound on delay.
func inLockstep[M protocols.Message](a trial.Algorithm, validity families.Validity, build func(*trial.Instance) protocol[M]) trial.Algorithm {
	for _, s := range strategies[M]() {
		a.Liars = append(a.Liars, s.Liar)
	}
	a.Metrics = append(a.Metrics, families.DecidedRound)
	return families.Consensus(a, validity, func(in *trial.Instance) func(protocols.ID) consensus.Process[rounds.Stamped[M]] {
		made, liars := build(in), in.Strategies()
		return func(p protocols.ID) consensus.Process[rounds.Stamped[M]] {
			for _, s := range strategies[M]() {
				if s.Name == liars[p] {
					return inRounds[M]{rounds.NewLockstep(s.lying(in, made, p), in.Assumed), undecided{}}
				}
			}
			honest := made.honest(p)
			return inRounds[M]{rounds.NewLockstep(honest, in.Assumed), honest}
		}
	})
}

// undecided is the decision of a Byzantine process.
type undecided struct{}

func (undecided) Decision() consensus.Decision { return consensus.Decision{} }

// strategyOf is a strategy of Byzantine processes in rounds.
type strategyOf[M protocols.Message] struct {
	trial.Liar
	lying func(*trial.Instance, protocol[M], protocols.ID) protocols.Round[M]
}

// strategies are the strategies of Byzantine processes in rounds.
func strategies[M protocols.Message]() []strategyOf[M] {
	return []strategyOf[M]{
		{trial.Liar{Name: "silent", Says: "sends nothing"}, func(_ *trial.Instance, made protocol[M], p protocols.ID) protocols.Round[M] {
			return adversary.Silent[M](made.honest(p))
		}},
		{trial.Liar{Name: trial.AnyLie, Says: "draws each message, or none, among those that a process could send"}, func(_ *trial.Instance, made protocol[M], p protocols.ID) protocols.Round[M] {
			return adversary.Random[M](made.honest(p), made.repertoire)
		}},
		{trial.Liar{Name: "two-faced", Says: "is honest to the processes below n/2, and says something else to the others"}, func(in *trial.Instance, made protocol[M], p protocols.ID) protocols.Round[M] {
			return adversary.TwoFaced[M](made.honest(p), made.second(p), func(q protocols.ID) bool { return int(q) < in.N/2 })
		}},
	}
}

// decidedBehind is the bound on the time of a consensus whose processes decide after that many rounds.
func decidedBehind(formula string, rounds func(*trial.Instance) (k int, ok bool)) trial.Bound {
	return trial.Bound{
		Name: "decided", Metric: "decided_time", Relation: trial.Exactly, Formula: formula,
		Convention: "every message takes exactly a round",
		Value: func(in *trial.Instance) (float64, bool) {
			k, ok := rounds(in)
			return float64(k), ok && in.InStep()
		},
	}
}

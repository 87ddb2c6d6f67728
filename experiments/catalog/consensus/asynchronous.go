package consensus

import (
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/protocols"
	"bullring/protocols/adversary"
	"bullring/protocols/consensus"
)

// unclocked makes the processes of an asynchronous consensus.
type unclocked[M protocols.Message] struct {
	honest func(protocols.ID) consensus.Process[M]
	// second is what a two-faced process is to the half of the processes with the larger addresses.
	second   func(protocols.ID) consensus.Process[M]
	versions func(M) []M
	told     func(m M, first bool) M
}

// withLiars declares an asynchronous consensus whose processes may be Byzantine.
func withLiars[M protocols.Message](a trial.Algorithm, validity families.Validity, build func(*trial.Instance) unclocked[M]) trial.Algorithm {
	for _, s := range adversary.Asynchronously {
		a.Liars = append(a.Liars, trial.Liar(s))
	}
	return families.Consensus(a, validity, func(in *trial.Instance) func(protocols.ID) consensus.Process[M] {
		made, liars := build(in), in.Strategies()
		return func(p protocols.ID) consensus.Process[M] {
			strategy, lies := liars[p]
			if !lies {
				return made.honest(p)
			}
			return liar[M]{adversary.Asynchronous[M]{
				Honest:   func() protocols.Process[M] { return made.honest(p) },
				Second:   func() protocols.Process[M] { return made.second(p) },
				First:    func(q protocols.ID) bool { return int(q) < in.N/2 },
				Versions: made.versions, Told: made.told,
			}.Lying(strategy), undecided{}}
		}
	})
}

// liar is a Byzantine process of an asynchronous consensus.
type liar[M protocols.Message] struct {
	protocols.Process[M]
	undecided
}

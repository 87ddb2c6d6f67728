package elections

import (
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/rounds"
)

// electionRound is a process of a synchronous election.
type electionRound[M any] interface {
	protocols.Round[M]
	election.Elector
}

// wrapped is a process of a synchronous election on a network without rounds. The Elector is
// the process of the algorithm inside.
type wrapped[M any] struct {
	protocols.Process[M]
	election.Elector
}

// TimerName implements [protocols.TimerNamer].
func (s wrapped[M]) TimerName(t protocols.Timer) string { return protocols.TimerName(s.Process, t) }

// inLockstep declares a synchronous election whose rounds take the assumed bound on
// delay.
func inLockstep[M protocols.Message](a trial.Algorithm, promise func(*trial.Instance) election.Promise,
	build func(*trial.Instance) func(protocols.ID) electionRound[M],
) trial.Algorithm {
	return families.Election(a, promise, func(in *trial.Instance) func(protocols.ID) election.Process[rounds.Stamped[M]] {
		make := build(in)
		return func(p protocols.ID) election.Process[rounds.Stamped[M]] {
			made := make(p)
			return wrapped[rounds.Stamped[M]]{rounds.NewLockstep(made, in.Assumed), made}
		}
	})
}

// behindAlpha declares a synchronous election on an asynchronous network.
func behindAlpha[M protocols.Message](a trial.Algorithm, promise func(*trial.Instance) election.Promise,
	build func(*trial.Instance) func(protocols.ID) electionRound[M],
) trial.Algorithm {
	return families.Election(a, promise, func(in *trial.Instance) func(protocols.ID) election.Process[rounds.AlphaMessage[M]] {
		make := build(in)
		return func(p protocols.ID) election.Process[rounds.AlphaMessage[M]] {
			made := make(p)
			return wrapped[rounds.AlphaMessage[M]]{rounds.NewAlpha(made), made}
		}
	})
}

// exactRounds: every message takes exactly the assumed bound. So time is counted in rounds.
func exactRounds(in *trial.Instance) bool {
	unit, _ := in.Unit()
	return in.ConstantDelay() && in.Assumed == unit
}

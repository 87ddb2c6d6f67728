package electiontest

import (
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/rounds"
)

// Round is a process of a synchronous election.
type Round[M any] interface {
	protocols.Round[M]
	election.Elector
}

// inRounds is the process of the algorithm together with what runs it.
type inRounds[M any] struct {
	protocols.Process[M]
	election.Elector
}

// TimerName implements [protocols.TimerNamer].
func (p inRounds[M]) TimerName(t protocols.Timer) string { return protocols.TimerName(p.Process, t) }

// Lockstep runs a synchronous election in rounds of one message time.
func Lockstep[M protocols.Message](r Round[M]) election.Process[rounds.Stamped[M]] {
	return inRounds[rounds.Stamped[M]]{rounds.NewLockstep(r, Unit), r}
}

// Alpha runs a synchronous election behind the synchronizer.
func Alpha[M protocols.Message](r Round[M]) election.Process[rounds.AlphaMessage[M]] {
	return inRounds[rounds.AlphaMessage[M]]{rounds.NewAlpha(r), r}
}

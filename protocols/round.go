package protocols

import "fmt"

// Round is a process of a synchronous algorithm with messages of type M. All
// processes go through the same rounds. In the first half of a round every process
// sends what its state says; in the second it moves to its next state by what has
// arrived (N. Lynch, "Distributed Algorithms", 1996, section 2.1). Package rounds
// makes a [Process] of it.
//
// Its node has neither timers nor a clock: the rounds are the only time.
type Round[M any] interface {
	// Start brings the process into the state in which it begins round 1.
	Start(n Node[M])
	// Messages sends the messages of a round, as the state says.
	Messages(n Node[M])
	// Transition moves from the state of a round to that of the next. It gets all
	// messages that arrived in the round, by the address of the sender, and those of
	// one sender in the order of the sends. The slice is valid during the call.
	Transition(n Node[M], arrived []Arrival[M])
	// Halted reports whether the process takes no part any more: no round follows.
	Halted() bool
}

// Arrival is a message that arrived in a round.
type Arrival[M any] struct {
	From    ID
	Message M
}

// String prints the arrival: TOKEN(3) from 0.
func (a Arrival[M]) String() string { return fmt.Sprintf("%v from %d", a.Message, a.From) }

// Rounder is an optional extension of a process whose rounds, ballots or terms are numbered. An
// explorer can stop there: see the option --rounds of explore.
type Rounder interface {
	// Round is the number of the round that the process is in, from 1. It is 0 before the first, and
	// negative if the process does not number them.
	Round() int
}

// RoundOf is the number of the round that a process is in. It is not numbered if the process is no
// Rounder.
func RoundOf(process any) (round int, numbered bool) {
	if r, ok := process.(Rounder); ok {
		round = r.Round()
		return round, round >= 0
	}
	return 0, false
}

// Sleeper is a Round that does nothing for many rounds while no message arrives. The
// driver does not call it in these rounds.
type Sleeper interface {
	// Sleep is called after Messages. It returns the number of rounds, from 1, after
	// which the process wakes, or Asleep, or Unchanged.
	Sleep() int
	// Wake tells that the time is over. Transition and Messages follow.
	Wake()
}

// What Sleep may return besides a number of rounds.
const (
	Unchanged = 0  // as the process said before
	Asleep    = -1 // until a message arrives
)

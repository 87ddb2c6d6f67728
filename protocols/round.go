package protocols

// Round is a process of a synchronous algorithm whose messages are of type M.
// All processes go through the same rounds, and each round has two halves: every
// process sends what its state tells it to, and then moves to its next state by what
// has arrived (N. Lynch, "Distributed Algorithms", 1996, section 2.1). Package
// rounds makes a [Process] of it.
//
// The node that it is given has no timers: the rounds are all the time there is.
type Round[M any] interface {
	// Start brings the process into the state in which it begins round 1.
	Start(n Node[M])
	// Messages sends the messages of a round, as the state says.
	Messages(n Node[M])
	// Transition moves from the state of a round to that of the next, given all
	// that arrived in it: by the address of the sender and, of one sender, in the
	// order of its sends. The slice is the callee's as long as it runs.
	Transition(n Node[M], arrived []Arrival[M])
	// Halted reports whether the process takes no part any more: no round follows.
	Halted() bool
}

// Arrival is a message that arrived in a round.
type Arrival[M any] struct {
	From    ID
	Message M
}

// Sleeper is implemented by a Round whose process does nothing for many rounds as
// long as nothing arrives. Then it need not be asked in each of them.
type Sleeper interface {
	// Sleep is asked behind Messages. It is the number of rounds, from 1, after
	// which the process is woken, or Asleep, or Unchanged.
	Sleep() int
	// Wake tells that the time is over. Transition and Messages follow.
	Wake()
}

// What a Sleeper may say beside a number of rounds.
const (
	Unchanged = 0  // it is woken when it has said before, if ever
	Asleep    = -1 // until something arrives
)

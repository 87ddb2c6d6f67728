// Package tokenring is mutual exclusion by a token that goes round a ring for ever. A
// process that wants to enter keeps it until it leaves.
//
// Paper: G. Le Lann, "Distributed systems: towards a formal approach", IFIP Congress
// 1977; A. Tanenbaum and M. van Steen, "Distributed Systems: Principles and Paradigms",
// 2nd edition, section 6.3.4.
//
// Model: asynchronous unidirectional ring, n unknown; reliable links that need not be
// FIFO; no crashes. For the loss of the token see regeneratingring.
//
// Cost, n > 1 processes, messages until the last client has left, the pass included
// with which it gives the token away:
//
//	one request   d+1, and the entry is at d, d the distance on the ring from the
//	              token to the requester; (n-1)/2 on average
//	all ask at 0  n; the k-th entry from 0 is at k(cs+1), cs the time inside
//	saturated     1 an entry: nR if each of n asks R times
//	idle          one each message time, and no end
//
// The counts but the last hold under every schedule.
//
// Invariants: there is one token, and the process inside has it. It goes round the ring,
// so no process enters twice while another waits.
//
// Deviations from Le Lann, who leaves these points open: (1) The token leaves at 0, after
// the processes that start at 0 have started. (2) A process that is alone keeps the token,
// without a message. (3) A process that comes back from a crash has no token.
package tokenring

import (
	"fmt"

	"bullring/protocols"
	"bullring/protocols/mutex"
)

// Message is the token. It carries nothing.
type Message struct{}

var kinds = []string{"TOKEN"}

func (Message) Kind() int       { return 0 }
func (Message) Kinds() []string { return kinds }
func (Message) Bits() int       { return 8 } // the kind
func (Message) String() string  { return kinds[0] }

// Lock is the lock of one process.
type Lock struct {
	token bool
	wants bool // from a request to its release
}

var (
	_ mutex.Lock[Message]          = (*Lock)(nil)
	_ protocols.Booter[Message]    = (*Lock)(nil)
	_ protocols.Recoverer[Message] = (*Lock)(nil)
)

// New returns the lock of a process. token: it has the token at the beginning.
func New(token bool) *Lock { return &Lock{token: token} }

// depart is the timer of the first pass of the token.
const depart protocols.Timer = 0

// Boot sends the token on its way, after the processes that start at the same time.
func (l *Lock) Boot(n protocols.Node[Message]) {
	if l.token {
		n.SetTimer(depart, 0)
	}
}

// Recover implements [protocols.Recoverer]: the token is lost.
func (l *Lock) Recover(n protocols.Node[Message]) {
	l.token = false
	n.StopTimer(depart)
}

// Request implements [mutex.Lock].
func (l *Lock) Request(protocols.Node[Message]) { l.wants = true }

// Granted implements [mutex.Lock].
func (l *Lock) Granted() bool { return l.wants && l.token }

// Release implements [mutex.Lock].
func (l *Lock) Release(n protocols.Node[Message]) {
	l.wants = false
	l.pass(n)
}

// Receive handles the token.
func (l *Lock) Receive(n protocols.Node[Message], _ protocols.ID, _ Message) {
	l.token = true
	if !l.wants {
		l.pass(n)
	}
}

// Timeout handles the timer of the first pass.
func (l *Lock) Timeout(n protocols.Node[Message], t protocols.Timer) {
	if t != depart {
		panic(fmt.Sprintf("tokenring: process %d never sets timer %d, yet it expired", n.ID(), t))
	}
	if l.token && !l.wants {
		l.pass(n)
	}
}

// TimerName implements [protocols.TimerNamer].
func (*Lock) TimerName(protocols.Timer) string { return "depart" }

// pass hands the token to the successor. A process that is alone keeps it.
func (l *Lock) pass(n protocols.Node[Message]) {
	if n.Degree() == 0 || n.Neighbor(0) == n.ID() {
		return
	}
	l.token = false
	n.Send(n.Neighbor(0), Message{})
}

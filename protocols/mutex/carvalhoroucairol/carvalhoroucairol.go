// Package carvalhoroucairol is mutual exclusion by the permission of all other processes.
// A permission holds until the process that gave it wants to enter itself.
//
// Paper: O. S. F. Carvalho and G. Roucairol, "On mutual exclusion in computer networks",
// CACM 26(2), 1983, on the algorithm of Ricart and Agrawala: see ricartagrawala.
//
// Model: asynchronous complete graph, reliable links that need not be FIFO. No
// crashes: a dead process gives no permission.
//
// Cost per entry, a message taking one unit:
//
//	messages               0 to 2(n-1): a REQUEST and a REPLY for every other process
//	                       whose permission is missing; 0 if no other has asked
//	                       since the last entry, 2(n-1) if all have
//	client delay           2, or 0 if no permission is missing
//	synchronization delay  1
//
// Invariants: at most one of two processes has the permission of the other, so at most
// one process has that of all others. A process inside gives none away.
//
// Deviations: no process has a permission at the beginning, so a first entry costs 2(n-1).
// Requests are not granted in the order in which they happened before each other. A process
// with permissions from before may enter ahead of another, whose request has reached
// processes that the first has heard from since, but not the first itself.
package carvalhoroucairol

import (
	"bullring/protocols"
	"bullring/protocols/mutex"
	"bullring/protocols/mutex/ricartagrawala"
)

// Message is one of Ricart and Agrawala's two.
type Message = ricartagrawala.Message

// Lock is the algorithm at one process.
type Lock struct {
	protocols.NoTimers[Message]

	id        protocols.ID
	waiting   bool
	inside    bool
	number    int64  // of its own last request
	highest   int64  // the highest sequence number that it has seen
	permitted []bool // by address: has given its permission to this process
	deferred  []bool // by address: gets its REPLY when this process leaves
}

var _ mutex.Lock[Message] = (*Lock)(nil)

// New returns the lock of the process at address id, one of n.
func New(id protocols.ID, n int) *Lock {
	l := &Lock{id: id, permitted: make([]bool, n), deferred: make([]bool, n)}
	l.permitted[id] = true
	return l
}

// Granted implements [mutex.Lock].
func (l *Lock) Granted() bool { return l.inside }

// Request asks the processes whose permission is missing.
func (l *Lock) Request(n protocols.Node[Message]) {
	l.waiting = true
	l.highest++
	l.number = l.highest
	for port := range n.Degree() {
		if p := n.Neighbor(port); !l.permitted[p] {
			n.Send(p, Message{Type: ricartagrawala.Request, Number: l.number})
		}
	}
	l.enterIfPermitted()
}

// Release implements [mutex.Lock]: deferred requests are answered now.
func (l *Lock) Release(n protocols.Node[Message]) {
	l.inside = false
	for port := range n.Degree() {
		if p := n.Neighbor(port); l.deferred[p] {
			l.deferred[p] = false
			l.permit(n, p)
		}
	}
}

// Receive handles the two messages.
func (l *Lock) Receive(n protocols.Node[Message], from protocols.ID, m Message) {
	switch m.Type {
	case ricartagrawala.Request:
		l.highest = max(l.highest, m.Number)
		if l.inside || l.waiting && l.first(from, m.Number) {
			l.deferred[from] = true
			return
		}
		had := l.permitted[from]
		l.permit(n, from)
		if l.waiting && had { // it was not asked, and has to be now
			n.Send(from, Message{Type: ricartagrawala.Request, Number: l.number})
		}
	case ricartagrawala.Reply:
		l.permitted[from] = true
		l.enterIfPermitted()
	default:
		panic(protocols.Unknown(m))
	}
}

// first reports whether the request of this process is earlier than another.
func (l *Lock) first(other protocols.ID, number int64) bool {
	return l.number < number || l.number == number && l.id < other
}

// permit gives permission. With it the process loses the permission of the other.
func (l *Lock) permit(n protocols.Node[Message], to protocols.ID) {
	l.permitted[to] = false
	n.Send(to, Message{Type: ricartagrawala.Reply})
}

// enterIfPermitted enters when all others have given permission.
func (l *Lock) enterIfPermitted() {
	if !l.waiting {
		return
	}
	for _, permitted := range l.permitted {
		if !permitted {
			return
		}
	}
	l.waiting, l.inside = false, true
}

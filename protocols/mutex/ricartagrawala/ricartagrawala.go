// Package ricartagrawala is mutual exclusion by the permission of everybody else,
// which a process defers while its own request is the older one, with the optimisation
// of Carvalho and Roucairol as a variant.
//
// Paper: G. Ricart and A. K. Agrawala, "An optimal algorithm for mutual exclusion in
// computer networks", CACM 24(1), 1981; O. S. F. Carvalho and G. Roucairol, "On mutual
// exclusion in computer networks", CACM 26(2), 1983.
//
// Model: asynchronous complete graph, reliable links that need not be FIFO, no
// crashes: whoever dies gives no permission any more, and nobody enters again.
//
// Cost per entry, a message taking one unit:
//
//	messages               2(n-1): n-1 REQUEST and as many REPLY
//	client delay           2
//	synchronization delay  1
//	permissions kept       0..2(n-1) messages: 0 if nobody else has asked since the
//	                       last entry, 2(n-1) if everybody has
//
// If all ask at 0 and stay for cs, the k-th entry, counted from 0, is that of process
// k at 2 + k(cs+1), after 2n(n-1) messages in all.
//
// Invariants: of two processes that ask, the one whose request is earlier, by sequence
// number and then by address, has not given its permission to the other. If permissions
// are kept, at most one of two processes has that of the other.
//
// Deviations: none from Ricart and Agrawala. Carvalho and Roucairol: nobody has a
// permission at the beginning, so that a first entry costs what it costs without the
// optimisation. With it, a process may enter on permissions that it has kept before
// one whose request it could have heard of: requests are not granted in the order in
// which they happened before each other.
package ricartagrawala

import (
	"fmt"

	"bullring/protocols"
	"bullring/protocols/mutex"
)

// Config chooses the variant. The zero value is that of Ricart and Agrawala.
type Config struct {
	// Keep: a permission holds until the process that gave it asks itself (Carvalho
	// and Roucairol), and not for one entry only.
	Keep bool
}

// Lock is the algorithm at one process.
type Lock struct {
	id        protocols.ID
	cfg       Config
	waiting   bool
	inside    bool
	number    int64  // of the process's own request, the last one
	highest   int64  // sequence number seen
	permitted []bool // by address, who has given permission
	deferred  []bool // by address, who gets a REPLY on leaving
}

var _ mutex.Lock[Message] = (*Lock)(nil)

// New returns the lock of the process at address id, one of n.
func New(id protocols.ID, n int, cfg Config) *Lock {
	return &Lock{id: id, cfg: cfg, permitted: make([]bool, n), deferred: make([]bool, n)}
}

// Granted implements [mutex.Lock].
func (l *Lock) Granted() bool { return l.inside }

// Request asks everybody whose permission the process does not have.
func (l *Lock) Request(n protocols.Node[Message]) {
	l.waiting = true
	l.highest++
	l.number = l.highest
	for port := range n.Degree() {
		if p := n.Neighbor(port); !l.permitted[p] {
			n.Send(p, Message{Request, l.number})
		}
	}
	l.enterIfPermitted(n)
}

// Release implements [mutex.Lock]: whoever was deferred is answered now.
func (l *Lock) Release(n protocols.Node[Message]) {
	l.inside = false
	for port := range n.Degree() {
		p := n.Neighbor(port)
		if l.deferred[p] || !l.cfg.Keep {
			l.permitted[p] = false
		}
		if l.deferred[p] {
			l.deferred[p] = false
			n.Send(p, Message{Type: Reply})
		}
	}
}

// Receive handles the two messages.
func (l *Lock) Receive(n protocols.Node[Message], from protocols.ID, m Message) {
	switch m.Type {
	case Request:
		l.highest = max(l.highest, m.Number)
		if l.inside || l.waiting && l.first(from, m.Number) {
			l.deferred[from] = true
			return
		}
		l.permit(n, from)
	case Reply:
		l.permitted[from] = true
		l.enterIfPermitted(n)
	default:
		panic(fmt.Sprintf("ricartagrawala: process %d received a message of unknown type %d", l.id, m.Type))
	}
}

// Timeout panics: the algorithm has no timers.
func (l *Lock) Timeout(_ protocols.Node[Message], t protocols.Timer) {
	panic(fmt.Sprintf("ricartagrawala: process %d never sets a timer, yet timer %d expired", l.id, t))
}

// first reports whether the process's own request is earlier than another.
func (l *Lock) first(other protocols.ID, number int64) bool {
	return l.number < number || l.number == number && l.id < other
}

// permit answers a request at once. Who gives away a permission that it has kept, and
// waits itself, has to ask for it again.
func (l *Lock) permit(n protocols.Node[Message], to protocols.ID) {
	n.Send(to, Message{Type: Reply})
	if l.cfg.Keep && l.permitted[to] {
		l.permitted[to] = false
		if l.waiting {
			n.Send(to, Message{Request, l.number})
		}
	}
}

// enterIfPermitted enters when everybody else has given permission.
func (l *Lock) enterIfPermitted(n protocols.Node[Message]) {
	if !l.waiting {
		return
	}
	for port := range n.Degree() {
		if !l.permitted[n.Neighbor(port)] {
			return
		}
	}
	l.waiting, l.inside = false, true
}

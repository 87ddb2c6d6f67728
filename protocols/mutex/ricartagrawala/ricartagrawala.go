// Package ricartagrawala is mutual exclusion by the permission of all other processes. A
// process defers its permission while its own request is the older one.
//
// Paper: G. Ricart and A. K. Agrawala, "An optimal algorithm for mutual exclusion in
// computer networks", CACM 24(1), 1981; with clocks: G. Coulouris, J. Dollimore, T.
// Kindberg and G. Blair, "Distributed Systems: Concepts and Design", 5th edition,
// section 15.2.
//
// Model: asynchronous complete graph, reliable links that need not be FIFO. No
// crashes: a dead process gives no permission, and no process enters again.
//
// Cost per entry, a message taking one unit:
//
//	messages               2(n-1): n-1 REQUEST and as many REPLY
//	client delay           2
//	synchronization delay  1
//
// If all ask at 0 and stay for cs, the k-th entry, counted from 0, is that of process
// k at 2 + k(cs+1), after 2n(n-1) messages in all.
//
// Invariants: of two processes that ask, the one whose request is earlier, by sequence
// number and then by address, has not given its permission to the other.
//
// Order: a request is granted before another that happened after it (ME3) only with
// reply=clock. In the paper a REPLY carries nothing. So a process that has heard of a request
// only by a REPLY has not seen its number. It may ask with an equal number and, if its
// address is lower, enter first. The processes of Coulouris et al. keep Lamport's clocks,
// which every message carries, and they state ME3. With reply=clock a REPLY carries the largest
// number that its sender has seen. That is its clock as far as requests need it: a request
// has a larger number than all that happened before it.
//
// Deviations: none from the paper. With reply=clock, a clock counts requests and not every
// event.
package ricartagrawala

import (
	"bullring/protocols"
	"bullring/protocols/mutex"
)

// Config is the same for all processes. The zero value is the paper's algorithm.
type Config struct {
	Clocks bool // a REPLY carries the largest number seen
}

// Lock is the algorithm at one process.
type Lock struct {
	protocols.NoTimers[Message]

	id       protocols.ID
	cfg      Config
	waiting  bool
	inside   bool
	number   int64  // of its own last request
	highest  int64  // the highest sequence number that it has seen
	missing  int    // the number of missing replies
	deferred []bool // by address: gets its REPLY when this process leaves
}

var _ mutex.Lock[Message] = (*Lock)(nil)

// New returns the lock of the process at address id, one of n.
func New(id protocols.ID, n int, cfg Config) *Lock {
	return &Lock{id: id, cfg: cfg, deferred: make([]bool, n)}
}

// Granted implements [mutex.Lock].
func (l *Lock) Granted() bool { return l.inside }

// Request asks all others.
func (l *Lock) Request(n protocols.Node[Message]) {
	l.waiting = true
	l.highest++
	l.number, l.missing = l.highest, n.Degree()
	for port := range n.Degree() {
		n.Send(n.Neighbor(port), Message{Request, l.number})
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
	l.highest = max(l.highest, m.Number)
	switch m.Type {
	case Request:
		if l.inside || l.waiting && l.first(from, m.Number) {
			l.deferred[from] = true
		} else {
			l.permit(n, from)
		}
	case Reply:
		l.missing--
		l.enterIfPermitted()
	default:
		panic(protocols.Unknown(m))
	}
}

// permit gives permission.
func (l *Lock) permit(n protocols.Node[Message], p protocols.ID) {
	reply := Message{Type: Reply}
	if l.cfg.Clocks {
		reply.Number = l.highest
	}
	n.Send(p, reply)
}

// first reports whether the request of this process is earlier than another.
func (l *Lock) first(other protocols.ID, number int64) bool {
	return l.number < number || l.number == number && l.id < other
}

// enterIfPermitted enters when all others have given permission.
func (l *Lock) enterIfPermitted() {
	if l.waiting && l.missing == 0 {
		l.waiting, l.inside = false, true
	}
}

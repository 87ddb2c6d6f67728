// Package suzukikasami is the mutual exclusion of Suzuki and Kasami. A process that wants
// to enter tells all others. The token carries enough to know which requests are still
// open, so it goes straight to the next process.
//
// Paper: I. Suzuki and T. Kasami, "A distributed mutual exclusion algorithm", ACM
// TOCS 3(4), 1985.
//
// Model: asynchronous complete graph, n known; reliable links, no crashes. Links need
// not be FIFO: requests are numbered.
//
// Cost, n processes, messages for one entry, under every schedule:
//
//	with the token       0
//	without it           n: n-1 REQUEST and the TOKEN
//	all ask at 0         (n-1)^2 REQUEST and n-1 TOKEN, together n(n-1): the first
//	                     has the token
//
// Time: 2 without the token if no other asks; 1 from an exit to the next entry. If
// all ask at 0 and stay inside for cs, the k-th entry from 0 is at k(cs+1), or at k+1
// if cs is less than 1: the first leaves before it has heard of the others.
//
// Invariants: there is one token. No request is granted twice: a request is open if its
// number follows the last that the token knows to be granted. The queue of the token holds
// open requests only, at most one of each process.
//
// Deviations from the paper: (1) The process does not wait inside a procedure; it goes
// on when TOKEN arrives. (2) REQUEST does not carry the address of its sender, which
// the link tells. (3) A process that leaves looks at the others in the order of the ring,
// from its successor on; the paper leaves the order open.
package suzukikasami

import (
	"fmt"
	"slices"

	"bullring/protocols"
	"bullring/protocols/mutex"
)

// Lock is the lock of one process.
type Lock struct {
	protocols.NoTimers[Message]

	requested []int // by address, the largest number of a request (RN)
	wants     bool  // from a request to its release
	token     bool
	served    []int          // of the token (LN)
	queue     []protocols.ID // of the token (Q)
}

var _ mutex.Lock[Message] = (*Lock)(nil)

// New returns the lock of one of n processes. token: it has the token at the beginning.
// New panics unless n > 0.
func New(n int, token bool) *Lock {
	if n < 1 {
		panic(fmt.Sprintf("suzukikasami: one of %d processes", n))
	}
	l := &Lock{requested: make([]int, n), token: token}
	if token {
		l.served = make([]int, n)
	}
	return l
}

// Request implements [mutex.Lock].
func (l *Lock) Request(n protocols.Node[Message]) {
	l.wants = true
	if l.token {
		return
	}
	l.requested[n.ID()]++
	for port := range n.Degree() {
		n.Send(n.Neighbor(port), Message{Type: Request, Number: l.requested[n.ID()]})
	}
}

// Granted implements [mutex.Lock].
func (l *Lock) Granted() bool { return l.wants && l.token }

// Release implements [mutex.Lock]: it appends the open requests to the queue, and hands
// the token to the first.
func (l *Lock) Release(n protocols.Node[Message]) {
	l.wants = false
	l.served[n.ID()] = l.requested[n.ID()]
	for port := range n.Degree() {
		if p := n.Neighbor(port); l.open(p) && !slices.Contains(l.queue, p) {
			l.queue = append(l.queue, p)
		}
	}
	if len(l.queue) > 0 {
		l.pass(n, l.queue[0], l.queue[1:])
	}
}

// Receive handles the two messages.
func (l *Lock) Receive(n protocols.Node[Message], from protocols.ID, m Message) {
	switch m.Type {
	case Request:
		l.requested[from] = max(l.requested[from], m.Number)
		if l.token && !l.wants && l.open(from) {
			l.pass(n, from, l.queue)
		}
	case Token:
		l.token, l.served, l.queue = true, slices.Clone(m.Served), slices.Clone(m.Queue)
	default:
		panic(protocols.Unknown(m))
	}
}

// open reports whether this process knows that another waits.
func (l *Lock) open(p protocols.ID) bool { return l.requested[p] == l.served[p]+1 }

// pass hands the token, with a queue, to a process.
func (l *Lock) pass(n protocols.Node[Message], to protocols.ID, queue []protocols.ID) {
	n.Send(to, Message{Type: Token, Served: l.served, Queue: queue})
	l.token, l.served, l.queue = false, nil, nil
}

// Package raymond is Raymond's mutual exclusion on a tree. The token sits at a node, and
// every other node knows which of its neighbours is nearer to it. Requests go that way;
// a node sends one for all that it was asked for. The token comes back the same way.
//
// Paper: K. Raymond, "A tree-based algorithm for distributed mutual exclusion", ACM
// TOCS 7(1), 1989.
//
// Model: asynchronous network whose edges contain a tree over all processes; reliable
// links, no crashes. Links need not be FIFO: the only message that can overtake
// another is a REQUEST behind a PRIVILEGE, at a node that has asked already.
//
// Cost, N processes, messages:
//
//	one asks             2d, d the distance in the tree from the requester to the
//	                     token; time 2d
//	all ask at 0         4(N-1) - 2L, L the distance from the initial holder to the
//	                     last to be served: the token goes along an Euler tour of the
//	                     tree without the way back
//	all ask, R times     4R(N-1) - 2L: one Euler tour a round, so 4(N-1)/N an entry,
//	                     Raymond's "approximately 4" under heavy demand; a process
//	                     that is inside for less than a message time goes in again
//	                     before others
//	light demand         twice the mean distance: 2(N+1)/3 on a path, 4-4/N on a star
//	                     if another than the last asks, each as likely
//	any                  at rest as many PRIVILEGE as REQUEST, each the answer to
//	                     one; no more than 2D an entry, D the diameter of the tree
//
// The second and third hold with equal delays, the others under every schedule.
//
// Invariants: there is one token. Following holder from any node leads to it, or to a
// PRIVILEGE under way, along the edges of the tree. A node has at most one open REQUEST,
// and a neighbour stands at most once in its queue; so a queue holds at most one entry for
// each neighbour and one for the node itself.
//
// Deviations from the paper: (1) Nodes know at the beginning which neighbour is
// nearer to the token; the paper floods INITIALIZE messages. (2) Recovery, for which
// the paper asks the neighbours, is left out.
package raymond

import (
	"bullring/protocols"
	"bullring/protocols/mutex"
)

// Message carries nothing.
type Message uint8

// The two messages.
const (
	Request   Message = iota // towards the token
	Privilege                // the token, on the way back
)

var kinds = []string{"REQUEST", "PRIVILEGE"}

func (m Message) Kind() int      { return int(m) }
func (Message) Kinds() []string  { return kinds }
func (Message) Bits() int        { return 8 } // the kind
func (m Message) String() string { return kinds[m] }

// Lock is the lock of one process.
type Lock struct {
	protocols.NoTimers[Message]

	holder protocols.ID   // the process itself, or the neighbour that is nearer to the token
	using  bool           // it is inside
	asked  bool           // it has an open REQUEST to holder
	queue  []protocols.ID // the neighbours that want the token, and the process itself
}

var _ mutex.Lock[Message] = (*Lock)(nil)

// New returns the lock of a process. holder is the neighbour that is nearer to the
// token, or the process itself if it has the token.
func New(holder protocols.ID) *Lock { return &Lock{holder: holder, queue: []protocols.ID{}} }

// Request implements [mutex.Lock].
func (l *Lock) Request(n protocols.Node[Message]) {
	l.queue = append(l.queue, n.ID())
	l.assign(n)
	l.ask(n)
}

// Granted implements [mutex.Lock].
func (l *Lock) Granted() bool { return l.using }

// Release implements [mutex.Lock].
func (l *Lock) Release(n protocols.Node[Message]) {
	l.using = false
	l.assign(n)
	l.ask(n)
}

// Receive handles the two messages.
func (l *Lock) Receive(n protocols.Node[Message], from protocols.ID, m Message) {
	switch m {
	case Request:
		l.queue = append(l.queue, from)
	case Privilege:
		l.holder = n.ID()
	default:
		panic(protocols.Unknown(m))
	}
	l.assign(n)
	l.ask(n)
}

// assign gives the token to the first of the queue: the paper's ASSIGN_PRIVILEGE.
func (l *Lock) assign(n protocols.Node[Message]) {
	if l.holder != n.ID() || l.using || len(l.queue) == 0 {
		return
	}
	l.holder, l.queue = l.queue[0], l.queue[1:]
	l.asked = false
	if l.holder == n.ID() {
		l.using = true
	} else {
		n.Send(l.holder, Privilege)
	}
}

// ask asks for the token for the first of the queue: the paper's MAKE_REQUEST.
func (l *Lock) ask(n protocols.Node[Message]) {
	if l.holder == n.ID() || l.asked || len(l.queue) == 0 {
		return
	}
	n.Send(l.holder, Request)
	l.asked = true
}

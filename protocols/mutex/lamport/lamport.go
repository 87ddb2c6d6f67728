// Package lamport is mutual exclusion by a queue of requests in the order of logical
// time. Every process has a copy of the queue.
//
// Paper: L. Lamport, "Time, clocks, and the ordering of events in a distributed
// system", CACM 21(7), 1978, the algorithm for the mutual exclusion problem.
//
// Model: asynchronous complete graph, reliable FIFO links. No crashes: a process enters
// only when it has heard from all others.
//
// Cost per entry, a message taking one unit:
//
//	messages               3(n-1): n-1 each of REQUEST, REPLY and RELEASE
//	optimised              from 2(n-1) to 3(n-1)
//	client delay           2
//	synchronization delay  1
//
// If all ask at 0 and stay for cs, the k-th entry, counted from 0, is that of process
// k at 1 + k(cs+1): the requests of the others, which come later in the total order,
// tell the first what their replies would. That takes 3n(n-1) messages; optimised, one
// REPLY less for every two processes.
//
// Invariants: a process that is inside has the first request of its queue, and has a later
// message from each other process. Links are FIFO, so every earlier request is in its
// queue then.
//
// Deviations: the queue has one place for each process, as no process has two requests
// under way. An answer to a message has the time of its receipt: both are one event. The
// optimised variant is not Lamport's: a process sends no REPLY to a request that is earlier
// than its own open one, for its REQUEST is the later message.
package lamport

import (
	"bullring/protocols"
	"bullring/protocols/mutex"
)

// Message carries the time of its sender.
type Message = mutex.Timed[kinds]

// The three messages.
const (
	Request protocols.Type = iota // puts a request into the queue of the receiver
	Reply                         // acknowledges it
	Release                       // takes it out
)

// kinds names the messages.
type kinds struct{}

func (kinds) Names() []string { return names }

var names = []string{"REQUEST", "REPLY", "RELEASE"}

// Config chooses the variant. The zero value is Lamport's algorithm.
type Config struct {
	// Optimised: a later REQUEST serves as the REPLY.
	Optimised bool
}

// Lock is the algorithm at one process.
type Lock struct {
	protocols.NoTimers[Message]

	id     protocols.ID
	cfg    Config
	clock  int64
	inside bool
	queue  []int64 // by address, the time of the open request; 0 if there is none
	heard  []int64 // by address, the time of the last message
}

var _ mutex.Lock[Message] = (*Lock)(nil)

// New returns the lock of the process at address id, one of n.
func New(id protocols.ID, n int, cfg Config) *Lock {
	return &Lock{id: id, cfg: cfg, queue: make([]int64, n), heard: make([]int64, n)}
}

// Granted implements [mutex.Lock].
func (l *Lock) Granted() bool { return l.inside }

// Request implements [mutex.Lock].
func (l *Lock) Request(n protocols.Node[Message]) {
	l.queue[l.id] = l.tell(n, Request)
	l.enterIfFirst()
}

// Release implements [mutex.Lock].
func (l *Lock) Release(n protocols.Node[Message]) {
	l.inside = false
	l.queue[l.id] = 0
	l.tell(n, Release)
}

// Receive handles the three messages.
func (l *Lock) Receive(n protocols.Node[Message], from protocols.ID, m Message) {
	if m.Type > Release {
		panic(protocols.Unknown(m))
	}
	l.clock = max(l.clock, m.Time) + 1
	l.heard[from] = m.Time
	switch m.Type {
	case Request:
		l.queue[from] = m.Time
		if !l.cfg.Optimised || !l.asksAfter(m.Time, from) {
			n.Send(from, Message{Type: Reply, Time: l.clock})
		}
	case Release:
		l.queue[from] = 0
	}
	l.enterIfFirst()
}

// tell sends a message to all others, and returns its time.
func (l *Lock) tell(n protocols.Node[Message], what protocols.Type) int64 {
	l.clock++
	for port := range n.Degree() {
		n.Send(n.Neighbor(port), Message{Type: what, Time: l.clock})
	}
	return l.clock
}

// asksAfter reports whether the process has an open request that is later than that of
// another.
func (l *Lock) asksAfter(time int64, other protocols.ID) bool {
	own := l.queue[l.id]
	return own > 0 && before(time, other, own, l.id)
}

// before is Lamport's total order.
func before(t1 int64, p1 protocols.ID, t2 int64, p2 protocols.ID) bool {
	return t1 < t2 || t1 == t2 && p1 < p2
}

// enterIfFirst enters if the request of the process is before all others in the queue,
// and before the last message of each other process.
func (l *Lock) enterIfFirst() {
	own := l.queue[l.id]
	if own == 0 || l.inside {
		return
	}
	for i := range l.queue {
		p := protocols.ID(i)
		if p == l.id {
			continue
		}
		if l.queue[p] > 0 && before(l.queue[p], p, own, l.id) || !before(own, l.id, l.heard[p], p) {
			return
		}
	}
	l.inside = true
}

// Package centralized is mutual exclusion by a coordinator: it lets one process in at a
// time, and the others wait in line.
//
// Paper: textbook; A. S. Tanenbaum and M. van Steen, "Distributed Systems", section
// "A centralized algorithm"; G. Coulouris, J. Dollimore, T. Kindberg and G. Blair,
// "Distributed Systems: Concepts and Design", 5th edition, section 15.2, "The
// central server algorithm".
//
// Model: asynchronous, reliable links between the coordinator and all other processes;
// no crashes. The coordinator may be one of the clients, or a server of its own
// that asks for nothing.
//
// Cost per entry, a message taking one unit:
//
//	messages               3: REQUEST, GRANT, RELEASE; 0 if the coordinator enters
//	client delay           2
//	synchronization delay  2: RELEASE and GRANT; 1 if the coordinator leaves or enters
//
// If all ask at 0 and stay for cs, the k-th entry, counted from 0, is at 2 + k(cs+2)
// with a server of its own. Otherwise the coordinator enters first, at 0, and the k-th of
// the others, counted from 1, at max(1, cs) + 1 + (k-1)(cs+2).
//
// Invariants: the coordinator has given its permission to at most one process, and
// gives it again only when it has it back. It grants requests in the order in which they
// reach it, its own at the moment of asking.
//
// A change of coordinators. A live process is named the coordinator of a new term. All live
// processes show it their state, in the messages that there are: a process inside repeats
// its GRANT, a waiting one its REQUEST, and any other sends RELEASE. When the new
// coordinator has heard of all live processes it lets the next one in, unless one is
// inside: s-1 messages among s. This relies on FIFO links, on a failure detector that
// makes no mistakes, and on messages of other terms being dropped. A coordinator that is
// asked to look again takes back the permission of a process that has died with it.
//
// Deviations: the textbooks leave open how a failed coordinator is replaced. What the
// coordinator tells itself is no message.
package centralized

import (
	"slices"

	"bullring/protocols"
	"bullring/protocols/mutex"
)

// Message carries nothing.
type Message uint8

// The three messages.
const (
	Request Message = iota // asks the coordinator for permission
	Grant                  // gives it
	Release                // gives it back
)

var kinds = []string{"REQUEST", "GRANT", "RELEASE"}

func (m Message) Kind() int      { return int(m) }
func (Message) Kinds() []string  { return kinds }
func (Message) Bits() int        { return 8 } // the kind
func (m Message) String() string { return kinds[m] }

// nobody is the address of no process.
const nobody protocols.ID = -1

// Lock is the algorithm at one process.
type Lock struct {
	protocols.NoTimers[Message]

	id          protocols.ID
	coordinator protocols.ID
	waiting     bool // has asked, and is not inside yet
	granted     bool

	// As the coordinator.
	holder protocols.ID   // the process that has the permission
	queue  []protocols.ID // the processes that wait for it, in the order of their requests

	term  int
	heard []bool // of a new coordinator: by address, who has shown its state; nil when all have
}

var _ mutex.Coordinated[Message] = (*Lock)(nil)

// New returns the lock of the process at address id, which asks the coordinator.
func New(id, coordinator protocols.ID) *Lock {
	return &Lock{id: id, coordinator: coordinator, holder: nobody, queue: []protocols.ID{}}
}

// Granted implements [mutex.Lock].
func (l *Lock) Granted() bool { return l.granted }

// Request implements [mutex.Lock].
func (l *Lock) Request(n protocols.Node[Message]) {
	l.waiting = true
	l.tell(n, l.coordinator, Request)
}

// Release implements [mutex.Lock].
func (l *Lock) Release(n protocols.Node[Message]) {
	l.granted = false
	l.tell(n, l.coordinator, Release)
}

// Receive handles the three messages.
func (l *Lock) Receive(n protocols.Node[Message], from protocols.ID, m Message) {
	switch m {
	case Request:
		l.asked(n, from)
	case Grant:
		switch {
		case l.heard != nil: // the sender is inside
			l.holder = from
		case l.waiting && from == l.coordinator: // a second GRANT has no effect
			l.waiting, l.granted = false, true
		}
	case Release:
		if from == l.holder { // otherwise it was not inside, or the permission was taken back
			l.next(n)
		}
	default:
		panic(protocols.Unknown(m))
	}
	if l.heard != nil {
		l.heard[from] = true
		l.conclude(n)
	}
}

// Waits implements [mutex.Coordinated].
func (l *Lock) Waits() bool { return l.waiting || l.heard != nil || len(l.queue) > 0 }

// Coordinator implements [mutex.Coordinated].
func (l *Lock) Coordinator(n protocols.Node[Message], who protocols.ID, term int) {
	switch {
	case term > l.term:
		l.coordinator, l.term = who, term
		l.holder, l.queue, l.heard = nobody, []protocols.ID{}, nil
		if who == l.id {
			l.heard = make([]bool, n.Degree()+1)
		}
		l.show(n)
	case who != l.id || term < l.term:
	case l.heard != nil:
		l.conclude(n)
	case l.holder != nobody && n.Suspects(l.holder):
		l.next(n)
	}
}

// show shows the state of the process to a new coordinator.
func (l *Lock) show(n protocols.Node[Message]) {
	switch {
	case l.granted:
		l.tell(n, l.coordinator, Grant)
	case l.waiting:
		l.tell(n, l.coordinator, Request)
	default:
		l.tell(n, l.coordinator, Release)
	}
}

// conclude ends the change of coordinators when the new one knows the state of all live
// processes: it lets the next one in.
func (l *Lock) conclude(n protocols.Node[Message]) {
	for q, heard := range l.heard {
		if q := protocols.ID(q); !heard && q != l.id && !n.Suspects(q) {
			return
		}
	}
	l.heard = nil
	if l.holder == nobody {
		l.next(n)
	}
}

// asked is the coordinator's answer to a request: it lets the process in, or queues it.
func (l *Lock) asked(n protocols.Node[Message], who protocols.ID) {
	if l.holder != nobody || l.heard != nil {
		l.queue = append(l.queue, who)
		return
	}
	l.holder = who
	l.tell(n, who, Grant)
}

// next is called when the coordinator has its permission back. It lets the next process
// in, unless a change of coordinators is under way.
func (l *Lock) next(n protocols.Node[Message]) {
	l.holder = nobody
	if len(l.queue) > 0 && l.heard == nil {
		l.holder = l.queue[0]
		l.queue = slices.Delete(l.queue, 0, 1)
		l.tell(n, l.holder, Grant)
	}
}

// tell sends a message, or handles it here if it is to the process itself.
func (l *Lock) tell(n protocols.Node[Message], to protocols.ID, m Message) {
	if to == l.id {
		l.Receive(n, to, m)
		return
	}
	n.Send(to, m)
}

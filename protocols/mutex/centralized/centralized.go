// Package centralized is mutual exclusion by a coordinator: it lets one process in
// at a time and has the others wait in line.
//
// Paper: textbook; A. S. Tanenbaum and M. van Steen, "Distributed Systems", section
// "A centralized algorithm"; G. Coulouris, J. Dollimore, T. Kindberg and G. Blair,
// "Distributed Systems: Concepts and Design", 5th edition, section 15.2, "The
// central server algorithm".
//
// Model: asynchronous, reliable links between the coordinator and everybody else;
// no crashes. The coordinator may be one of those who ask, or a server of its own
// that asks for nothing.
//
// Cost per entry, a message taking one unit:
//
//	messages               3: REQUEST, GRANT, RELEASE; 0 if the coordinator enters
//	client delay           2
//	synchronization delay  2: RELEASE and GRANT; 1 if the coordinator leaves or enters
//
// If all ask at 0 and stay for cs, the k-th entry, counted from 0, is at 2 + k(cs+2)
// with a server of its own. Else the coordinator enters first, at 0, and the k-th of
// the others, counted from 1, at max(1, cs) + 1 + (k-1)(cs+2).
//
// Invariants: the coordinator has given its permission to one process at most, and
// gives it again only when it has it back. Permission is given in the order in which
// requests reach the coordinator, its own the moment it asks.
//
// A change of coordinators. Somebody who lives is named the coordinator of a new term.
// Everybody who lives shows the new one how far it is, in the messages that there are:
// whoever is inside its GRANT, whoever waits a REQUEST once more, and everybody else a
// RELEASE. When the new coordinator has heard of all who live it lets the next one in,
// unless somebody is inside: s-1 messages among s. In what is said of the time before it
// relies on links that are FIFO, and on nobody who hears what is of another term; a
// failure detector that is right says who lives. Asked to look again, a coordinator takes
// back the permission of whoever has died with it.
//
// Deviations: the textbooks leave open how a coordinator that has failed is replaced.
// What the coordinator tells itself is no message.
package centralized

import (
	"slices"

	"bullring/protocols"
	"bullring/protocols/mutex"
)

// Message is one of the three messages; it carries nothing.
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

	// The coordinator's alone.
	holder protocols.ID   // who has the permission
	queue  []protocols.ID // who waits for it, in the order of the requests

	term  int
	heard []bool // who has shown a new coordinator how far it is, by address; nil if it knows of all
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
		case l.heard != nil: // whoever shows it is inside
			l.holder = from
		case l.waiting && from == l.coordinator: // a second GRANT is nobody's
			l.waiting, l.granted = false, true
		}
	case Release:
		if from == l.holder { // else it was not inside, or has died and the permission is back
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
	case l.holder != nobody && protocols.Suspects(n, l.holder):
		l.next(n)
	}
}

// show shows a new coordinator how far the process is.
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

// conclude ends the change of coordinators when the new one knows how far all are who
// live: it lets the next one in.
func (l *Lock) conclude(n protocols.Node[Message]) {
	for q, heard := range l.heard {
		if q := protocols.ID(q); !heard && q != l.id && !protocols.Suspects(n, q) {
			return
		}
	}
	l.heard = nil
	if l.holder == nobody {
		l.next(n)
	}
}

// asked has the coordinator let a process in or wait in line.
func (l *Lock) asked(n protocols.Node[Message], who protocols.ID) {
	if l.holder != nobody || l.heard != nil {
		l.queue = append(l.queue, who)
		return
	}
	l.holder = who
	l.tell(n, who, Grant)
}

// next has the coordinator, which has its permission back, let the next one in, unless
// it does not know yet how far all are.
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

// Package reverselink is the Reverse Link algorithm of Walter, Welch and Vaidya: mutual exclusion for
// networks whose links come and go. Each link points from the higher to the lower height, and all ways
// lead to the token. Requests go to the lowest neighbour, which sends one for all that it was asked for,
// as in Raymond's algorithm. A process that has lost its last way down raises its height, by the partial
// reversal of Gafni and Bertsekas.
//
// Paper: J. E. Walter, J. L. Welch and N. H. Vaidya, "A mutual exclusion algorithm for ad hoc mobile
// networks", Wireless Networks 7(6), 2001. Of its text only the beginning was at hand: this was written
// from what is known of the algorithm, and has not been compared with the published pseudocode.
//
// Model: any connected graph, whose links come and go; both ends are told at once. Links are FIFO, delays
// have no bound. No crash. A link goes down only when nothing is under way on it, and the graph stays
// connected. The paper assumes that link failures are detected before they happen, and that the network
// is not partitioned.
//
// Promise, beyond the model: there are never two tokens. If the token is lost with its link, or a process
// is cut off from it, requests are not granted; neighbours without a way to the token raise their heights
// for ever. Once the graph is connected again, what was cut off is served.
//
// A height is (h1, h2, id), compared from the left. The holder of the token is the lowest of all.
//
// Cost on a graph that never changes, a broadcast counted once:
//
//	one asks    3d, d the distance from the requester to the holder; time 2d
//	on a tree   as many REQUEST and TOKEN as Raymond's algorithm, and a LINKINFO
//	            for each TOKEN: where all ask at 0, delays are equal and links
//	            FIFO
//
// Invariants:
//
//	(a) There is one token, or none.
//	(b) A process only raises its height, unless it gets the token: then it is
//	    below all others.
//	(c) A queue has each neighbour at most once, and only neighbours that are
//	    higher.
//
// Deviations: (1) Each process knows the first heights of all: the distance to the holder in the
// topology. If links of the topology are not there at first, a process without a way down raises its
// height when it boots. (2) LINKINFO is a broadcast, which also reaches neighbours whose link is forming.
// So the paper's record of what these were told is not needed.
package reverselink

import (
	"cmp"
	"slices"

	"bullring/protocols"
	"bullring/protocols/mutex"
)

// neighbor is what a process knows of one of its neighbours.
type neighbor struct {
	who     protocols.ID
	forming bool   // no height has arrived from it since the link came up
	awaited bool   // it was sent the token, and has not confirmed the height that it has with it
	height  Height // unless the link is forming
}

// Lock is the lock of one process.
type Lock struct {
	protocols.NoTimers[Message]

	height    Height
	first     []Height // the first height of each process
	token     bool
	using     bool           // it is inside
	next      protocols.ID   // to which it has sent its last REQUEST or the TOKEN
	neighbors []neighbor     // ascending
	queue     []protocols.ID // the neighbours that want the token, and the process itself
}

var (
	_ mutex.Lock[Message]       = (*Lock)(nil)
	_ mutex.Carrier             = (*Lock)(nil)
	_ protocols.Linked[Message] = (*Lock)(nil)
	_ protocols.Booter[Message] = (*Lock)(nil)
)

// New returns the lock of a process. distances are those of all processes to the holder of the token, by
// address.
func New(id protocols.ID, distances []int) *Lock {
	l := &Lock{first: make([]Height, len(distances)), next: id, queue: []protocols.ID{}}
	for p, d := range distances {
		l.first[p] = Height{H2: d, ID: protocols.ID(p)}
	}
	l.height, l.token = l.first[id], distances[id] == 0
	return l
}

// Boot implements [protocols.Booter].
func (l *Lock) Boot(n protocols.Node[Message]) {
	for _, q := range protocols.Neighbors(n) {
		l.neighbors = append(l.neighbors, neighbor{who: q, height: l.first[q]})
	}
	l.first = nil
	l.reroute(n)
}

// Request implements [mutex.Lock].
func (l *Lock) Request(n protocols.Node[Message]) {
	l.enqueue(n.ID())
	l.serve(n)
}

// Granted implements [mutex.Lock].
func (l *Lock) Granted() bool { return l.using }

// HasToken implements [mutex.Carrier].
func (l *Lock) HasToken() bool { return l.token }

// Release implements [mutex.Lock].
func (l *Lock) Release(n protocols.Node[Message]) {
	l.using = false
	l.serve(n)
}

// LinkUp implements [protocols.Linked].
func (l *Lock) LinkUp(n protocols.Node[Message], q protocols.ID) {
	i, _ := l.find(q)
	l.neighbors = slices.Insert(l.neighbors, i, neighbor{who: q, forming: true})
	n.Send(q, Message{LinkInfo, l.height})
}

// LinkDown implements [protocols.Linked].
func (l *Lock) LinkDown(n protocols.Node[Message], q protocols.ID) {
	i, _ := l.find(q)
	l.neighbors = slices.Delete(l.neighbors, i, i+1)
	l.strike(q)
	if l.next == q {
		l.next = n.ID() // also if the link comes up again: what was sent there may be lost
	}
	l.reroute(n)
}

// Receive handles the three messages. A message that has outlived its link is not in the model, and only
// the token in it counts.
func (l *Lock) Receive(n protocols.Node[Message], from protocols.ID, m Message) {
	if m.Type == Token {
		l.accept(n, from, m.Height)
		return
	}
	i, linked := l.find(from)
	if !linked {
		return
	}
	x := &l.neighbors[i]
	if x.awaited && x.height != m.Height {
		return // sent before it got the token
	}
	x.height, x.forming, x.awaited = m.Height, false, false
	switch {
	case l.height.compare(x.height) > 0:
		l.strike(from)
	case m.Type == Request:
		l.enqueue(from)
		l.serve(n)
	}
	l.reroute(n)
}

// accept takes the token, below the process that sent it.
func (l *Lock) accept(n protocols.Node[Message], from protocols.ID, h Height) {
	if i, linked := l.find(from); linked {
		l.neighbors[i].height = h
	}
	l.token, l.next, l.height = true, n.ID(), h.below(n.ID())
	l.tell(n)
	l.serve(n)
}

// serve gives the token to the first of the queue, or asks for it for the only one in it.
func (l *Lock) serve(n protocols.Node[Message]) {
	switch {
	case l.using || len(l.queue) == 0:
	case l.token:
		l.give(n)
	case len(l.queue) == 1:
		l.forward(n)
	}
}

// give gives the token to the first of the queue, and asks for it if others wait.
func (l *Lock) give(n protocols.Node[Message]) {
	l.next, l.queue = l.queue[0], l.queue[1:]
	if l.next == n.ID() {
		l.using = true
		return
	}
	l.token = false
	i, _ := l.find(l.next)
	l.neighbors[i].height, l.neighbors[i].awaited = l.height.below(l.next), true
	n.Send(l.next, Message{Token, l.height})
	if len(l.queue) > 0 {
		n.Send(l.next, Message{Request, l.height})
	}
}

// forward asks the lowest neighbour for the token, if there is one below the process.
func (l *Lock) forward(n protocols.Node[Message]) {
	if x := l.lowest(); x != nil && l.height.compare(x.height) > 0 {
		l.next = x.who
		n.Send(l.next, Message{Request, l.height})
	}
}

// reroute looks for another way to the token if the process has none any more: it raises its height if
// no neighbour is below it, and asks again if it had asked one that is not below it.
func (l *Lock) reroute(n protocols.Node[Message]) {
	x := l.lowest()
	switch {
	case l.token || x == nil:
	case l.height.compare(x.height) < 0:
		l.raise()
		l.tell(n)
		l.askAgain(n)
	case !l.leads(l.next):
		l.askAgain(n)
	}
}

// askAgain asks for the token if it is wanted.
func (l *Lock) askAgain(n protocols.Node[Message]) {
	if len(l.queue) > 0 {
		l.forward(n)
	}
}

// raise reverses the links to those neighbours that have not been reversed since the last time. These
// do not wait for this process any more.
func (l *Lock) raise() {
	l.height.H1 = l.lowest().height.H1 + 1
	first := true
	for _, x := range l.neighbors {
		if below := x.height.H2 - 1; !x.forming && x.height.H1 == l.height.H1 && (first || below < l.height.H2) {
			l.height.H2, first = below, false
		}
	}
	for _, x := range l.neighbors {
		if !x.forming && l.height.compare(x.height) > 0 {
			l.strike(x.who)
		}
	}
}

// lowest is the lowest neighbour whose link is not forming, nil if there is none.
func (l *Lock) lowest() (low *neighbor) {
	for i := range l.neighbors {
		if x := &l.neighbors[i]; !x.forming && (low == nil || x.height.compare(low.height) < 0) {
			low = x
		}
	}
	return low
}

// leads reports whether a process is a neighbour below this one.
func (l *Lock) leads(q protocols.ID) bool {
	i, linked := l.find(q)
	return linked && !l.neighbors[i].forming && l.height.compare(l.neighbors[i].height) > 0
}

// find is the place of a neighbour in the list.
func (l *Lock) find(q protocols.ID) (place int, there bool) {
	return slices.BinarySearchFunc(l.neighbors, q, func(x neighbor, q protocols.ID) int { return cmp.Compare(x.who, q) })
}

// enqueue appends a process to the queue unless it is there.
func (l *Lock) enqueue(q protocols.ID) {
	if !slices.Contains(l.queue, q) {
		l.queue = append(l.queue, q)
	}
}

// strike takes a process out of the queue.
func (l *Lock) strike(q protocols.ID) {
	l.queue = slices.DeleteFunc(l.queue, func(r protocols.ID) bool { return r == q })
}

// tell tells all neighbours the height.
func (l *Lock) tell(n protocols.Node[Message]) {
	if len(l.neighbors) > 0 {
		protocols.Broadcast(n, Message{LinkInfo, l.height})
	}
}

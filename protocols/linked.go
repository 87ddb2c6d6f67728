package protocols

import "slices"

// Linked is an optional extension of Process, for graphs whose links come and go: a process that is
// told of its links. Both ends of a link are told at the instant of the change, the lower address
// first. A crashed process is told nothing. The links that are there when the life of a process
// begins are not told: [Neighbors] has them.
type Linked[M any] interface {
	// LinkUp tells that the link to a process has come up.
	LinkUp(n Node[M], to ID)
	// LinkDown tells that it has gone down. The messages that were under way on it are lost, in both
	// directions.
	LinkDown(n Node[M], to ID)
}

// Near is an optional extension of Node, on a graph whose links come and go: see [Neighbors].
type Near interface {
	Neighbors() []ID
}

// Broadcaster is an optional extension of Node: see [Broadcast].
type Broadcaster[M any] interface {
	Broadcast(m M)
}

// PartlyLinked is a wrapper that has the methods of a [Linked] process whatever it wraps.
type PartlyLinked interface {
	// Linked reports whether it is one, because the process inside is, or because it acts itself.
	Linked() bool
}

// AsLinked is the process as a Linked one. ok is false if it is none, or wraps none.
func AsLinked[M any](p Process[M]) (l Linked[M], ok bool) {
	l, ok = p.(Linked[M])
	if w, wraps := p.(PartlyLinked); wraps {
		ok = ok && w.Linked()
	}
	return l, ok
}

// Neighbors are the processes to which there is a link now, ascending, each once. The process itself
// is not among them. The ports of a node never change: a message to a process behind a port whose
// link is down is lost. The result is valid during the handler, and must not be modified.
func Neighbors[M any](n Node[M]) []ID {
	if near, ok := n.(Near); ok {
		return near.Neighbors()
	}
	return NeighborsOf(n.ID(), n)
}

// Ports are the ports of a process: part of what a Node has.
type Ports interface {
	Degree() int
	Neighbor(port int) ID
}

// NeighborsOf are the processes behind the ports of a process, ascending, each once and without the
// process itself.
func NeighborsOf(id ID, p Ports) []ID {
	all := make([]ID, 0, p.Degree())
	for port := range p.Degree() {
		if to := p.Neighbor(port); to != id {
			all = append(all, to)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Broadcast sends m to all neighbours of this moment. It counts as one message if the node is a
// Broadcaster, else as one for each neighbour. A crash during a step never splits a
// broadcast that counts as one message.
func Broadcast[M any](n Node[M], m M) {
	if b, ok := n.(Broadcaster[M]); ok {
		b.Broadcast(m)
		return
	}
	for _, to := range Neighbors(n) {
		n.Send(to, m)
	}
}

// Reached are the processes to which a process is connected, itself first. near are the neighbours of one.
func Reached(from ID, near func(ID) []ID) []ID {
	reached := []ID{from}
	for i := 0; i < len(reached); i++ {
		for _, q := range near(reached[i]) {
			if !slices.Contains(reached, q) {
				reached = append(reached, q)
			}
		}
	}
	return reached
}

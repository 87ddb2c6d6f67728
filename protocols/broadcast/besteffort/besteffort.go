// Package besteffort is best-effort broadcast: a process sends its item to each process.
//
// Paper: textbook; C. Cachin, R. Guerraoui and L. Rodrigues, "Introduction to Reliable and Secure
// Distributed Programming", 2nd edition, 2011, section 3.2.
//
// Model: asynchronous complete graph, reliable links, crash-stop.
//
// Cost: n-1 messages an item, time 1.
//
// Invariants: an item is delivered once for each message that carries it.
//
// It promises no agreement: if the origin crashes between two sends, some processes get the item and
// others do not. It is the lowest layer of the other broadcasts.
//
// Deviations: a process delivers its own item without a message.
package besteffort

import (
	"bullring/protocols"
	"bullring/protocols/broadcast"
)

// Process is one process.
type Process struct{ broadcast.NoTimers }

// New returns a process.
func New() *Process { return &Process{} }

// Request implements [broadcast.Layer]: a broadcast.
func (*Process) Request(n broadcast.Node, d broadcast.Data) {
	for port := range n.Degree() {
		n.Send(n.Neighbor(port), d)
	}
	n.Indicate(n.ID(), d)
}

// Indication implements [broadcast.Layer]: a message arrives.
func (*Process) Indication(n broadcast.Node, from protocols.ID, d broadcast.Data) {
	n.Indicate(from, d)
}

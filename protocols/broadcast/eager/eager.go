// Package eager is eager reliable broadcast: a process that gets an item for the first time passes it
// on to all.
//
// Paper: textbook; C. Cachin, R. Guerraoui and L. Rodrigues, "Introduction to Reliable and Secure
// Distributed Programming", 2nd edition, 2011, section 3.3.
//
// Model: asynchronous complete graph, reliable links, crash-stop; any number of processes crash, and
// nobody has to notice.
//
// Cost: each process sends an item to all others: n(n-1) messages an item if none crashes, time 1 until
// all have delivered it.
//
// Invariants: a correct process that has delivered an item has sent it to all.
//
// It promises no uniform agreement: the origin delivers its item at once, and if it crashes then, nobody
// else may.
//
// Deviations: the origin delivers its item when it broadcasts it, and does not pass it on once more.
package eager

import (
	"bullring/protocols"
	"bullring/protocols/broadcast"
)

// Process is one process.
type Process struct {
	broadcast.NoTimers
	delivered map[broadcast.Key]bool
}

// New returns a process.
func New() *Process { return &Process{delivered: map[broadcast.Key]bool{}} }

// Request implements [broadcast.Layer]: a broadcast.
func (p *Process) Request(n broadcast.Node, d broadcast.Data) {
	p.passOn(n, d.Pushed(broadcast.Header{By: n.ID()}))
}

// Indication implements [broadcast.Layer]: an item arrives, from its origin or from another process.
func (p *Process) Indication(n broadcast.Node, _ protocols.ID, d broadcast.Data) {
	if !p.delivered[d.Key()] {
		p.passOn(n, d)
	}
}

// passOn delivers an item, and sends it to all.
func (p *Process) passOn(n broadcast.Node, d broadcast.Data) {
	p.delivered[d.Key()] = true
	h, inner := d.Popped()
	n.Indicate(h.By, inner)
	n.Request(d)
}

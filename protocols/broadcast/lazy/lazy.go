// Package lazy is lazy reliable broadcast: a process passes an item on if its origin has crashed.
//
// Paper: textbook; C. Cachin, R. Guerraoui and L. Rodrigues, "Introduction to Reliable and Secure
// Distributed Programming", 2nd edition, 2011, section 3.3.
//
// Model: asynchronous complete graph, reliable links, crash-stop; any number of processes crash. A failure
// detector without mistakes and without delay: it suspects a process from the moment of its crash.
//
// Cost: n-1 messages an item if nobody crashes; else up to n-1 of each process more. Time 1 without a
// crash.
//
// Invariants: a correct process that has delivered an item has sent it to all, or its origin did.
//
// It promises no uniform agreement, as eager broadcast does not.
//
// Deviations: (1) A process asks the detector when an item arrives, and not later. Messages of one step
// leave together, so an origin that has reached some processes only has crashed before its item
// arrives. (2) The origin delivers its item when it broadcasts it.
package lazy

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
	d = d.Pushed(broadcast.Header{By: n.ID()})
	p.deliver(n, d)
	n.Request(d)
}

// Indication implements [broadcast.Layer]: an item arrives, from its origin or from another process.
func (p *Process) Indication(n broadcast.Node, _ protocols.ID, d broadcast.Data) {
	if p.delivered[d.Key()] {
		return
	}
	p.deliver(n, d)
	if h, _ := d.Popped(); n.Suspects(h.By) {
		n.Request(d)
	}
}

func (p *Process) deliver(n broadcast.Node, d broadcast.Data) {
	p.delivered[d.Key()] = true
	h, inner := d.Popped()
	n.Indicate(h.By, inner)
}

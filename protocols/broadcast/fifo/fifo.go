// Package fifo is broadcast in FIFO order: a process keeps an item until it has delivered those that its
// origin broadcast before.
//
// Paper: textbook; C. Cachin, R. Guerraoui and L. Rodrigues, "Introduction to Reliable and Secure
// Distributed Programming", 2nd edition, 2011, section 3.9.
//
// Model: that of the broadcast below it, which may be any; links need not be FIFO.
//
// Cost: that of the broadcast below it. An item carries its number among those of its
// origin.
//
// Invariants: the items of an origin that a process has delivered are the first ones.
//
// Deviations: none.
package fifo

import (
	"slices"

	"bullring/protocols"
	"bullring/protocols/broadcast"
)

// Process is one process.
type Process struct {
	broadcast.NoTimers
	broadcasts int              // how many of its own
	delivered  []int            // how many of each process
	held       []broadcast.Data // those that came too early
}

// New returns one of n processes.
func New(n int) *Process { return &Process{delivered: make([]int, n)} }

// Request implements [broadcast.Layer]: a broadcast.
func (p *Process) Request(n broadcast.Node, d broadcast.Data) {
	p.broadcasts++
	n.Request(d.Pushed(broadcast.Header{By: n.ID(), Number: p.broadcasts}))
}

// Indication implements [broadcast.Layer]: an item arrives.
func (p *Process) Indication(n broadcast.Node, _ protocols.ID, d broadcast.Data) {
	p.held = append(p.held, d)
	for {
		i := slices.IndexFunc(p.held, p.next)
		if i < 0 {
			return
		}
		h, inner := p.held[i].Popped()
		p.held = slices.Delete(p.held, i, i+1)
		p.delivered[h.By]++
		n.Indicate(h.By, inner)
	}
}

// next reports whether it is an item's turn.
func (p *Process) next(d broadcast.Data) bool {
	h, _ := d.Popped()
	return h.Number == p.delivered[h.By]+1
}

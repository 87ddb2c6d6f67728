// Package fifo is broadcast in FIFO order: a process keeps an item until it has delivered those that its
// origin broadcast before.
//
// Paper: textbook; C. Cachin, R. Guerraoui and L. Rodrigues, "Introduction to Reliable and Secure
// Distributed Programming", 2nd edition, 2011, section 3.9.
//
// Model: that of the broadcast below it, which may be any; links need not be FIFO.
//
// Cost: that of the broadcast below it. An item carries its number.
//
// Invariants: the items of an origin that a process has delivered are the first ones.
//
// Deviations: none. The number of an item among those of its origin is the sequence number.
package fifo

import (
	"slices"

	"bullring/protocols"
	"bullring/protocols/broadcast"
)

// Process is one process.
type Process struct {
	broadcast.NoTimers
	delivered []int            // how many items, by origin
	held      []broadcast.Data // those that came too early
}

// New returns one of n processes.
func New(n int) *Process { return &Process{delivered: make([]int, n)} }

// Request implements [broadcast.Layer]: a broadcast.
func (p *Process) Request(n broadcast.Node, d broadcast.Data) { n.Request(d) }

// Indication implements [broadcast.Layer]: an item arrives.
func (p *Process) Indication(n broadcast.Node, _ protocols.ID, d broadcast.Data) {
	p.held = append(p.held, d)
	for {
		i := slices.IndexFunc(p.held, func(d broadcast.Data) bool { return d.Number == p.delivered[d.Origin]+1 })
		if i < 0 {
			return
		}
		next := p.held[i]
		p.held = slices.Delete(p.held, i, i+1)
		p.delivered[next.Origin]++
		n.Indicate(next.Origin, next)
	}
}

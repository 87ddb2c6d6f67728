// Package causal is broadcast in causal order with vector clocks: a process keeps an item until it has
// delivered all that may have caused it.
//
// Paper: K. Birman, A. Schiper and P. Stephenson, "Lightweight Causal and Atomic Group Multicast", ACM
// Transactions on Computer Systems 9(3), 1991; C. Cachin, R. Guerraoui and L. Rodrigues, "Introduction
// to Reliable and Secure Distributed Programming", 2nd edition, 2011, section 3.9
// (waiting causal broadcast).
//
// Model: that of the broadcast below it, which may be any; links need not be FIFO. If processes crash, it
// must promise agreement: a process waits for ever for an item that reached others only.
//
// An item carries a vector: how many items of each process its origin had delivered, and of its own how
// many it had broadcast. A process that has delivered as many of each delivers it.
//
// Cost: that of the broadcast below it, and a vector of n numbers in each message.
//
// Invariants: the items of an origin that a process has delivered are the first ones, and all that may
// have caused them are delivered, too.
//
// A variant, for teaching, delivers an item when it arrives (atonce). An answer then may overtake the
// question.
//
// Deviations: none.
package causal

import (
	"slices"

	"bullring/protocols"
	"bullring/protocols/broadcast"
)

// Config is the same for all processes.
type Config struct {
	Processes int
	// AtOnce: a process delivers an item when it arrives.
	AtOnce bool
}

// Process is one process.
type Process struct {
	broadcast.NoTimers
	cfg        Config
	delivered  []int            // how many items of each process
	broadcasts int              // how many items of its own
	held       []broadcast.Data // those that came too early
}

// New returns a process.
func New(cfg Config) *Process { return &Process{cfg: cfg, delivered: make([]int, cfg.Processes)} }

// Request implements [broadcast.Layer]: a broadcast.
func (p *Process) Request(n broadcast.Node, d broadcast.Data) {
	after := slices.Clone(p.delivered)
	after[n.ID()] = p.broadcasts
	p.broadcasts++
	n.Request(d.Pushed(broadcast.Header{By: n.ID(), After: after}))
}

// Indication implements [broadcast.Layer]: an item arrives.
func (p *Process) Indication(n broadcast.Node, _ protocols.ID, d broadcast.Data) {
	p.held = append(p.held, d)
	for {
		i := slices.IndexFunc(p.held, p.ready)
		if i < 0 {
			return
		}
		h, inner := p.held[i].Popped()
		p.held = slices.Delete(p.held, i, i+1)
		p.delivered[h.By]++
		n.Indicate(h.By, inner)
	}
}

// ready reports whether an item can be delivered.
func (p *Process) ready(d broadcast.Data) bool {
	if p.cfg.AtOnce {
		return true
	}
	h, _ := d.Popped()
	for q, number := range h.After {
		if p.delivered[q] < number {
			return false
		}
	}
	return true
}

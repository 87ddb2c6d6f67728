package vkt

import (
	"bullring/protocols"
	"bullring/protocols/election"
)

// Links is a process that is told of its links. It needs no beacon and no timer, so that runs come to
// rest.
type Links struct {
	protocols.NoTimers[Told]
	diffusion[ofLinks]
}

var (
	_ election.Process[Told] = (*Links)(nil)
	_ protocols.Linked[Told] = (*Links)(nil)
	_ protocols.Booter[Told] = (*Links)(nil)
)

// NewLinks returns the process with this rank.
func NewLinks(rank election.Rank, order election.Order) *Links {
	return &Links{diffusion: newDiffusion[ofLinks](rank, order, false)}
}

// Boot implements [protocols.Booter]. It finds the links of the beginning.
func (p *Links) Boot(n protocols.Node[Told]) {
	p.near = append(p.near, protocols.Neighbors(n)...)
}

// Start begins an election, unless the process takes part in one.
func (p *Links) Start(n protocols.Node[Told]) {
	if !p.open {
		p.begin(n, 0)
	}
}

// Receive handles the messages.
func (p *Links) Receive(n protocols.Node[Told], from protocols.ID, m Told) {
	p.receive(n, from, m)
}

// LinkUp implements [protocols.Linked].
func (p *Links) LinkUp(n protocols.Node[Told], to protocols.ID) { p.met(n, to) }

// LinkDown implements [protocols.Linked].
func (p *Links) LinkDown(n protocols.Node[Told], to protocols.ID) { p.lost(n, to) }

package frei

import (
	"bullring/protocols"
	"bullring/protocols/election"
)

// Stable is a process of a ring on which pulses go one way. It does not terminate.
type Stable struct {
	protocols.NoTimers[One]

	id      election.Identity
	awake   bool
	arrived election.Identity // pulses
}

var _ election.Process[One] = (*Stable)(nil)

// NewStable returns the process with this identity, which is 1 or more.
func NewStable(id election.Identity) *Stable { return &Stable{id: id} }

// Decision implements [election.Elector]. A process takes itself for the leader as long as it has seen
// no more pulses than its identity says.
func (p *Stable) Decision() election.Decision {
	if p.arrived == p.id {
		return election.Decide(p.id, p.id)
	}
	return election.Decision{}
}

// Start sends the pulse of this process, if it is asleep.
func (p *Stable) Start(n protocols.Node[One]) {
	if !p.awake {
		p.awake = true
		pulse(n, election.With)
	}
}

// Receive counts a pulse, and passes it on or swallows it.
func (p *Stable) Receive(n protocols.Node[One], _ protocols.ID, _ One) {
	p.Start(n)
	if p.arrived++; p.arrived != p.id {
		pulse(n, election.With)
	}
}

package frei

import (
	"bullring/protocols"
	"bullring/protocols/election"
)

// Unoriented is a process of a ring whose processes do not agree on the ways. It has two ports, a and b,
// and does not know which of them leads with the ring. It does not terminate.
type Unoriented struct {
	protocols.NoTimers[Both]

	id      election.Identity
	swapped bool // b, and not a, leads with the ring: how it is wired, which it does not know
	awake   bool
	arrived [2]election.Identity // pulses, by port
}

// The ports.
const (
	a = iota
	b
)

var _ election.Process[Both] = (*Unoriented)(nil)

// NewUnoriented returns the process with this identity, which is 1 or more. If it is swapped its ports
// are wired the other way round.
func NewUnoriented(id election.Identity, swapped bool) *Unoriented {
	return &Unoriented{id: id, swapped: swapped}
}

// Decision implements [election.Elector]. A process takes itself for the leader as long as it has seen no
// more pulses at each port than it needs to swallow one.
func (p *Unoriented) Decision() election.Decision {
	if p.arrived[b] == p.own(b) && p.arrived[a] <= p.own(a) {
		return election.Decide(p.id, p.id)
	}
	return election.Decision{}
}

// Onward is the way to which the process orients the ring: more pulses have gone that way than the other.
func (p *Unoriented) Onward() election.Way {
	if p.arrived[a] > p.arrived[b] {
		return p.way(b)
	}
	return p.way(a)
}

// own is the number of the pulse that the process swallows at a port.
func (p *Unoriented) own(port int) election.Identity { return p.id + election.Identity(port) }

// Start sends a pulse both ways, if the process is asleep.
func (p *Unoriented) Start(n protocols.Node[Both]) {
	if !p.awake {
		p.awake = true
		pulse(n, p.way(a))
		pulse(n, p.way(b))
	}
}

// Receive counts a pulse, and passes it on or swallows it.
func (p *Unoriented) Receive(n protocols.Node[Both], _ protocols.ID, m Both) {
	p.Start(n)
	from, to := a, b
	if m.Way == p.way(a) {
		from, to = b, a
	}
	if p.arrived[from]++; p.arrived[from] != p.own(from) {
		pulse(n, p.way(to))
	}
}

// way is the way round the ring to which a port leads.
func (p *Unoriented) way(port int) election.Way {
	if way := election.Way(port); !p.swapped {
		return way
	}
	return election.Way(port).Back()
}

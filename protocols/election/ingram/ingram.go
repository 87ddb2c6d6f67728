// Package ingram is the election of Ingram, Radeva, Shields, Viqar, Walter and Welch for networks
// whose links come and go. Links point from the higher to the lower height, and lead to the leader. A
// process that loses its last way down starts a wave of reference levels, as in the routing
// algorithm TORA. If the whole wave comes back reflected, the leader is in another part of the graph,
// and the process elects itself.
//
// Paper: R. Ingram, T. Radeva, P. Shields, S. Viqar, J. E. Walter and J. L. Welch, "A leader election
// algorithm for dynamic networks with causal clocks", Distributed Computing 26, 2013; first at IPDPS
// 2009. The text of the paper was not at hand: this was written from its abstract and from what is
// known of the algorithm, and has not been compared with the published pseudocode.
//
// Model: any undirected graph, whose links come and go at any time and any number of times; both ends
// are told at once. Distinct identities. Links are reliable and FIFO as long as they are there; delays
// have no bound. No crash. No process needs to be started.
//
// A height is a tuple, compared from the left: the reference level (tau, oid, r), which is the time
// at which a search began, the process that began it, and whether it is reflected; delta, which
// directs links within a level; the leader pair (nlts, lid), which is the negative time at which the
// leader elected itself, and the leader; and the identity of the process.
//
// Promise: if no link of a component changes any more, then in the end its processes have one leader,
// which is one of them. Before that, several processes may lead.
//
// Cost of a connected graph that never changes, V > 1 processes and E edges, a broadcast counted once; d
// and e are the degree and the eccentricity of the process with the smallest identity, the leader:
//
//	UPDATE   2V-1 + 2E-d at least. Each process tells its first height. It
//	         answers the first height of each neighbour, unless it follows that
//	         neighbour then; so both ends of an edge send a message because of
//	         the other. The V-1-d that are no neighbours of the leader hear of
//	         it from others, and tell that. 3V-2 under every schedule on a star
//	         whose centre is the leader
//	time     e with constant delay
//
// Invariants:
//
//	(a) A process has a height for each neighbour that is not forming, the last
//	    that arrived from it.
//	(b) Of two leader pairs the smaller wins: the later election, then the
//	    smaller identity.
//	(c) The leader pair of a process only gets smaller.
//
// Deviations: (1) The clock is a logical one, which the paper allows. It advances when a process reads
// it, and to the clock of each message that arrives, not in every step. (2) At the beginning each
// process leads itself and all its links are forming: in the terms of the paper, a graph without links
// whose links then come up.
package ingram

import (
	"cmp"
	"slices"

	"bullring/protocols"
	"bullring/protocols/election"
)

// neighbor is what a process knows of one of its neighbours.
type neighbor struct {
	who     protocols.ID
	forming bool   // no height has arrived from it since the link came up
	height  Height // else the last that did
}

// Process is one process of the graph.
type Process struct {
	protocols.NoTimers[Message]

	height    Height
	clock     int64
	neighbors []neighbor // ascending
}

var (
	_ election.Process[Message] = (*Process)(nil)
	_ protocols.Linked[Message] = (*Process)(nil)
	_ protocols.Booter[Message] = (*Process)(nil)
)

// New returns the process with this identity. It leads itself.
func New(id election.Identity) *Process {
	return &Process{height: Height{Leader: id, ID: id}}
}

// Decision implements [election.Elector]. A process always has a leader.
func (p *Process) Decision() election.Decision { return election.Decide(p.height.ID, p.height.Leader) }

// Boot implements [protocols.Booter]. The links of the beginning are forming.
func (p *Process) Boot(n protocols.Node[Message]) {
	for _, q := range protocols.Neighbors(n) {
		p.neighbors = append(p.neighbors, neighbor{who: q, forming: true})
	}
	p.tell(n)
}

// Start does nothing: every process acts from the beginning of its life.
func (p *Process) Start(protocols.Node[Message]) {}

// LinkUp implements [protocols.Linked].
func (p *Process) LinkUp(n protocols.Node[Message], q protocols.ID) {
	i, _ := p.find(q)
	p.neighbors = slices.Insert(p.neighbors, i, neighbor{who: q, forming: true})
	n.Send(q, p.update())
}

// LinkDown implements [protocols.Linked].
func (p *Process) LinkDown(n protocols.Node[Message], q protocols.ID) {
	i, _ := p.find(q)
	p.neighbors = slices.Delete(p.neighbors, i, i+1)
	switch {
	case !p.formed():
		p.electSelf()
		p.tell(n)
	case p.sink():
		p.startNewLevel()
		p.tell(n)
	}
}

// Receive handles the height of a neighbour. A message that has outlived its link is not in the model,
// and says nothing.
func (p *Process) Receive(n protocols.Node[Message], from protocols.ID, m Message) {
	p.clock = max(p.clock, m.Clock)
	i, linked := p.find(from)
	if !linked {
		return
	}
	p.neighbors[i].height, p.neighbors[i].forming = m.Height, false
	before := p.height
	switch {
	case !m.Height.follows(p.height):
		p.adopt(n, from, m.Height)
	case !p.sink():
	case !p.oneLevel():
		p.propagateLargest()
	case m.Height.Tau > 0 && !m.Height.Reflected:
		p.reflect(m.Height.Level)
	case m.Height.Tau > 0 && m.Height.Origin == p.height.ID:
		p.electSelf()
	default: // the level of the leader, or the reflected search of another process
		p.startNewLevel()
	}
	if p.height != before {
		p.tell(n)
	}
}

// find is the place of a neighbour in the list.
func (p *Process) find(q protocols.ID) (place int, there bool) {
	return slices.BinarySearchFunc(p.neighbors, q, func(x neighbor, q protocols.ID) int { return cmp.Compare(x.who, q) })
}

// formed reports whether the process has a neighbour that is not forming.
func (p *Process) formed() bool {
	return slices.ContainsFunc(p.neighbors, func(x neighbor) bool { return !x.forming })
}

// sink reports whether the process is not the leader and has no way down: each neighbour that is not
// forming has the same leader pair and a larger height.
func (p *Process) sink() bool {
	return p.height.Leader != p.height.ID && !slices.ContainsFunc(p.neighbors, func(x neighbor) bool {
		return !x.forming && (!x.height.follows(p.height) || x.height.compare(p.height) < 0)
	})
}

// oneLevel reports whether all neighbours that are not forming have one reference level.
func (p *Process) oneLevel() bool {
	least, most := p.levels()
	return least == most
}

// levels are the smallest and the largest reference level among neighbours that are not forming.
func (p *Process) levels() (least, most Level) {
	first := true
	for _, x := range p.neighbors {
		l := x.height.Level
		if x.forming {
			continue
		}
		if first || l.compare(least) < 0 {
			least = l
		}
		if first || l.compare(most) > 0 {
			most = l
		}
		first = false
	}
	return least, most
}

// electSelf makes the process its own leader, from now on.
func (p *Process) electSelf() {
	p.height = Height{Elected: -p.tick(), Leader: p.height.ID, ID: p.height.ID}
}

// startNewLevel starts a search for a way to the leader.
func (p *Process) startNewLevel() {
	p.height.Level, p.height.Delta = Level{Tau: p.tick(), Origin: p.height.ID}, 0
}

// reflect sends a search back, from which this process has no way on.
func (p *Process) reflect(l Level) {
	l.Reflected = true
	p.height.Level, p.height.Delta = l, 0
}

// propagateLargest joins the largest level of a neighbour, below the neighbours that are in it.
func (p *Process) propagateLargest() {
	_, most := p.levels()
	p.height.Level = most
	first := true
	for _, x := range p.neighbors {
		if below := x.height.Delta - 1; !x.forming && x.height.Level == most && (first || below < p.height.Delta) {
			p.height.Delta, first = below, false
		}
	}
}

// adopt takes the leader pair of a neighbour over if it has priority. Else the neighbour is told of that
// of this process.
func (p *Process) adopt(n protocols.Node[Message], from protocols.ID, h Height) {
	if !h.hasPriority(p.height) {
		n.Send(from, p.update())
		return
	}
	p.height = Height{h.Level, h.Delta + 1, h.Elected, h.Leader, p.height.ID}
}

// tick advances the clock and reads it.
func (p *Process) tick() int64 {
	p.clock++
	return p.clock
}

// tell tells all neighbours the height, also those that are forming.
func (p *Process) tell(n protocols.Node[Message]) {
	if len(p.neighbors) > 0 {
		protocols.Broadcast(n, p.update())
	}
}

func (p *Process) update() Message { return Message{p.height, p.clock} }

// Package dfs is classical depth-first search by a token: Tarry's traversal with a third rule.
//
// Paper: G. Tel, "Introduction to Distributed Algorithms", 2nd edition, 2000, section 6.4; T.-Y. Cheung,
// "Graph traversal techniques and the maximum flow problem in distributed computation", IEEE
// Transactions on Software Engineering SE-9(4), 1983.
//
// Model: that of Tarry: asynchronous, any connected undirected graph, one initiator; reliable links, FIFO
// or not; no crashes. Neither the size nor the graph is known.
//
// Rules R1 and R2 are those of Tarry: the token goes over each link once in each direction, and to the
// father only if no other link is left. R3: a process that gets the token sends it back over the same
// link, if R1 and R2 allow that.
//
// Cost, m links: exactly 2m messages, whatever the delays, and time 2m.
//
// Invariants: those of Tarry; and each link joins a process with one of its ancestors in the tree of
// fathers, a depth-first search tree.
//
// Deviations: Tel leaves open which link is taken where R3 does not apply. Here it is the first that is
// left or, in the variant random, one that is drawn.
package dfs

import (
	"bullring/protocols"
	"bullring/protocols/wave"
)

// Message is the token.
type Message = wave.Signal[kinds]

// Token is the only type of message.
const Token protocols.Type = 0

type kinds struct{}

func (kinds) Names() []string { return names }

var names = []string{"TOKEN"}

// Process is one process of the graph.
type Process struct {
	protocols.NoTimers[Message]
	wave.Tour[Message]
}

var _ wave.Process[Message] = (*Process)(nil)

// New returns a process. If random, it draws the links that it takes.
func New(random bool) *Process { return &Process{Tour: wave.NewTour[Message](random)} }

// Start makes the process the initiator.
func (p *Process) Start(n protocols.Node[Message]) {
	if !p.Visited() {
		p.Visit(n, wave.Nobody)
		p.forward(n)
	}
}

// Receive takes the token and sends it back, if that is allowed, or passes it on.
func (p *Process) Receive(n protocols.Node[Message], from protocols.ID, _ Message) {
	if !p.Visited() {
		p.Visit(n, from)
	}
	if p.Close(n, from) { // R3
		n.Send(from, Message{Type: Token})
		return
	}
	p.forward(n)
}

func (p *Process) forward(n protocols.Node[Message]) {
	if to, ok := p.Next(n); ok {
		n.Send(to, Message{Type: Token})
	}
}

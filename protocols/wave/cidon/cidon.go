// Package cidon is depth-first search in time 2n-2: Awerbuch's without the waiting.
//
// Paper: I. Cidon, "Yet another distributed depth-first-search algorithm", Information Processing Letters
// 26(6), 1988; G. Tel, "Introduction to Distributed Algorithms", 2nd edition, 2000, section 6.4.
//
// Model: asynchronous, any connected undirected graph, one initiator; reliable links, FIFO or not; no
// crashes. Neither the size nor the graph is known.
//
// At its first visit a process sends VIS to its neighbours except its father, and passes the token on at
// once. It may do so to a process that has been visited already, and whose VIS is on its way. That one
// takes the token for a VIS. When its own VIS arrives, the sender knows, and sends the token again to
// somebody else.
//
// Cost, n processes, m links:
//
//	VIS       2m - (n-1), one from each process to each neighbour except its father
//	TOKEN     2(n-1) over the links of the tree; over each other link at most one in each direction
//	all       at least 2m+n-1, which it is with constant delays; at most 4m-n+1
//	time      at most 2n-2; exactly, with constant delays
//
// Invariants: at most one token is on its way to a process that takes it for one; a process sends the
// token again only if the one before has gone to a process that had been visited.
//
// Deviations: (1) Tel leaves open which link is taken. Here it is the first that is left or, in the
// variant random, one that is drawn. (2) Over links that are not FIFO, the VIS of the father may come after
// the token has gone home. Then the token is not sent again: a process sends it to its father once.
package cidon

import (
	"bullring/protocols"
	"bullring/protocols/wave"
)

// Message is one of the two messages.
type Message = wave.Signal[kinds]

// The two messages.
const (
	Token protocols.Type = iota
	Vis                  // the sender has been visited
)

type kinds struct{}

func (kinds) Names() []string { return names }

var names = []string{"TOKEN", "VIS"}

// Process is one process of the graph.
type Process struct {
	protocols.NoTimers[Message]
	wave.Tour[Message]

	sent protocols.ID // to whom the token went last (Tel: mrs)
}

var _ wave.Process[Message] = (*Process)(nil)

// New returns a process. If random, it draws the links that it takes.
func New(random bool) *Process {
	return &Process{Tour: wave.NewTour[Message](random), sent: wave.Nobody}
}

// Start makes the process the initiator.
func (p *Process) Start(n protocols.Node[Message]) {
	if !p.Visited() {
		p.visit(n, wave.Nobody)
	}
}

// Receive handles the two messages.
func (p *Process) Receive(n protocols.Node[Message], from protocols.ID, m Message) {
	switch {
	case m.Type == Token && !p.Visited():
		p.visit(n, from)
	case m.Type == Token && from == p.sent:
		p.forward(n)
	case m.Type == Token:
		p.Close(n, from) // it was sent before the sender knew of the visit here
	case m.Type == Vis:
		p.Close(n, from)
		if from == p.sent {
			p.forward(n) // the token has gone to one that had been visited
		}
	default:
		panic(protocols.Unknown(m))
	}
}

// visit tells the neighbours, and passes the token on.
func (p *Process) visit(n protocols.Node[Message], father protocols.ID) {
	p.Visit(n, father)
	for _, q := range p.Others(n) {
		n.Send(q, Message{Type: Vis})
	}
	p.forward(n)
}

func (p *Process) forward(n protocols.Node[Message]) {
	to, ok := p.Next(n)
	if p.sent = to; ok {
		n.Send(to, Message{Type: Token})
	}
}

// Package awerbuch is depth-first search in time that grows with the number of processes, and not with
// that of links: a process tells its neighbours that it has been visited, and waits until they know.
//
// Paper: B. Awerbuch, "A new distributed depth-first-search algorithm", Information Processing Letters
// 20(3), 1985; G. Tel, "Introduction to Distributed Algorithms", 2nd edition, 2000, section 6.4.
//
// Model: asynchronous, any connected undirected graph, one initiator; reliable links, FIFO or not; no
// crashes. Neither the size nor the graph is known.
//
// At its first visit a process sends VIS to its neighbours except its father, and keeps the token until
// all have answered ACK. A process does not send the token to a neighbour that has told it of a visit. So
// the token goes over the links of the tree alone.
//
// Cost, n processes, m links, whatever the delays:
//
//	TOKEN  2(n-1)
//	VIS    2m - (n-1), one from each process to each neighbour except its father
//	ACK    as many
//	all    exactly 4m
//	time   2(n-1) for the token, and 2 wherever a process waits: everywhere but at the leaves of the
//	       graph, the initiator not counted among them; at most 4n-2
//
// Invariants: while the token is on its way, all neighbours of each process that it has visited know
// that; the fathers are a depth-first search tree.
//
// Deviations: (1) Tel leaves open which link is taken. Here it is the first that is left or, in the
// variant random, one that is drawn. (2) VIS goes to the next process of the tour, too, as in Tel's proof
// of 4m; the improvement that leaves this out is not made.
package awerbuch

import (
	"bullring/protocols"
	"bullring/protocols/wave"
)

// Message is one of the three messages.
type Message = wave.Signal[kinds]

// The three messages.
const (
	Token protocols.Type = iota
	Vis                  // the sender has been visited
	Ack                  // the sender knows
)

type kinds struct{}

func (kinds) Names() []string { return names }

var names = []string{"TOKEN", "VIS", "ACK"}

// Process is one process of the graph.
type Process struct {
	protocols.NoTimers[Message]
	wave.Tour[Message]

	unsure int // neighbours that have not answered
}

var _ wave.Process[Message] = (*Process)(nil)

// New returns a process. If random, it draws the links that it takes.
func New(random bool) *Process { return &Process{Tour: wave.NewTour[Message](random)} }

// Start makes the process the initiator.
func (p *Process) Start(n protocols.Node[Message]) {
	if !p.Visited() {
		p.visit(n, wave.Nobody)
	}
}

// Receive handles the three messages.
func (p *Process) Receive(n protocols.Node[Message], from protocols.ID, m Message) {
	switch m.Type {
	case Token:
		if p.Visited() {
			p.forward(n)
		} else {
			p.visit(n, from)
		}
	case Vis:
		p.Close(n, from)
		n.Send(from, Message{Type: Ack})
	case Ack:
		if p.unsure--; p.unsure == 0 {
			p.forward(n)
		}
	default:
		panic(protocols.Unknown(m))
	}
}

// visit tells the neighbours. The token waits for their answers.
func (p *Process) visit(n protocols.Node[Message], father protocols.ID) {
	p.Visit(n, father)
	others := p.Others(n)
	p.unsure = len(others)
	for _, q := range others {
		n.Send(q, Message{Type: Vis})
	}
	if p.unsure == 0 {
		p.forward(n)
	}
}

func (p *Process) forward(n protocols.Node[Message]) {
	if to, ok := p.Next(n); ok {
		n.Send(to, Message{Type: Token})
	}
}

// Package tarry is Tarry's traversal: a token goes through each link once in each direction.
//
// Paper: G. Tarry, "Le problème des labyrinthes", Nouvelles annales de mathématiques 14, 1895; G. Tel,
// "Introduction to Distributed Algorithms", 2nd edition, 2000, section 6.3.
//
// Model: asynchronous, any connected undirected graph, one initiator; reliable links, FIFO or not; no
// crashes. Neither the size nor the graph is known.
//
// A process sends the token over each link once (R1), and back to the process from which it came first,
// its father, only if no other link is left (R2). When the initiator has none left, it decides.
//
// Cost, m links: exactly 2m messages, whatever the delays, and time 2m.
//
// Invariants: there is one token, on its way or at a process; it has passed a link at most once in each
// direction; when it goes back to a father, it has passed all links of the child in both directions.
//
// Deviations: Tel leaves open which link is taken. Here it is the first that is left or, in the variant
// random, one that is drawn.
package tarry

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

// Receive takes the token and passes it on.
func (p *Process) Receive(n protocols.Node[Message], from protocols.ID, _ Message) {
	if !p.Visited() {
		p.Visit(n, from)
	}
	p.forward(n)
}

func (p *Process) forward(n protocols.Node[Message]) {
	if to, ok := p.Next(n); ok {
		n.Send(to, Message{Type: Token})
	}
}

// Package phase is the phase algorithm: each process sends as many rounds of tokens as the graph is wide.
//
// Paper: D. Peleg, "Time-optimal leader election in general networks", Journal of Parallel and Distributed
// Computing 8(1), 1990; G. Tel, "Introduction to Distributed Algorithms", 2nd edition, 2000, section 6.2.
//
// Model: asynchronous, any strongly connected graph, directed or not; any initiators; reliable links, FIFO
// or not; no crashes. Each process knows its in-neighbours, and D, the diameter, or more than that.
//
// A process sends its first TOKEN to all out-neighbours when it starts or when one arrives, and another
// one whenever it has as many from each in-neighbour as it has sent, D in all. It decides when it has D
// from each.
//
// Cost, e the largest distance of a process from the next initiator:
//
//	TOKEN  exactly D on each link in each direction: 2Dm on an undirected graph with m links
//	time   all have decided at e+D with constant delays, else not later
//
// Invariants: a process has sent one token more than it has from each in-neighbour, or D; after k tokens
// from each, an event has happened in each process from which it can be reached in k steps.
//
// Deviations: none.
package phase

import (
	"slices"

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

// Config is what a process knows.
type Config struct {
	Phases int            // D
	From   []protocols.ID // its in-neighbours
}

// Process is one process of the graph.
type Process struct {
	protocols.NoTimers[Message]

	cfg     Config
	got     []int // tokens, by in-neighbour
	sent    int
	decided bool
}

var _ wave.Process[Message] = (*Process)(nil)

// New returns a process.
func New(cfg Config) *Process { return &Process{cfg: cfg, got: make([]int, len(cfg.From))} }

// Says implements [wave.Process].
func (p *Process) Says() wave.Said { return wave.Said{Decided: p.decided, Father: wave.Nobody} }

// Start begins the first phase, unless a token has.
func (p *Process) Start(n protocols.Node[Message]) { p.advance(n) }

// Receive counts a token.
func (p *Process) Receive(n protocols.Node[Message], from protocols.ID, _ Message) {
	p.got[slices.Index(p.cfg.From, from)]++
	p.advance(n)
}

// advance sends the tokens of the phases that may begin, and decides behind the last.
func (p *Process) advance(n protocols.Node[Message]) {
	over := p.cfg.Phases // the phases that are over
	if len(p.got) > 0 {
		over = min(over, slices.Min(p.got))
	}
	for ; p.sent <= over && p.sent < p.cfg.Phases; p.sent++ {
		for port := range n.Degree() {
			n.Send(n.Neighbor(port), Message{Type: Token})
		}
	}
	p.decided = over == p.cfg.Phases
}

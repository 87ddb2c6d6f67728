// Package tree is the wave algorithm of trees: a process that has heard from all neighbours but one tells
// that one.
//
// Paper: G. Tel, "Introduction to Distributed Algorithms", 2nd edition, 2000, section 6.2.
//
// Model: asynchronous, any undirected tree; all processes start, and it suffices that all leaves do;
// reliable links, FIFO or not; no crashes. A process knows its neighbours alone.
//
// A process waits until it has a TOKEN from all neighbours but one. It sends its own to that one, and
// decides when the last TOKEN comes from there. So two neighbours decide, towards whom all tokens go.
//
// Cost, n processes, D the diameter of the tree:
//
//	TOKEN  exactly n, one from each process; none if n is 1. The decision is not passed on: that
//	       would take n-2 more
//	time   the second process decides at D/2 + 1, rounded down, with constant delays; else not later
//
// Invariants: a process has sent a token only if it has one from all neighbours except the receiver; a
// token comes after an event in each process on the sender's side of the link.
//
// Deviations: a process alone decides when it starts.
package tree

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

// Process is one process of the tree.
type Process struct {
	protocols.NoTimers[Message]

	awake   bool
	silent  []protocols.ID // neighbours from whom no token has come
	told    bool           // it has sent its token
	decided bool
}

var _ wave.Process[Message] = (*Process)(nil)

// New returns a process.
func New() *Process { return &Process{} }

// Says implements [wave.Process].
func (p *Process) Says() wave.Said { return wave.Said{Decided: p.decided, Father: wave.Nobody} }

// Start has a leaf begin.
func (p *Process) Start(n protocols.Node[Message]) {
	p.tell(n)
	p.decide()
}

// Receive notes a token.
func (p *Process) Receive(n protocols.Node[Message], from protocols.ID, _ Message) {
	p.tell(n)
	p.silent = slices.DeleteFunc(p.silent, func(q protocols.ID) bool { return q == from })
	p.tell(n)
	p.decide()
}

// tell sends the token to the one neighbour that is silent.
func (p *Process) tell(n protocols.Node[Message]) {
	if !p.awake {
		p.awake, p.silent = true, make([]protocols.ID, n.Degree())
		for port := range p.silent {
			p.silent[port] = n.Neighbor(port)
		}
	}
	if len(p.silent) == 1 && !p.told {
		p.told = true
		n.Send(p.silent[0], Message{Type: Token})
	}
}

func (p *Process) decide() { p.decided = len(p.silent) == 0 }

// Package finn is Finn's algorithm: processes tell each other of whom they have heard, and of whom they
// know that they have heard from all their neighbours.
//
// Paper: S. G. Finn, "Resynch procedures and a fail-safe network protocol", IEEE Transactions on
// Communications COM-27(6), 1979; G. Tel, "Introduction to Distributed Algorithms", 2nd edition, 2000,
// section 6.2.
//
// Model: asynchronous, any strongly connected graph, directed or not; any initiators; reliable links, FIFO
// or not; no crashes. Processes have identities, here their addresses. Each knows its in-neighbours, and
// neither the size nor the diameter.
//
// A process keeps two sets: Inc, the processes of which an event precedes its last one; and NInc, those of
// which it knows that an event of each of their in-neighbours does. It sends both to all out-neighbours
// whenever one of them grows. It decides when they are equal.
//
// Cost, e the largest distance of a process from the next initiator:
//
//	SETS  at most 2n on each link in each direction: 4nm on an undirected graph with m links
//	time  at most e+1+D; exactly, with constant delays, the largest distance of a process from any
//	      other, after the last in-neighbour of that one has been reached, + 1
//
// Invariants: NInc is a part of Inc; if they are equal and not empty, each process with a link to one of
// them is one of them, so that they are all.
//
// Deviations: (1) A process without in-neighbours, which is alone, has heard from all when it starts.
// (2) A message has 8 bits for its kind and 64 for each member of the sets.
package finn

import (
	"fmt"
	"slices"

	"bullring/protocols"
	"bullring/protocols/wave"
)

// Sets is the only message.
type Sets struct {
	Reached wave.Set // Tel: Inc
	Whole   wave.Set // Tel: NInc
}

// Kind implements [protocols.Message].
func (Sets) Kind() int { return 0 }

// Kinds implements [protocols.Message].
func (Sets) Kinds() []string { return names }

var names = []string{"SETS"}

// Bits implements [protocols.Message].
func (s Sets) Bits() int { return 8 + 64*(s.Reached.Len()+s.Whole.Len()) }

// String prints the message as a trace shows it: SETS({0-2},{0}).
func (s Sets) String() string { return fmt.Sprintf("%s(%v,%v)", names[0], s.Reached, s.Whole) }

// Process is one process of the graph.
type Process struct {
	protocols.NoTimers[Sets]

	silent  []protocols.ID // in-neighbours from whom nothing has come
	sets    Sets
	decided bool
}

var _ wave.Process[Sets] = (*Process)(nil)

// New returns a process with these in-neighbours.
func New(from []protocols.ID) *Process { return &Process{silent: slices.Clone(from)} }

// Says implements [wave.Process].
func (p *Process) Says() wave.Said { return wave.Said{Decided: p.decided, Father: wave.Nobody} }

// Start tells of this process.
func (p *Process) Start(n protocols.Node[Sets]) { p.learn(n, Sets{}) }

// Receive adds what a neighbour knows.
func (p *Process) Receive(n protocols.Node[Sets], from protocols.ID, m Sets) {
	p.silent = slices.DeleteFunc(p.silent, func(q protocols.ID) bool { return q == from })
	p.learn(n, m)
}

// learn joins the sets, passes them on if they grow, and decides if they are equal.
func (p *Process) learn(n protocols.Node[Sets], m Sets) {
	before := p.sets
	p.sets = Sets{before.Reached.With(n.ID()).And(m.Reached), before.Whole.And(m.Whole)}
	if len(p.silent) == 0 {
		p.sets.Whole = p.sets.Whole.With(n.ID())
	}
	if p.sets == before || p.decided {
		return
	}
	for port := range n.Degree() {
		n.Send(n.Neighbor(port), p.sets)
	}
	p.decided = p.sets.Reached == p.sets.Whole
}

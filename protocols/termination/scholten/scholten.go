// Package scholten detects the termination of a diffusing computation, by signals that go back along
// the tree of who made whom active.
//
// Paper: E. W. Dijkstra and C. S. Scholten, "Termination detection for diffusing computations",
// Information Processing Letters 11(1), 1980.
//
// Model: asynchronous; a connected graph with links both ways, reliable, in any order; no process
// fails. One process, the root, initiates the computation.
//
// A process counts the work messages that it has sent and that are not signalled yet, its deficit.
// The sender of the message that engages a process is its parent. Each other work message it signals
// at once. When a process is passive and its deficit is 0, it signals its parent, and is engaged no
// more; the root announces termination.
//
// Cost: exactly as many signals as work messages. With delays of a time unit, termination is announced
// within n units: a signal may be under way to a leaf, and then one after the other passes at most
// n-1 edges of the tree.
//
// Invariants: the engaged processes are a tree with the root at its top. Each passive process that is
// not engaged has deficit 0. For each work message or signal under way its sender or its receiver is
// engaged.
//
// Deviations: (1) The paper counts the deficit of each edge; only the sums matter here. (2) A message
// has 8 bits.
package scholten

import (
	"bullring/protocols"
	"bullring/protocols/termination"
)

// Message is a work message or a signal.
type Message protocols.Type

// The messages.
const (
	Work   Message = iota // of the computation
	Signal                // one of the work messages that the receiver sent is done
)

var names = []string{termination.Work, "SIGNAL"}

// Kind implements [protocols.Message].
func (m Message) Kind() int { return int(m) }

// Kinds implements [protocols.Message].
func (Message) Kinds() []string { return names }

// Bits implements [protocols.Message].
func (Message) Bits() int { return 8 }

// String prints the message as a trace shows it.
func (m Message) String() string { return names[m] }

// none is the parent of a process that is not engaged.
const none protocols.ID = -1

// Process is one process of the graph.
type Process struct {
	termination.Worker
	root    bool
	parent  protocols.ID
	deficit int
}

var _ termination.Process[Message] = (*Process)(nil)

// New returns a process. Only the root is an initiator.
func New(work termination.Config, root bool) *Process {
	return &Process{Worker: termination.NewWorker(work), root: root, parent: none}
}

// Start implements [protocols.Process].
func (p *Process) Start(n protocols.Node[Message]) { p.send(n, p.Begin(n)) }

// Timeout implements [protocols.Process]: a piece of work is done.
func (p *Process) Timeout(n protocols.Node[Message], _ protocols.Timer) { p.send(n, p.Finish(n)) }

// Receive implements [protocols.Process].
func (p *Process) Receive(n protocols.Node[Message], from protocols.ID, m Message) {
	switch {
	case m == Signal:
		p.deficit--
		p.send(n, nil)
	case m != Work:
		panic(protocols.Unknown(m))
	case p.root || p.parent != none:
		n.Send(from, Signal)
		p.send(n, p.Activate(n))
	default:
		p.parent = from
		p.send(n, p.Activate(n))
	}
}

// send sends work messages. A process that then has nothing more to wait for leaves the tree.
func (p *Process) send(n protocols.Node[Message], to []protocols.ID) {
	for _, q := range to {
		p.deficit++
		n.Send(q, Work)
	}
	switch {
	case !p.Passive() || p.deficit > 0:
	case p.root:
		p.Announce()
	case p.parent != none:
		n.Send(p.parent, Signal)
		p.parent = none
	}
}

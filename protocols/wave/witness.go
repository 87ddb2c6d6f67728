package wave

import (
	"fmt"

	"bullring/protocols"
)

// Dated is a message with its past: the processes of which an event precedes its sending.
type Dated[M protocols.Message] struct {
	Inner M
	Past  Set
}

// Kind implements [protocols.Message].
func (m Dated[M]) Kind() int { return m.Inner.Kind() }

// Kinds implements [protocols.Message].
func (m Dated[M]) Kinds() []string { return m.Inner.Kinds() }

// Bits implements [protocols.Message]: those of the message inside. The past is for the judge, and no
// part of the algorithm.
func (m Dated[M]) Bits() int { return m.Inner.Bits() }

// String prints the message as a trace shows it: TOKEN after {0,2}.
func (m Dated[M]) String() string { return fmt.Sprintf("%v after %v", m.Inner, m.Past) }

// Witness is a process around one of a wave, which sees on which processes a decision depends.
type Witness[M protocols.Message] struct {
	protocols.NoTimers[Dated[M]]

	inner Process[M]
	n     int // of processes; the one inside does not know it
	past  Set
	state State
}

// NewWitness returns the process around one of n.
func NewWitness[M protocols.Message](inner Process[M], n int) *Witness[M] {
	return &Witness[M]{inner: inner, n: n, state: State{inner.Says(), Nobody}}
}

// State implements [Member].
func (w *Witness[M]) State() State { return w.state }

// Inside implements [protocols.Cover].
func (w *Witness[M]) Inside() any { return w.inner }

// Start implements [protocols.Process].
func (w *Witness[M]) Start(n protocols.Node[Dated[M]]) {
	w.past = w.past.With(n.ID())
	w.inner.Start(node[M]{n, w})
	w.look()
}

// Receive implements [protocols.Process].
func (w *Witness[M]) Receive(n protocols.Node[Dated[M]], from protocols.ID, m Dated[M]) {
	w.past = w.past.With(n.ID()).And(m.Past)
	w.inner.Receive(node[M]{n, w}, from, m.Inner)
	w.look()
}

// look notes what the process says now and, when it decides, who is missing in its past.
func (w *Witness[M]) look() {
	said := w.inner.Says()
	if said.Decided && !w.state.Decided {
		w.state.Misses = w.past.Lacks(w.n)
	}
	w.state.Said = said
}

// node is the node of the process inside.
type node[M protocols.Message] struct {
	protocols.Node[Dated[M]]
	w *Witness[M]
}

// Send implements [protocols.Node].
func (n node[M]) Send(to protocols.ID, m M) { n.Node.Send(to, Dated[M]{m, n.w.past}) }

// Broadcast implements [protocols.Broadcaster].
func (n node[M]) Broadcast(m M) { protocols.Broadcast(n.Node, Dated[M]{m, n.w.past}) }

// Neighbors implements [protocols.Near].
func (n node[M]) Neighbors() []protocols.ID { return protocols.Neighbors(n.Node) }

package rounds

import (
	"fmt"
	"slices"

	"bullring/protocols"
)

// Type tells the envelopes of the synchronizer apart.
type Type uint8

// The three envelopes.
const (
	Payload Type = iota // a message of the algorithm
	Ack                 // a Payload has arrived
	Safe                // all Payloads of the sender in the round have arrived
)

// own are the kinds of the synchronizer, in the order of their types.
var own = []string{"ACK", "SAFE"}

// AlphaMessage is an envelope round a message of the algorithm.
type AlphaMessage[M protocols.Message] struct {
	Inner M // meaningless unless Type is Payload
	Type  Type
	Odd   bool // the number of the round of the sender is odd
}

// Kind implements [protocols.Message]: the kinds of the algorithm, then ACK and SAFE.
func (m AlphaMessage[M]) Kind() int {
	if m.Type == Payload {
		return m.Inner.Kind()
	}
	return len(m.Inner.Kinds()) + int(m.Type-Ack)
}

// Kinds implements [protocols.Message]. Each call makes the slice anew: it is for the
// beginning of a run, not for every message.
func (m AlphaMessage[M]) Kinds() []string { return slices.Concat(m.Inner.Kinds(), own) }

// Bits implements [protocols.Message]: 8 for the number of the round, beyond the
// message of the algorithm or the kind.
func (m AlphaMessage[M]) Bits() int {
	if m.Type == Payload {
		return m.Inner.Bits() + 8
	}
	return 8 + 8
}

// Overhead implements [protocols.Overhead].
func (m AlphaMessage[M]) Overhead(kind int) bool { return kind >= len(m.Inner.Kinds()) }

// Forge implements [protocols.Forgeable], where the message inside does.
func (m AlphaMessage[M]) Forge(f func(identity int64) int64) AlphaMessage[M] {
	if m.Type == Payload {
		m.Inner = protocols.Forge(m.Inner, f)
	}
	return m
}

// String prints the envelope as a trace shows it: MAX(5), ACK, SAFE in odd rounds, and
// MAX(5) even in others.
func (m AlphaMessage[M]) String() string {
	if m.Type == Payload {
		return fmt.Sprint(m.Inner) + parity(m.Odd)
	}
	return own[m.Type-Ack] + parity(m.Odd)
}

// Alpha is a process of a synchronous algorithm on an asynchronous network, behind
// Awerbuch's synchronizer alpha.
type Alpha[M protocols.Message] struct {
	protocols.NoTimers[AlphaMessage[M]]

	inner     protocols.Round[M]
	begun     bool
	box       inbox[M]
	unacked   int // the messages of this round that are not acknowledged
	safe      int // the neighbours that have said SAFE in this round
	earlySafe int // those that have said SAFE in the next
}

var _ protocols.Process[AlphaMessage[protocols.Message]] = (*Alpha[protocols.Message])(nil)

// NewAlpha returns the process behind the synchronizer.
func NewAlpha[M protocols.Message](inner protocols.Round[M]) *Alpha[M] {
	return &Alpha[M]{inner: inner}
}

// Start begins round 1. A process that has begun goes on.
func (p *Alpha[M]) Start(n protocols.Node[AlphaMessage[M]]) {
	if p.begun {
		return
	}
	p.begun, p.box.odd = true, true
	p.inner.Start(p.view(n))
	p.round(n)
}

// Receive handles the three envelopes. The first wakes a process that has not started.
func (p *Alpha[M]) Receive(n protocols.Node[AlphaMessage[M]], from protocols.ID, m AlphaMessage[M]) {
	p.Start(n)
	switch {
	case m.Type == Payload:
		n.Send(from, AlphaMessage[M]{Type: Ack, Odd: m.Odd})
		if !p.inner.Halted() {
			p.box.put(m.Odd, from, m.Inner)
		}
	case p.inner.Halted():
	case m.Type == Ack && p.unacked > 0 && m.Odd == p.box.odd:
		if p.unacked--; p.unacked == 0 {
			p.saySafe(n)
		}
	case m.Type == Ack: // the link has duplicated it
	case m.Type == Safe && m.Odd == p.box.odd:
		p.safe++
		p.advance(n)
	case m.Type == Safe:
		p.earlySafe++
	default:
		panic(protocols.Unknown(m))
	}
}

// round sends the messages of a round.
func (p *Alpha[M]) round(n protocols.Node[AlphaMessage[M]]) {
	if p.inner.Halted() {
		p.box, p.unacked, p.safe, p.earlySafe = inbox[M]{}, 0, 0, 0
		return
	}
	p.inner.Messages(p.view(n))
	if p.unacked == 0 {
		p.saySafe(n)
	}
}

// saySafe tells the neighbours that all the messages of the round have arrived.
func (p *Alpha[M]) saySafe(n protocols.Node[AlphaMessage[M]]) {
	for port := range n.Degree() {
		n.Send(n.Neighbor(port), AlphaMessage[M]{Type: Safe, Odd: p.box.odd})
	}
	p.advance(n)
}

// advance begins the next round when the process and its neighbours are safe.
func (p *Alpha[M]) advance(n protocols.Node[AlphaMessage[M]]) {
	if p.unacked > 0 || p.safe < n.Degree() {
		return
	}
	arrived := p.box.turn()
	p.safe, p.earlySafe = p.earlySafe, 0
	p.inner.Transition(p.view(n), arrived)
	p.round(n)
}

func (p *Alpha[M]) view(n protocols.Node[AlphaMessage[M]]) protocols.Node[M] {
	return &node[M, AlphaMessage[M]]{n, func(to protocols.ID, m M) {
		p.unacked++
		n.Send(to, AlphaMessage[M]{Inner: m, Type: Payload, Odd: p.box.odd})
	}}
}

package reliable

import (
	"fmt"
	"slices"

	"bullring/protocols"
)

// Type tells the envelopes apart.
type Type uint8

// The three envelopes.
const (
	Data  Type = iota // a message of the algorithm, for the first time
	Ack               // all messages up to a number have been delivered
	Retry             // a message of the algorithm, once more
)

// own are the kinds of the link itself, in the order of their types.
var own = []string{"ACK", "RETRY"}

// Message is an envelope round a message of the algorithm.
type Message[M protocols.Message] struct {
	Inner  M      // meaningless in an Ack
	Number uint64 // of the message on its way from this sender to this receiver, from 1; of an Ack the last one delivered
	From   uint32 // the incarnation of the sender
	To     uint32 // the incarnation of the receiver, as far as the sender knows
	kinds  uint16 // the number of kinds of the algorithm
	Type   Type
	First  bool // nothing with a smaller number will be sent again
}

// Kind implements [protocols.Message]: the kinds of the algorithm, then ACK and
// RETRY.
func (m Message[M]) Kind() int {
	if m.Type == Data {
		return m.Inner.Kind()
	}
	return int(m.kinds) + int(m.Type-Ack)
}

// Kinds implements [protocols.Message]. It makes the slice anew: it is for the
// beginning of a run and not for every message.
func (m Message[M]) Kinds() []string { return slices.Concat(m.Inner.Kinds(), own) }

// Bits implements [protocols.Message]. Beyond its inner message an envelope has
// 64 for the number, 64 for each incarnation and 8 for First; an Ack has 8 for the
// kind in place of all but the numbers; a Retry has 8 for a kind of its own beside
// that of the message in it.
func (m Message[M]) Bits() int {
	const numbers = 3 * 64
	switch m.Type {
	case Ack:
		return 8 + numbers
	case Retry:
		return 8 + m.Inner.Bits() + numbers + 8
	}
	return m.Inner.Bits() + numbers + 8
}

// Overhead implements [protocols.Overhead].
func (m Message[M]) Overhead(kind int) bool {
	if kind >= len(m.Inner.Kinds()) {
		return true
	}
	o, ok := any(m.Inner).(protocols.Overhead)
	return ok && o.Overhead(kind)
}

// Background implements [protocols.Backgrounder]: what is background inside.
func (m Message[M]) Background(kind int) bool {
	b, ok := any(m.Inner).(protocols.Backgrounder)
	return ok && kind < len(m.Inner.Kinds()) && b.Background(kind)
}

// Forge implements [protocols.Forgeable]. Where the message inside cannot be
// forged nothing changes; whether it can is a question to the algorithm's message.
func (m Message[M]) Forge(f func(identity int64) int64) Message[M] {
	if inner, ok := any(m.Inner).(protocols.Forgeable[M]); ok && m.Type != Ack {
		m.Inner = inner.Forge(f)
	}
	return m
}

// String prints the envelope as a trace shows it: ELECTION(5)#1, RETRY
// ELECTION(5)#1, ACK #1. Incarnations follow where one of them is not the first:
// ELECTION(5)#1 0->1.
func (m Message[M]) String() string {
	s := fmt.Sprintf("%v#%d", m.Inner, m.Number)
	switch m.Type {
	case Ack:
		s = fmt.Sprintf("ACK #%d", m.Number)
	case Retry:
		s = "RETRY " + s
	}
	if m.From > 0 || m.To > 0 {
		s += fmt.Sprintf(" %d->%d", m.From, m.To)
	}
	return s
}

package reliable

import (
	"encoding/json"
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

// own are the kinds of the link, in the order of their types.
var own = []string{"ACK", "RETRY"}

// Message is an envelope round a message of the algorithm.
type Message[M protocols.Message] struct {
	Inner  M      // meaningless in an Ack
	Number uint64 // of the message from this sender to this receiver, from 1; in an Ack, of the last one delivered
	From   uint32 // the incarnation of the sender
	To     uint32 // the incarnation of the receiver, as far as the sender knows
	kinds  uint16 `explore:"-"` // the number of kinds of the algorithm
	Type   Type
	First  bool // no message with a smaller number will be sent again
}

// Kind implements [protocols.Message]: the kinds of the algorithm, then ACK and
// RETRY.
func (m Message[M]) Kind() int {
	if m.Type == Data {
		return m.Inner.Kind()
	}
	return int(m.kinds) + int(m.Type-Ack)
}

// Kinds implements [protocols.Message]. Each call makes the slice anew: it is for the
// beginning of a run, not for every message.
func (m Message[M]) Kinds() []string { return slices.Concat(m.Inner.Kinds(), own) }

// Bits implements [protocols.Message]. Beyond the message inside an envelope has 64 for
// the number, 64 for each incarnation and 8 for First. An Ack has 8 for the kind and the
// three numbers. A Retry has 8 more for its own kind.
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
	return kind >= len(m.Inner.Kinds()) || protocols.IsOverhead(m.Inner, kind)
}

// Background implements [protocols.Backgrounder], as the message inside does.
func (m Message[M]) Background(kind int) bool {
	return kind < len(m.Inner.Kinds()) && protocols.IsBackground(m.Inner, kind)
}

// Forge implements [protocols.Forgeable], as far as the message inside does.
func (m Message[M]) Forge(f func(identity int64) int64) Message[M] {
	if m.Type != Ack {
		m.Inner = protocols.Forge(m.Inner, f)
	}
	return m
}

// String prints the envelope as a trace shows it: ELECTION(5)#1, RETRY ELECTION(5)#1,
// ACK #1. The word first follows if the sender has given up those before: ELECTION(5)#4 first.
// Incarnations follow if one of them is not the first: ELECTION(5)#1 0->1.
func (m Message[M]) String() string {
	s := fmt.Sprintf("%v#%d", m.Inner, m.Number)
	switch m.Type {
	case Ack:
		s = fmt.Sprintf("ACK #%d", m.Number)
	case Retry:
		s = "RETRY " + s
	}
	if m.First && m.Number > 1 {
		s += " first"
	}
	if m.From > 0 || m.To > 0 {
		s += fmt.Sprintf(" %d->%d", m.From, m.To)
	}
	return s
}

// Decode implements [protocols.Decoder].
func (p *Process[M]) Decode(text []byte) (m Message[M], err error) {
	form := struct {
		*Message[M]
		Inner json.RawMessage // hides that of the message
	}{Message: &m}
	if err := protocols.Unmarshal(text, &form); err != nil {
		return m, err
	}
	switch {
	case m.Type > Retry:
		return m, fmt.Errorf("type %d of a reliable link; the last is %d", m.Type, Retry)
	case m.Type != Ack:
		m.Inner, err = protocols.Decode(p.Inner, form.Inner)
	}
	m.kinds = p.kinds
	return m, err
}

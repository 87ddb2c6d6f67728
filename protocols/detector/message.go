package detector

import (
	"fmt"
	"slices"

	"bullring/protocols"
)

// own is the kind of the detector itself.
var own = []string{"HEARTBEAT"}

// Message is a message of the algorithm, or a heartbeat.
type Message[M protocols.Message] struct {
	Inner       M      // meaningless in a heartbeat
	Number      uint64 // of the heartbeat in the life of its sender, from 1; 0 in a message of the algorithm
	Incarnation uint32 // of the sender of a heartbeat
	kinds       uint16 // the number of kinds of the algorithm, in a heartbeat
}

// Kind implements [protocols.Message]: the kinds of the algorithm, then
// HEARTBEAT.
func (m Message[M]) Kind() int {
	if m.Number == 0 {
		return m.Inner.Kind()
	}
	return int(m.kinds)
}

// Kinds implements [protocols.Message]. It makes the slice anew: it is for the
// beginning of a run and not for every message.
func (m Message[M]) Kinds() []string { return slices.Concat(m.Inner.Kinds(), own) }

// Bits implements [protocols.Message]. A heartbeat is 8 for the kind, 64 for the
// number and 64 for the incarnation; a message of the algorithm is its own size.
func (m Message[M]) Bits() int {
	if m.Number == 0 {
		return m.Inner.Bits()
	}
	return 8 + 64 + 64
}

// Overhead implements [protocols.Overhead].
func (m Message[M]) Overhead(kind int) bool {
	if kind >= len(m.Inner.Kinds()) {
		return true
	}
	o, ok := any(m.Inner).(protocols.Overhead)
	return ok && o.Overhead(kind)
}

// Background implements [protocols.Backgrounder]: heartbeats, and what is
// background inside.
func (m Message[M]) Background(kind int) bool {
	if kind >= len(m.Inner.Kinds()) {
		return true
	}
	b, ok := any(m.Inner).(protocols.Backgrounder)
	return ok && b.Background(kind)
}

// Forge implements [protocols.Forgeable]. Where the message inside cannot be
// forged nothing changes; whether it can is a question to the algorithm's message.
func (m Message[M]) Forge(f func(identity int64) int64) Message[M] {
	if inner, ok := any(m.Inner).(protocols.Forgeable[M]); ok && m.Number == 0 {
		m.Inner = inner.Forge(f)
	}
	return m
}

// String prints the message as a trace shows it: that of the algorithm as it is,
// HEARTBEAT #7, and HEARTBEAT #7 of life 2 if the first is life 0.
func (m Message[M]) String() string {
	switch {
	case m.Number == 0:
		return fmt.Sprint(m.Inner)
	case m.Incarnation == 0:
		return fmt.Sprintf("HEARTBEAT #%d", m.Number)
	}
	return fmt.Sprintf("HEARTBEAT #%d of life %d", m.Number, m.Incarnation)
}

package chandylamport

import (
	"fmt"
	"slices"

	"bullring/protocols"
)

// Message is a message of the application, or a marker.
type Message[M protocols.Message] struct {
	Inner  M // meaningless in a marker
	Marker bool
}

// Kind implements [protocols.Message]: the kinds of the application, then MARKER.
func (m Message[M]) Kind() int {
	if m.Marker {
		return len(m.Inner.Kinds())
	}
	return m.Inner.Kind()
}

// Kinds implements [protocols.Message]. It makes the slice anew: it is for the
// beginning of a run and not for every message.
func (m Message[M]) Kinds() []string { return append(slices.Clone(m.Inner.Kinds()), "MARKER") }

// Bits implements [protocols.Message]: a marker is its kind, and what the
// application sends is not larger for it.
func (m Message[M]) Bits() int {
	if m.Marker {
		return 8
	}
	return m.Inner.Bits()
}

// Overhead implements [protocols.Overhead]: the algorithm is the snapshot and its
// messages are the markers; those of the application that it is taken of are counted
// apart.
func (m Message[M]) Overhead(kind int) bool { return kind < len(m.Inner.Kinds()) }

// Background implements [protocols.Backgrounder]: what is background to the
// application.
func (m Message[M]) Background(kind int) bool {
	b, ok := any(m.Inner).(protocols.Backgrounder)
	return ok && kind < len(m.Inner.Kinds()) && b.Background(kind)
}

// String prints the message as a trace shows it: MARKER, or what the application
// prints.
func (m Message[M]) String() string {
	if m.Marker {
		return "MARKER"
	}
	return fmt.Sprint(m.Inner)
}

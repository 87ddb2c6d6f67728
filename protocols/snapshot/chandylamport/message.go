package chandylamport

import (
	"fmt"
	"slices"

	"bullring/protocols"
)

// Message is a message of the application or a marker.
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

// Kinds implements [protocols.Message]. Each call makes the slice anew: it is for the
// beginning of a run, not for every message.
func (m Message[M]) Kinds() []string { return append(slices.Clone(m.Inner.Kinds()), "MARKER") }

// Bits implements [protocols.Message]: 8 for a marker. Messages of the application do
// not grow.
func (m Message[M]) Bits() int {
	if m.Marker {
		return 8
	}
	return m.Inner.Bits()
}

// Overhead implements [protocols.Overhead]. The algorithm is the snapshot, and its
// messages are the markers; the messages of the application are counted apart.
func (m Message[M]) Overhead(kind int) bool { return kind < len(m.Inner.Kinds()) }

// Background implements [protocols.Backgrounder], as the application does.
func (m Message[M]) Background(kind int) bool {
	return kind < len(m.Inner.Kinds()) && protocols.IsBackground(m.Inner, kind)
}

// String prints the message as a trace shows it: MARKER, or the message of the
// application.
func (m Message[M]) String() string {
	if m.Marker {
		return "MARKER"
	}
	return fmt.Sprint(m.Inner)
}

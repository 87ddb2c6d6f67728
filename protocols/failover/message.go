package failover

import (
	"fmt"
	"slices"

	"bullring/protocols"
	"bullring/protocols/box"
)

// Type tells the messages apart.
type Type uint8

// The three types.
const (
	Serve       Type = iota // a message of the service
	Elect                   // one of an election
	Coordinator             // the sender has won it
)

// own are the kinds beside those of the service, in the order of their types.
var own = []string{"ELECT", "COORDINATOR"}

// Message is a message of the service, or one of an election.
type Message[S protocols.Message] struct {
	Type    Type
	Epoch   int
	Members uint64      // a fingerprint of those who elect, in an Elect
	Service S           // meaningless unless it is a Serve
	Ballot  box.Message // of an Elect
}

// Kind implements [protocols.Message]: the kinds of the service, then ELECT for
// whatever an election sends, and COORDINATOR.
func (m Message[S]) Kind() int {
	if m.Type == Serve {
		return m.Service.Kind()
	}
	return len(m.Service.Kinds()) + int(m.Type-Elect)
}

// Kinds implements [protocols.Message]. It makes the slice anew: it is for the
// beginning of a run and not for every message.
func (m Message[S]) Kinds() []string { return slices.Concat(m.Service.Kinds(), own) }

// Bits implements [protocols.Message]. Each message has 64 for the epoch beyond that of
// the service; one of an election 8 for a kind of its own and 64 for the members beyond
// the message inside.
func (m Message[S]) Bits() int {
	switch m.Type {
	case Serve:
		return m.Service.Bits() + 64
	case Elect:
		return 8 + 64 + 64 + m.Ballot.Bits()
	}
	return 8 + 64
}

// Overhead implements [protocols.Overhead]: what is not of the service.
func (m Message[S]) Overhead(kind int) bool { return kind >= len(m.Service.Kinds()) }

// String prints the message as a trace shows it: that of the service as it is, ELECT
// with the message inside, and COORDINATOR, with the number of the dead behind it unless
// that is 0.
func (m Message[S]) String() string {
	text := "COORDINATOR"
	switch m.Type {
	case Serve:
		text = fmt.Sprint(m.Service)
	case Elect:
		text = fmt.Sprintf("ELECT %v", m.Ballot)
	}
	if m.Epoch > 0 {
		text += fmt.Sprintf("@%d", m.Epoch/terms)
	}
	return text
}

package ricartagrawala

import (
	"fmt"

	"bullring/protocols"
)

// Type tells the messages apart.
type Type uint8

// The two messages.
const (
	Request Type = iota // asks for permission
	Reply               // gives it
)

// Message is a REQUEST with its sequence number, or a REPLY, which carries nothing.
type Message struct {
	Type   Type
	Number int64 // of a REQUEST
}

var _ protocols.Message = Message{}

var kinds = []string{"REQUEST", "REPLY"}

// Kind implements [protocols.Message].
func (m Message) Kind() int { return int(m.Type) }

// Kinds implements [protocols.Message].
func (Message) Kinds() []string { return kinds }

// Bits implements [protocols.Message]: 8 for the kind, and 64 for the sequence
// number of a REQUEST.
func (m Message) Bits() int {
	if m.Type == Request {
		return 8 + 64
	}
	return 8
}

// String prints the message as a trace shows it: REQUEST(3).
func (m Message) String() string {
	if m.Type == Request {
		return fmt.Sprintf("%s(%d)", kinds[m.Type], m.Number)
	}
	return kinds[m.Type]
}

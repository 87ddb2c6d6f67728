package ricartagrawala

import (
	"fmt"
)

// Type tells the messages apart.
type Type uint8

// The two messages.
const (
	Request Type = iota // asks for permission
	Reply               // gives it
)

// Message is a REQUEST with its sequence number, or a REPLY. With Clocks a REPLY carries
// the largest number that its sender has seen, which is above 0.
type Message struct {
	Type   Type
	Number int64
}

var kinds = []string{"REQUEST", "REPLY"}

func (m Message) Kind() int     { return int(m.Type) }
func (Message) Kinds() []string { return kinds }

// Bits implements [protocols.Message]: 8 for the kind, and 64 for a number.
func (m Message) Bits() int {
	if m.numbered() {
		return 8 + 64
	}
	return 8
}

func (m Message) numbered() bool { return m.Type == Request || m.Number > 0 }

// String prints the message as a trace shows it: REQUEST(3).
func (m Message) String() string {
	if m.numbered() {
		return fmt.Sprintf("%s(%d)", kinds[m.Type], m.Number)
	}
	return kinds[m.Type]
}

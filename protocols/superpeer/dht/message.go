package dht

import (
	"fmt"

	"bullring/protocols"
)

// Type tells the messages apart.
type Type uint8

// The three messages.
const (
	Lookup      Type = iota // asks for the process responsible for the key
	Forward                 // the same question, passed on
	Responsible             // the answer: the sender is
)

// Message is a question on its way to the process responsible for a key, or the answer.
type Message struct {
	Type   Type
	Key    uint64
	Origin protocols.ID // FORWARD: the process that asked
}

var kinds = []string{"LOOKUP", "FORWARD", "RESPONSIBLE"}

func (m Message) Kind() int     { return int(m.Type) }
func (Message) Kinds() []string { return kinds }

// Bits implements [protocols.Message]: 8 for the kind, 64 for the key, and 64 for the
// origin in a FORWARD.
func (m Message) Bits() int {
	if m.Type == Forward {
		return 8 + 2*64
	}
	return 8 + 64
}

// String prints the message as a trace shows it: LOOKUP(12), FORWARD(12 for 3).
func (m Message) String() string {
	if m.Type == Forward {
		return fmt.Sprintf("%s(%d for %d)", kinds[Forward], m.Key, m.Origin)
	}
	return fmt.Sprintf("%s(%d)", kinds[m.Type], m.Key)
}

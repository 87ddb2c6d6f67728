package dht

import (
	"fmt"

	"bullring/protocols"
)

// Type tells the messages apart.
type Type uint8

// The three messages.
const (
	Lookup      Type = iota // who is responsible for the key? from who wants to know
	Forward                 // the same question, passed on
	Responsible             // I am
)

// Message is a question on its way to who is responsible for a key, or the answer.
type Message struct {
	Type   Type
	Key    uint64
	Origin protocols.ID // of a Forward, who wants to know
}

var kinds = []string{"LOOKUP", "FORWARD", "RESPONSIBLE"}

func (m Message) Kind() int     { return int(m.Type) }
func (Message) Kinds() []string { return kinds }

// Bits implements [protocols.Message]: 8 for the kind, 64 for the key, and 64 for who
// wants to know if that is not the sender.
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

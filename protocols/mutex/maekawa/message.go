package maekawa

import (
	"fmt"

	"bullring/protocols"
)

// Type tells the messages apart.
type Type uint8

// The six messages.
const (
	Request    Type = iota // asks a voter for its vote
	Locked                 // the vote
	Failed                 // somebody else comes first
	Inquire                // asks whether the vote can be had back
	Relinquish             // gives it back for now
	Release                // gives it back for good
)

// Message is one of the six, about the request that was made at that time.
type Message struct {
	Type Type
	Time int64
}

var _ protocols.Message = Message{}

var kinds = []string{"REQUEST", "LOCKED", "FAILED", "INQUIRE", "RELINQUISH", "RELEASE"}

// Kind implements [protocols.Message].
func (m Message) Kind() int { return int(m.Type) }

// Kinds implements [protocols.Message].
func (Message) Kinds() []string { return kinds }

// Bits implements [protocols.Message]: 8 for the kind and 64 for the time.
func (Message) Bits() int { return 8 + 64 }

// String prints the message as a trace shows it: REQUEST(3).
func (m Message) String() string { return fmt.Sprintf("%s(%d)", kinds[m.Type], m.Time) }

package lamport

import (
	"fmt"

	"bullring/protocols"
)

// Type tells the messages apart.
type Type uint8

// The three messages.
const (
	Request Type = iota // puts a request into the receiver's queue
	Reply               // says that the request is there
	Release             // takes it out
)

// Message is one of the three with the time of its sender.
type Message struct {
	Type Type
	Time int64
}

var _ protocols.Message = Message{}

var kinds = []string{"REQUEST", "REPLY", "RELEASE"}

// Kind implements [protocols.Message].
func (m Message) Kind() int { return int(m.Type) }

// Kinds implements [protocols.Message].
func (Message) Kinds() []string { return kinds }

// Bits implements [protocols.Message]: 8 for the kind and 64 for the time.
func (Message) Bits() int { return 8 + 64 }

// String prints the message as a trace shows it: REQUEST(3).
func (m Message) String() string { return fmt.Sprintf("%s(%d)", kinds[m.Type], m.Time) }

package centralized

import "bullring/protocols"

// Message is one of the three messages; it carries nothing.
type Message uint8

// The three messages.
const (
	Request Message = iota // asks the coordinator for permission
	Grant                  // gives it
	Release                // gives it back
)

var _ protocols.Message = Message(0)

var kinds = []string{"REQUEST", "GRANT", "RELEASE"}

// Kind implements [protocols.Message].
func (m Message) Kind() int { return int(m) }

// Kinds implements [protocols.Message].
func (Message) Kinds() []string { return kinds }

// Bits implements [protocols.Message]: 8 for the kind.
func (Message) Bits() int { return 8 }

// String prints the message as a trace shows it.
func (m Message) String() string { return kinds[m] }

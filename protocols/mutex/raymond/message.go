package raymond

import "bullring/protocols"

// Message tells the two messages apart, and there is nothing else in either.
type Message uint8

// The two messages.
const (
	Request   Message = iota // to where the token is
	Privilege                // the token, on the way back
)

var _ protocols.Message = Message(0)

var kinds = []string{"REQUEST", "PRIVILEGE"}

// Kind implements [protocols.Message].
func (m Message) Kind() int { return int(m) }

// Kinds implements [protocols.Message].
func (Message) Kinds() []string { return kinds }

// Bits implements [protocols.Message]: 8 for the kind.
func (Message) Bits() int { return 8 }

// String prints the message as a trace shows it: REQUEST.
func (m Message) String() string { return kinds[m] }

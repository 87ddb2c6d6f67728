package tokenring

import "bullring/protocols"

// Message is the token, and there is nothing in it.
type Message struct{}

var _ protocols.Message = Message{}

var kinds = []string{"TOKEN"}

// Kind implements [protocols.Message].
func (Message) Kind() int { return 0 }

// Kinds implements [protocols.Message].
func (Message) Kinds() []string { return kinds }

// Bits implements [protocols.Message]: 8 for the kind.
func (Message) Bits() int { return 8 }

// String prints the message as a trace shows it: TOKEN.
func (Message) String() string { return kinds[0] }

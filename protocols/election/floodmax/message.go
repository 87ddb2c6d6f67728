package floodmax

import (
	"bullring/protocols"
	"bullring/protocols/election"
)

// Message is the best rank that its sender knows.
type Message struct{ Rank election.Rank }

var (
	_ protocols.Message            = Message{}
	_ protocols.Forgeable[Message] = Message{}
)

var kinds = []string{"MAX"}

// Kind implements [protocols.Message].
func (Message) Kind() int { return 0 }

// Kinds implements [protocols.Message].
func (Message) Kinds() []string { return kinds }

// Bits implements [protocols.Message]: 8 for the kind and the rank.
func (m Message) Bits() int { return 8 + m.Rank.Bits() }

// String prints the message as a trace shows it: MAX(5).
func (m Message) String() string { return kinds[0] + "(" + m.Rank.String() + ")" }

// Forge implements [protocols.Forgeable].
func (m Message) Forge(f func(identity int64) int64) Message { return Message{m.Rank.Forge(f)} }

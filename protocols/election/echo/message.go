package echo

import (
	"bullring/protocols"
	"bullring/protocols/election"
)

// Type tells the messages apart.
type Type uint8

// The two messages.
const (
	Token  Type = iota // of the wave of the initiator that it names: out, and as the echo back
	Leader             // the winner's rank
)

// Message is the rank of an initiator.
type Message struct {
	Type Type
	Rank election.Rank
}

var (
	_ protocols.Message            = Message{}
	_ protocols.Forgeable[Message] = Message{}
)

var kinds = []string{"TOKEN", "LEADER"}

// Kind implements [protocols.Message].
func (m Message) Kind() int { return int(m.Type) }

// Kinds implements [protocols.Message].
func (Message) Kinds() []string { return kinds }

// Bits implements [protocols.Message]: 8 for the kind and the rank.
func (m Message) Bits() int { return 8 + m.Rank.Bits() }

// String prints the message as a trace shows it: TOKEN(5).
func (m Message) String() string { return kinds[m.Type] + "(" + m.Rank.String() + ")" }

// Forge implements [protocols.Forgeable].
func (m Message) Forge(f func(identity int64) int64) Message {
	return Message{m.Type, m.Rank.Forge(f)}
}

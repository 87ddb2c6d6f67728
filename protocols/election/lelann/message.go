package lelann

import (
	"bullring/protocols"
	"bullring/protocols/election"
)

// Type tells the messages apart.
type Type uint8

// Token is the only message: an initiator's rank.
const Token Type = 0

// Message is a rank on its way round the ring.
type Message struct {
	Type Type
	Rank election.Rank
}

var (
	_ protocols.Message            = Message{}
	_ protocols.Forgeable[Message] = Message{}
)

var kinds = []string{"TOKEN"}

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

package variablespeeds

import (
	"bullring/protocols"
	"bullring/protocols/election"
)

// Message is a token: the identity of the process that made it.
type Message struct{ ID election.Identity }

var (
	_ protocols.Message            = Message{}
	_ protocols.Forgeable[Message] = Message{}
)

var kinds = []string{"TOKEN"}

// Kind implements [protocols.Message].
func (Message) Kind() int { return 0 }

// Kinds implements [protocols.Message].
func (Message) Kinds() []string { return kinds }

// Bits implements [protocols.Message]: 8 for the kind, 64 for the identity.
func (Message) Bits() int { return 8 + 64 }

// String prints the message as a trace shows it: TOKEN(2).
func (m Message) String() string { return kinds[0] + "(" + election.Rank{ID: m.ID}.String() + ")" }

// Forge implements [protocols.Forgeable].
func (m Message) Forge(f func(identity int64) int64) Message {
	return Message{election.Identity(f(int64(m.ID)))}
}

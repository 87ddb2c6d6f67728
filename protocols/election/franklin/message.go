package franklin

import (
	"bullring/protocols"
	"bullring/protocols/election"
)

// Type tells the messages apart.
type Type uint8

// The two messages.
const (
	Probe    Type = iota // the rank of an active process, to the next active one
	Announce             // the rank of the leader
)

// Message is a rank on its way along the ring. It names its way, because on a ring of
// one or two its sender does not tell it: both neighbours are the same process.
type Message struct {
	Type Type
	Way  election.Way
	Rank election.Rank
}

var _ protocols.Forgeable[Message] = Message{}

var kinds = []string{"PROBE", "ANNOUNCE"}

func (m Message) Kind() int     { return int(m.Type) }
func (Message) Kinds() []string { return kinds }

// Bits implements [protocols.Message]: 8 for the kind and the way, and the rank.
func (m Message) Bits() int { return 8 + m.Rank.Bits() }

// String prints the message as a trace shows it: PROBE+(5) to the successors, PROBE-(5)
// to the predecessors, ANNOUNCE(5).
func (m Message) String() string {
	if m.Type == Announce {
		return kinds[m.Type] + "(" + m.Rank.String() + ")"
	}
	return kinds[m.Type] + m.Way.String() + "(" + m.Rank.String() + ")"
}

// Forge implements [protocols.Forgeable].
func (m Message) Forge(f func(identity int64) int64) Message {
	m.Rank = m.Rank.Forge(f)
	return m
}

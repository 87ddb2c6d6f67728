package franklin

import (
	"bullring/protocols"
	"bullring/protocols/election"
)

// Type tells the messages apart.
type Type uint8

// The two messages.
const (
	Probe    Type = iota // an active process's rank, for the next active one
	Announce             // the leader's rank, if everybody is to learn it
)

// Way is a direction on the ring: the port by which a message leaves every
// process that it passes.
type Way uint8

// The two ways.
const (
	With    Way = iota // to the successors
	Against            // to the predecessors
)

// Message is a rank on its way along the ring. It tells which way it goes: the
// process it comes from does not on a ring of one or two, where both neighbours
// are the same.
type Message struct {
	Type Type
	Way  Way
	Rank election.Rank
}

var _ protocols.Forgeable[Message] = Message{}

var kinds = []string{"PROBE", "ANNOUNCE"}

func (m Message) Kind() int     { return int(m.Type) }
func (Message) Kinds() []string { return kinds }

// Bits implements [protocols.Message]: 8 for the kind and the way, and the rank.
func (m Message) Bits() int { return 8 + m.Rank.Bits() }

// String prints the message as a trace shows it, + being the way of the ring:
// PROBE+(5), PROBE-(5), ANNOUNCE(5).
func (m Message) String() string {
	way := [...]string{With: "+", Against: "-"}[m.Way]
	if m.Type == Announce {
		way = ""
	}
	return kinds[m.Type] + way + "(" + m.Rank.String() + ")"
}

// Forge implements [protocols.Forgeable].
func (m Message) Forge(f func(identity int64) int64) Message {
	m.Rank = m.Rank.Forge(f)
	return m
}

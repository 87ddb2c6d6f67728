package hirschbergsinclair

import (
	"fmt"

	"bullring/protocols"
	"bullring/protocols/election"
)

// Type tells the messages apart.
type Type uint8

// The four messages.
const (
	Out      Type = iota // the rank of a candidate on its way out
	In                   // on its way back: it has won all the way out
	No                   // on its way back: it has lost; in the original only
	Announce             // the rank of the leader
)

// Message is a rank on its way along the ring. It names its way, because on a ring of
// one or two its sender does not tell it: both neighbours are the same process.
type Message struct {
	Type Type
	Way  election.Way
	Hops int // OUT: the hops that are left, this one included
	Rank election.Rank
}

var _ protocols.Forgeable[Message] = Message{}

var kinds = []string{"OUT", "IN", "NO", "ANNOUNCE"}

func (m Message) Kind() int     { return int(m.Type) }
func (Message) Kinds() []string { return kinds }

// Bits implements [protocols.Message]: 8 for the kind and the way, the rank, and
// in an OUT 64 for the hops.
func (m Message) Bits() int {
	if m.Type == Out {
		return 8 + m.Rank.Bits() + 64
	}
	return 8 + m.Rank.Bits()
}

// String prints the message as a trace shows it: OUT+(5, 2 hops) to the successors,
// IN-(5) to the predecessors.
func (m Message) String() string {
	switch m.Type {
	case Announce:
		return fmt.Sprintf("ANNOUNCE(%v)", m.Rank)
	case Out:
		return fmt.Sprintf("OUT%v(%v, %d hops)", m.Way, m.Rank, m.Hops)
	}
	return fmt.Sprintf("%s%v(%v)", kinds[m.Type], m.Way, m.Rank)
}

// Forge implements [protocols.Forgeable].
func (m Message) Forge(f func(identity int64) int64) Message {
	m.Rank = m.Rank.Forge(f)
	return m
}

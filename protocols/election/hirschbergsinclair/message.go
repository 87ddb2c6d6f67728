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
	Out      Type = iota // a candidate's rank on its way out
	In                   // the same on its way back: it has won as far as it got
	No                   // the same on its way back: it has lost; of the original only
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

func (w Way) back() Way { return 1 - w }

// Message is a rank on its way along the ring. It tells which way it goes: the
// process it comes from does not on a ring of one or two, where both neighbours
// are the same.
type Message struct {
	Type Type
	Way  Way
	Hops int // how far an OUT may still go, this hop included; else 0
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

// String prints the message as a trace shows it, + being the way of the ring:
// OUT+(5, 2 hops), IN-(5).
func (m Message) String() string {
	way := [...]string{With: "+", Against: "-"}[m.Way]
	switch m.Type {
	case Announce:
		way = ""
	case Out:
		return fmt.Sprintf("OUT%s(%v, %d hops)", way, m.Rank, m.Hops)
	}
	return fmt.Sprintf("%s%s(%v)", kinds[m.Type], way, m.Rank)
}

// Forge implements [protocols.Forgeable].
func (m Message) Forge(f func(identity int64) int64) Message {
	m.Rank = m.Rank.Forge(f)
	return m
}

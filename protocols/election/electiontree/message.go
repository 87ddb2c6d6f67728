package electiontree

import (
	"cmp"
	"fmt"

	"bullring/protocols"
	"bullring/protocols/election"
)

// Type tells the messages apart.
type Type uint8

// The three messages.
const (
	Election Type = iota // grows the tree
	Ack                  // to the sender of ELECTION: at once, or when the subtree is done
	Leader               // the winner, down the tree
)

// Index names an election. Of two elections the one of the later round goes on, and on
// ties that of the larger initiator.
type Index struct {
	Round     int // from 1
	Initiator election.Identity
}

// String prints the index: 1.4 is that of the first election of identity 4.
func (a Index) String() string { return fmt.Sprintf("%d.%d", a.Round, a.Initiator) }

// compare is positive if a goes on where it meets b.
func (a Index) compare(b Index) int {
	return cmp.Or(cmp.Compare(a.Round, b.Round), cmp.Compare(a.Initiator, b.Initiator))
}

// Message belongs to one election. A field that its type does not use is zero.
type Message struct {
	Type   Type
	Index  Index
	Child  bool          // ACK: the sender is a child of the receiver, and its subtree is done
	Broken bool          // ACK: a process died in the sender's subtree before it was done
	Best   election.Rank // ACK of a child: of its subtree; LEADER: the winner
}

var _ protocols.Forgeable[Message] = Message{}

var kinds = []string{"ELECTION", "ACK", "LEADER"}

func (m Message) Kind() int     { return int(m.Type) }
func (Message) Kinds() []string { return kinds }

// Bits implements [protocols.Message]: 8 for the kind, 128 for the index, 8 for the two
// flags of an ACK, and the rank where there is one.
func (m Message) Bits() int {
	bits := 8 + 128
	if m.Type == Ack {
		bits += 8
	}
	if m.Type == Leader || m.Child {
		bits += m.Best.Bits()
	}
	return bits
}

// String prints the message as a trace shows it: ELECTION(1.7) for round 1 and
// initiator 7.
func (m Message) String() string {
	text := fmt.Sprintf("%s(%d.%d", kinds[m.Type], m.Index.Round, m.Index.Initiator)
	if m.Type == Leader || m.Child {
		text += "," + m.Best.String()
	}
	if m.Broken {
		text += ",broken"
	}
	return text + ")"
}

// Forge implements [protocols.Forgeable].
func (m Message) Forge(f func(identity int64) int64) Message {
	m.Index.Initiator = election.Identity(f(int64(m.Index.Initiator)))
	if m.Type == Leader || m.Child {
		m.Best = m.Best.Forge(f)
	}
	return m
}

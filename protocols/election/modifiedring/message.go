package modifiedring

import (
	"fmt"
	"slices"
	"strings"

	"bullring/protocols"
	"bullring/protocols/election"
)

// Type tells the messages apart.
type Type uint8

// The two messages, in the order in which a process sees those of an election.
const (
	Election    Type = iota // collects the live processes
	Coordinator             // announces the winner, and collects them again
)

// String names the type.
func (t Type) String() string { return kinds[t] }

// Member is a process in a list: the rank, to compare it, and the address, to ask the
// detector about it.
type Member struct {
	Address protocols.ID
	Rank    election.Rank
}

// Bits is the size on the wire: 64 for the address, and the rank.
func (m Member) Bits() int { return 64 + m.Rank.Bits() }

// Message is on its way from its initiator round the ring and back.
type Message struct {
	Type      Type
	Initiator protocols.ID
	Round     int      // the number of the election among those of its initiator, from 1
	List      []Member // the processes on its way, the initiator first; never modified
	Winner    Member   // COORDINATOR
}

var _ protocols.Forgeable[Message] = Message{}

var kinds = []string{"ELECTION", "COORDINATOR"}

func (m Message) Kind() int     { return int(m.Type) }
func (Message) Kinds() []string { return kinds }

// Bits implements [protocols.Message]: 8 for the kind, 64 for the initiator, 64
// for the round, the list, and the winner.
func (m Message) Bits() int {
	bits := 8 + 64 + 64
	if m.Type == Coordinator {
		bits += m.Winner.Bits()
	}
	for _, member := range m.List {
		bits += member.Bits()
	}
	return bits
}

// String prints the message as a trace shows it, with the initiator's address
// and its round behind it: ELECTION(3,5,1)@0.1, COORDINATOR(5; 3,5)@0.1.
func (m Message) String() string {
	names := make([]string, len(m.List))
	for i, member := range m.List {
		names[i] = member.Rank.String()
	}
	list := strings.Join(names, ",")
	if m.Type == Coordinator {
		list = m.Winner.Rank.String() + "; " + list
	}
	return fmt.Sprintf("%s(%s)@%d.%d", kinds[m.Type], list, m.Initiator, m.Round)
}

// Forge implements [protocols.Forgeable]. Addresses do not change.
func (m Message) Forge(f func(identity int64) int64) Message {
	m.List = slices.Clone(m.List)
	for i := range m.List {
		m.List[i].Rank = m.List[i].Rank.Forge(f)
	}
	m.Winner.Rank = m.Winner.Rank.Forge(f)
	return m
}

package ringlist

import (
	"fmt"
	"slices"
	"strings"

	"bullring/protocols"
	"bullring/protocols/election"
)

// Type tells the messages apart.
type Type uint8

// The two messages.
const (
	Election    Type = iota // collects the ranks of the living
	Coordinator             // tells them who won
)

// Message is on its way from its initiator round the ring and back.
type Message struct {
	Type      Type
	Initiator protocols.ID
	List      []election.Rank // ELECTION: the processes on its way, the initiator first; never modified
	Winner    election.Rank   // COORDINATOR
}

var _ protocols.Forgeable[Message] = Message{}

var kinds = []string{"ELECTION", "COORDINATOR"}

func (m Message) Kind() int     { return int(m.Type) }
func (Message) Kinds() []string { return kinds }

// Bits implements [protocols.Message]: 8 for the kind, 64 for the initiator,
// and the list or the winner.
func (m Message) Bits() int {
	bits := 8 + 64
	if m.Type == Coordinator {
		return bits + m.Winner.Bits()
	}
	for _, r := range m.List {
		bits += r.Bits()
	}
	return bits
}

// String prints the message as a trace shows it, with the initiator's address
// behind it: ELECTION(3,5,1)@0, COORDINATOR(5)@0.
func (m Message) String() string {
	ranks := m.List
	if m.Type == Coordinator {
		ranks = []election.Rank{m.Winner}
	}
	names := make([]string, len(ranks))
	for i, r := range ranks {
		names[i] = r.String()
	}
	return fmt.Sprintf("%s(%s)@%d", kinds[m.Type], strings.Join(names, ","), m.Initiator)
}

// Forge implements [protocols.Forgeable].
func (m Message) Forge(f func(identity int64) int64) Message {
	m.List = slices.Clone(m.List)
	for i, r := range m.List {
		m.List[i] = r.Forge(f)
	}
	m.Winner = m.Winner.Forge(f)
	return m
}

package topologyaware

import (
	"fmt"
	"slices"
	"strings"

	"bullring/protocols"
	"bullring/protocols/election"
)

// View is what is known of one process.
type View struct {
	Who   protocols.ID
	Rank  election.Rank
	Clock int            // the changes of its links until then
	Near  []protocols.ID // its neighbours, ascending; never modified
}

// String prints the view: 2:7@3[0,1] is that of identity 7 at address 2, after three changes.
func (v View) String() string {
	near := make([]string, len(v.Near))
	for i, q := range v.Near {
		near[i] = fmt.Sprint(q)
	}
	return fmt.Sprintf("%d:%v@%d[%s]", v.Who, v.Rank, v.Clock, strings.Join(near, ","))
}

// lose applies an update of a lost neighbour.
func (v *View) lose(u Update) { v.Clock, v.Near = u.Clock, without(v.Near, u.Lost) }

// Update is news of one process: its whole view or, if it is partial, that it has lost a neighbour since
// the clock before. Then Rank and Near of the view are zero.
type Update struct {
	View
	Partial bool
	Lost    protocols.ID // if partial
}

// String prints the update: 2@4-1 if process 2 has lost its neighbour 1.
func (u Update) String() string {
	if u.Partial {
		return fmt.Sprintf("%d@%d-%d", u.Who, u.Clock, u.Lost)
	}
	return u.View.String()
}

// bits are 64 for the address, the clock and each neighbour, and those of the rank; those of a partial one are 192.
func (u Update) bits() int {
	if u.Partial {
		return 3 * 64
	}
	return 2*64 + u.Rank.Bits() + 64*len(u.Near)
}

// Type tells the messages apart.
type Type uint8

// The two messages, which go to all neighbours.
const (
	Known   Type = iota // all that the sender knows
	Updates             // what has changed of it
)

var kinds = []string{"KNOWN", "UPDATES"}

// Message is one of the messages. It is never modified.
type Message struct {
	Type    Type
	Views   []View   // KNOWN: ascending by address
	Updates []Update // UPDATES: as they came
}

var _ protocols.Forgeable[Message] = Message{}

// Kind implements [protocols.Message].
func (m Message) Kind() int { return int(m.Type) }

// Kinds implements [protocols.Message].
func (Message) Kinds() []string { return kinds }

// Bits implements [protocols.Message]: 8 for the kind, and those of the views or the updates.
func (m Message) Bits() int {
	total := 8
	for _, v := range m.Views {
		total += Update{View: v}.bits()
	}
	for _, u := range m.Updates {
		total += u.bits()
	}
	return total
}

// String prints the message as a trace shows it: KNOWN(0:1@0[1] 1:2@0[0]), UPDATES(2@4-1).
func (m Message) String() string {
	var parts []string
	for _, v := range m.Views {
		parts = append(parts, v.String())
	}
	for _, u := range m.Updates {
		parts = append(parts, u.String())
	}
	return kinds[m.Type] + "(" + strings.Join(parts, " ") + ")"
}

// Forge implements [protocols.Forgeable].
func (m Message) Forge(f func(identity int64) int64) Message {
	m.Views, m.Updates = slices.Clone(m.Views), slices.Clone(m.Updates)
	for i := range m.Views {
		m.Views[i].Rank, m.Views[i].Near = m.Views[i].Rank.Forge(f), slices.Clone(m.Views[i].Near)
	}
	for i, u := range m.Updates {
		if m.Updates[i].Near = slices.Clone(u.Near); !u.Partial {
			m.Updates[i].Rank = u.Rank.Forge(f)
		}
	}
	return m
}

package vkt

import (
	"cmp"
	"fmt"

	"bullring/protocols"
	"bullring/protocols/election"
)

// Type tells the messages apart.
type Type uint8

// The seven messages. [Links] has the first three.
const (
	Election  Type = iota // grows the tree; to all neighbours
	Ack                   // a subtree is done; to the parent
	Leader                // who leads; to all neighbours, or to a new one
	Probe                 // asks one that the sender waits for
	Reply                 // to PROBE: the subtree is not done yet
	Heartbeat             // of the leader; passed on by all
	Beacon                // the sender is there
)

// Index names an election. Of two elections the one with the larger number goes on, and on ties that
// of the larger initiator.
type Index struct {
	Num       int // from 1
	Initiator election.Identity
}

// String prints the index: 1.4 is that of the first election of identity 4.
func (a Index) String() string { return fmt.Sprintf("%d.%d", a.Num, a.Initiator) }

// compare is positive if a goes on where it meets b.
func (a Index) compare(b Index) int {
	return cmp.Or(cmp.Compare(a.Num, b.Num), cmp.Compare(a.Initiator, b.Initiator))
}

// Message is one of the messages. A field that its type does not use is zero. K names the messages that
// there are.
type Message[K protocols.Namer] struct {
	Type   Type
	Index  Index         // of all but HEARTBEAT and BEACON: the latest election of the sender
	Parent protocols.ID  // ELECTION: of the sender, negative if it is the root
	Best   election.Rank // ACK: of the subtree; LEADER, HEARTBEAT: the leader
	Beat   int           // HEARTBEAT: its number
}

// The messages of [Links] and of [Beacons].
type (
	Told     = Message[ofLinks]
	Beaconed = Message[ofBeacons]
)

var (
	_ protocols.Forgeable[Told]     = Told{}
	_ protocols.Forgeable[Beaconed] = Beaconed{}
	_ protocols.Backgrounder        = Beaconed{}
)

type (
	ofLinks   struct{}
	ofBeacons struct{}
)

func (ofLinks) Names() []string   { return kinds[:Probe] }
func (ofBeacons) Names() []string { return kinds }

var kinds = []string{"ELECTION", "ACK", "LEADER", "PROBE", "REPLY", "HEARTBEAT", "BEACON"}

// Kind implements [protocols.Message].
func (m Message[K]) Kind() int { return int(m.Type) }

// Kinds implements [protocols.Message].
func (Message[K]) Kinds() []string {
	var kinds K
	return kinds.Names()
}

// Background implements [protocols.Backgrounder]: heartbeats and beacons never end.
func (Message[K]) Background(kind int) bool { return Type(kind) >= Heartbeat }

// ranked reports whether a message of this type carries a rank.
func (t Type) ranked() bool { return t == Ack || t == Leader || t == Heartbeat }

// Bits implements [protocols.Message]: 8 for the kind, 128 for the index, and 64 for a parent or the
// number of a heartbeat; and the rank where there is one.
func (m Message[K]) Bits() int {
	bits := 8
	if m.Type < Heartbeat {
		bits += 128
	}
	if m.Type == Election || m.Type == Heartbeat {
		bits += 64
	}
	if m.Type.ranked() {
		bits += m.Best.Bits()
	}
	return bits
}

// String prints the message as a trace shows it: ELECTION(1.7,root) is from identity 7,
// ELECTION(1.7,under 3) from a child of address 3, HEARTBEAT(9,#4) is the fourth of identity 9.
func (m Message[K]) String() string {
	switch m.Type {
	case Beacon:
		return kinds[Beacon]
	case Heartbeat:
		return fmt.Sprintf("%s(%v,#%d)", kinds[Heartbeat], m.Best, m.Beat)
	}
	text := kinds[m.Type] + "(" + m.Index.String()
	switch {
	case m.Type == Election && m.Parent < 0:
		text += ",root"
	case m.Type == Election:
		text += fmt.Sprintf(",under %d", m.Parent)
	case m.Type.ranked():
		text += "," + m.Best.String()
	}
	return text + ")"
}

// Forge implements [protocols.Forgeable].
func (m Message[K]) Forge(f func(identity int64) int64) Message[K] {
	if m.Type < Heartbeat {
		m.Index.Initiator = election.Identity(f(int64(m.Index.Initiator)))
	}
	if m.Type.ranked() {
		m.Best = m.Best.Forge(f)
	}
	return m
}

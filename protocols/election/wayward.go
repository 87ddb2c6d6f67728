package election

import (
	"strconv"

	"bullring/protocols"
)

// Wayward is a message that carries a rank one way along a bidirectional ring, the same in many
// elections. It names its way, because on a ring of one or two its sender does not tell it: both
// neighbours are the same process. K names the messages of one algorithm. The last of them
// announces the leader: it goes round with the ring, and its text has no way.
type Wayward[K protocols.Namer] struct {
	Type protocols.Type
	Way  Way
	Hops int `json:",omitempty"` // that are left, this one included; 0 if the message has no such number
	Rank Rank
}

// Kind implements [protocols.Message].
func (m Wayward[K]) Kind() int { return int(m.Type) }

// Kinds implements [protocols.Message].
func (Wayward[K]) Kinds() []string {
	var kinds K
	return kinds.Names()
}

// Bits implements [protocols.Message]: 8 for the kind and the way, the rank, and 64 for the hops
// if there are any.
func (m Wayward[K]) Bits() int {
	if m.Hops != 0 {
		return 8 + m.Rank.Bits() + 64
	}
	return 8 + m.Rank.Bits()
}

// String prints the message as a trace shows it: PROBE+(5) to the successors, OUT-(5, 2 hops) to
// the predecessors, ANNOUNCE(5).
func (m Wayward[K]) String() string {
	kinds := m.Kinds()
	text := kinds[m.Type]
	if int(m.Type) < len(kinds)-1 {
		text += m.Way.String()
	}
	text += "(" + m.Rank.String()
	if m.Hops != 0 {
		text += ", " + strconv.Itoa(m.Hops) + " hops"
	}
	return text + ")"
}

// Forge implements [protocols.Forgeable].
func (m Wayward[K]) Forge(f func(identity int64) int64) Wayward[K] {
	m.Rank = m.Rank.Forge(f)
	return m
}

// Send sends the message on its way.
func (m Wayward[K]) Send(n protocols.Node[Wayward[K]]) { n.Send(n.Neighbor(int(m.Way)), m) }

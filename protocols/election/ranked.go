package election

import "bullring/protocols"

// Ranked is a message that carries a rank, the same in many elections. K names the messages
// of one algorithm.
type Ranked[K protocols.Namer] struct {
	Type protocols.Type
	Rank Rank
}

// Kind implements [protocols.Message].
func (m Ranked[K]) Kind() int { return int(m.Type) }

// Kinds implements [protocols.Message].
func (Ranked[K]) Kinds() []string {
	var kinds K
	return kinds.Names()
}

// Bits implements [protocols.Message]: 8 for the kind, and the rank.
func (m Ranked[K]) Bits() int { return 8 + m.Rank.Bits() }

// String prints the message as a trace shows it: PROBE(5).
func (m Ranked[K]) String() string { return m.Kinds()[m.Type] + "(" + m.Rank.String() + ")" }

// Forge implements [protocols.Forgeable].
func (m Ranked[K]) Forge(f func(identity int64) int64) Ranked[K] {
	return Ranked[K]{m.Type, m.Rank.Forge(f)}
}

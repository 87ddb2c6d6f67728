package election

import "bullring/protocols"

// Ranked is a message that carries a rank, the same in many elections. T tells the messages
// of one algorithm apart.
type Ranked[T protocols.Type] struct {
	Type T
	Rank Rank
}

// Kind implements [protocols.Message].
func (m Ranked[T]) Kind() int { return int(m.Type) }

// Kinds implements [protocols.Message].
func (m Ranked[T]) Kinds() []string { return m.Type.Names() }

// Bits implements [protocols.Message]: 8 for the kind, and the rank.
func (m Ranked[T]) Bits() int { return 8 + m.Rank.Bits() }

// String prints the message as a trace shows it: PROBE(5).
func (m Ranked[T]) String() string { return m.Type.Names()[m.Type] + "(" + m.Rank.String() + ")" }

// Forge implements [protocols.Forgeable].
func (m Ranked[T]) Forge(f func(identity int64) int64) Ranked[T] {
	return Ranked[T]{m.Type, m.Rank.Forge(f)}
}

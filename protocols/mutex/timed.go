package mutex

import (
	"fmt"

	"bullring/protocols"
)

// Timed is a message that carries a logical time. T tells the messages of one algorithm
// apart.
type Timed[T protocols.Type] struct {
	Type T
	Time int64
}

// Kind implements [protocols.Message].
func (m Timed[T]) Kind() int { return int(m.Type) }

// Kinds implements [protocols.Message].
func (m Timed[T]) Kinds() []string { return m.Type.Names() }

// Bits implements [protocols.Message]: 8 for the kind, and 64 for the time.
func (Timed[T]) Bits() int { return 8 + 64 }

// String prints the message as a trace shows it: REQUEST(3).
func (m Timed[T]) String() string { return fmt.Sprintf("%s(%d)", m.Type.Names()[m.Type], m.Time) }

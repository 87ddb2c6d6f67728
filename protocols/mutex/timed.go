package mutex

import (
	"fmt"

	"bullring/protocols"
)

// Timed is a message that carries a logical time. K names the messages of one
// algorithm.
type Timed[K protocols.Namer] struct {
	Type protocols.Type
	Time int64
}

// Kind implements [protocols.Message].
func (m Timed[K]) Kind() int { return int(m.Type) }

// Kinds implements [protocols.Message].
func (Timed[K]) Kinds() []string {
	var kinds K
	return kinds.Names()
}

// Bits implements [protocols.Message]: 8 for the kind, and 64 for the time.
func (Timed[K]) Bits() int { return 8 + 64 }

// String prints the message as a trace shows it: REQUEST(3).
func (m Timed[K]) String() string { return fmt.Sprintf("%s(%d)", m.Kinds()[m.Type], m.Time) }

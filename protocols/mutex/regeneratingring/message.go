package regeneratingring

import (
	"fmt"

	"bullring/protocols"
)

// Type tells the messages apart.
type Type uint8

// The two messages.
const (
	Token Type = iota // the right to be inside
	Claim             // the right to make a new token
)

// Message goes round the ring.
type Message struct {
	Type       Type
	Generation int          // of the token, or of the claimed one
	Claimant   protocols.ID // CLAIM: the process that will make the token
}

var kinds = []string{"TOKEN", "CLAIM"}

func (m Message) Kind() int     { return int(m.Type) }
func (Message) Kinds() []string { return kinds }

// Bits implements [protocols.Message]: 8 for the kind, 64 for the generation unless it
// is 0, and 64 for the claimant.
func (m Message) Bits() int {
	bits := 8
	if m.Generation != 0 {
		bits += 64
	}
	if m.Type == Claim {
		bits += 64
	}
	return bits
}

// String prints the message as a trace shows it: TOKEN of generation 0, TOKEN(5) and
// CLAIM(5) of generation 5.
func (m Message) String() string {
	if m.Generation == 0 {
		return kinds[m.Type]
	}
	return fmt.Sprintf("%s(%d)", kinds[m.Type], m.Generation)
}

package itairodeh

import (
	"fmt"

	"bullring/protocols"
)

// Message is a candidature on its way round the ring.
type Message struct {
	Draw   int  // 1..K, in place of an identity
	Hop    int  // how many links it has passed, this one included
	Unique bool // no other active process with the same draw was met
}

var _ protocols.Message = Message{}

var kinds = []string{"TOKEN"}

// Kind implements [protocols.Message].
func (Message) Kind() int { return 0 }

// Kinds implements [protocols.Message].
func (Message) Kinds() []string { return kinds }

// Bits implements [protocols.Message]: 8 for the kind, 64 for the draw, 64 for the
// hops, 8 for the flag.
func (Message) Bits() int { return 8 + 64 + 64 + 8 }

// String prints the message as a trace shows it: TOKEN(draw 2, hop 3, unique).
func (m Message) String() string {
	text := fmt.Sprintf("TOKEN(draw %d hop %d", m.Draw, m.Hop)
	if m.Unique {
		text += " unique"
	}
	return text + ")"
}

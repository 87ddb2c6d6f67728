package reverselink

import (
	"cmp"
	"fmt"

	"bullring/protocols"
)

// Height directs the links of a process: they lead down from larger to smaller heights.
type Height struct {
	H1, H2 int
	ID     protocols.ID // of the process
}

// compare is negative if h is the smaller height.
func (h Height) compare(g Height) int {
	return cmp.Or(cmp.Compare(h.H1, g.H1), cmp.Compare(h.H2, g.H2), cmp.Compare(h.ID, g.ID))
}

// below is the height of a process that gets the token from one with height h.
func (h Height) below(id protocols.ID) Height { return Height{h.H1, h.H2 - 1, id} }

// String prints the height as the paper writes it: (h1,h2,id).
func (h Height) String() string { return fmt.Sprintf("(%d,%d,%d)", h.H1, h.H2, h.ID) }

// Type is the type of a message.
type Type uint8

// The three messages.
const (
	Request  Type = iota // towards the token
	Token                // on the way back
	LinkInfo             // to all neighbours, or to one whose link has come up
)

var kinds = []string{"REQUEST", "TOKEN", "LINKINFO"}

// Message carries the height of its sender.
type Message struct {
	Type   Type
	Height Height
}

// Kind implements [protocols.Message].
func (m Message) Kind() int { return int(m.Type) }

// Kinds implements [protocols.Message].
func (Message) Kinds() []string { return kinds }

// Bits implements [protocols.Message]: 8 for the kind, and 64 for each number of the height.
func (Message) Bits() int { return 8 + 3*64 }

// String implements [protocols.Message].
func (m Message) String() string { return kinds[m.Type] + m.Height.String() }

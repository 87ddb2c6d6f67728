package ingram

import (
	"cmp"
	"fmt"

	"bullring/protocols"
	"bullring/protocols/election"
)

// Level is a reference level. The zero value is that of a component whose leader is not missed.
type Level struct {
	Tau       int64             // when the search began; 0 if there is none
	Origin    election.Identity // the process that began it
	Reflected bool
}

// compare is negative if l is the smaller level.
func (l Level) compare(m Level) int {
	return cmp.Or(cmp.Compare(l.Tau, m.Tau), cmp.Compare(l.Origin, m.Origin), cmp.Compare(bit(l.Reflected), bit(m.Reflected)))
}

// bit is the r of the paper.
func bit(reflected bool) int {
	if reflected {
		return 1
	}
	return 0
}

// Height directs the links of a process: they lead down from larger to smaller heights.
type Height struct {
	Level
	Delta   int64
	Elected int64             // nlts, the negative time at which the leader elected itself
	Leader  election.Identity // lid
	ID      election.Identity // of the process
}

// compare is negative if h is the smaller height.
func (h Height) compare(g Height) int {
	return cmp.Or(h.Level.compare(g.Level), cmp.Compare(h.Delta, g.Delta), h.comparePairs(g), cmp.Compare(h.ID, g.ID))
}

// comparePairs is negative if h has the smaller leader pair.
func (h Height) comparePairs(g Height) int {
	return cmp.Or(cmp.Compare(h.Elected, g.Elected), cmp.Compare(h.Leader, g.Leader))
}

// follows reports whether both heights have the same leader pair.
func (h Height) follows(g Height) bool { return h.comparePairs(g) == 0 }

// hasPriority reports whether the leader pair of h wins against that of g: its leader elected itself
// later, or at the same time and has the smaller identity.
func (h Height) hasPriority(g Height) bool { return h.comparePairs(g) < 0 }

// String prints the height as the paper writes it: (tau,oid,r,delta,nlts,lid,id).
func (h Height) String() string {
	return fmt.Sprintf("(%d,%d,%d,%d,%d,%d,%d)", h.Tau, h.Origin, bit(h.Reflected), h.Delta, h.Elected, h.Leader, h.ID)
}

// Message is the UPDATE of the paper.
type Message struct {
	Height Height
	Clock  int64 // the logical clock of the sender
}

var _ protocols.Forgeable[Message] = Message{}

var kinds = []string{"UPDATE"}

// Kind implements [protocols.Message].
func (Message) Kind() int { return 0 }

// Kinds implements [protocols.Message].
func (Message) Kinds() []string { return kinds }

// Bits implements [protocols.Message]: 8 for the kind and r, and 64 for each of the six numbers of the
// height and for the clock.
func (Message) Bits() int { return 8 + 6*64 + 64 }

// String prints the message as a trace shows it: UPDATE((0,0,0,1,-3,2,5) at 3), the height and the clock.
func (m Message) String() string { return fmt.Sprintf("UPDATE(%v at %d)", m.Height, m.Clock) }

// Forge implements [protocols.Forgeable]. A level without a search has no origin.
func (m Message) Forge(f func(identity int64) int64) Message {
	of := func(id election.Identity) election.Identity { return election.Identity(f(int64(id))) }
	h := &m.Height
	if h.Tau > 0 {
		h.Origin = of(h.Origin)
	}
	h.Leader, h.ID = of(h.Leader), of(h.ID)
	return m
}

// Package election is the family of leader elections: what an identity is,
// how two processes compare, what a process has decided, and the checks that
// every election is held to.
package election

import (
	"cmp"
	"fmt"
	"strconv"

	"bullring/protocols"
)

// Identity is the number that names a process and breaks ties in an election.
// Identities of one run are distinct.
type Identity int64

// Rank is what an election compares: the attribute first (free CPU, a MAC
// address, any number), the identity on ties. An election without attributes
// leaves Attr zero everywhere, and the identity alone decides.
type Rank struct {
	Attr float64
	ID   Identity
}

// Compare orders ranks: negative if r loses against s, positive if it wins,
// zero if they are the same process's.
func (r Rank) Compare(s Rank) int {
	if r.Attr != s.Attr {
		return cmp.Compare(r.Attr, s.Attr)
	}
	return cmp.Compare(r.ID, s.ID)
}

// Bits is the size of the rank on the wire: 64 for the identity, and 64 for
// the attribute unless it is zero, which stands for none.
func (r Rank) Bits() int {
	if r.Attr != 0 {
		return 128
	}
	return 64
}

// Forge returns the rank with the identity that f makes of its own.
func (r Rank) Forge(f func(identity int64) int64) Rank {
	return Rank{r.Attr, Identity(f(int64(r.ID)))}
}

// String prints the identity, with the attribute in front where there is one.
func (r Rank) String() string {
	id := strconv.FormatInt(int64(r.ID), 10)
	if r.Attr == 0 {
		return id
	}
	return strconv.FormatFloat(r.Attr, 'g', -1, 64) + ":" + id
}

// Order says which of two ranks an election prefers.
type Order int8

// The two orders. The zero value is Max, the literature's default.
const (
	Max Order = iota // the largest rank wins
	Min              // the smallest rank wins
)

// Better reports whether r wins against s.
func (o Order) Better(r, s Rank) bool {
	if o == Min {
		r, s = s, r
	}
	if r.Attr != s.Attr {
		return r.Attr > s.Attr
	}
	return r.ID > s.ID
}

// Status is what a process knows of the outcome.
type Status uint8

// The three states of knowledge.
const (
	Undecided Status = iota // no leader known
	Follower                // another process is the leader
	Leader                  // this process is the leader
)

// String names the status.
func (s Status) String() string {
	switch s {
	case Undecided:
		return "undecided"
	case Follower:
		return "follower"
	case Leader:
		return "leader"
	}
	return fmt.Sprintf("Status(%d)", uint8(s))
}

// Decision is what one process has decided. Leader is meaningful unless
// Status is Undecided; an anonymous process leaves it zero. Term numbers the
// elections of an algorithm that numbers them, from 1; others leave it zero, and so
// does who is undecided, unless it gave up in that term.
type Decision struct {
	Status Status
	Leader Identity
	Term   int
}

// Elector is a process of an election: a Process that can be asked what it
// has decided. Checkers ask after every handler; the algorithm reports to
// nobody.
type Elector interface {
	Decision() Decision
}

// Decide is the decision of a process with identity self that takes leader
// for the winner.
func Decide(self, leader Identity) Decision {
	if self == leader {
		return Decision{Status: Leader, Leader: leader}
	}
	return Decision{Status: Follower, Leader: leader}
}

// Process is an election's participant: a process and an elector.
type Process[M any] interface {
	protocols.Process[M]
	Elector
}

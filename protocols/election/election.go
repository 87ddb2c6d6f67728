// Package election is the family of leader elections. It says what an identity is, how
// two processes compare and what a process decides, and has the checks that every
// election must pass.
package election

import (
	"cmp"
	"fmt"
	"strconv"

	"bullring/protocols"
)

// Identity names a process and breaks ties. The identities of a run are distinct.
type Identity int64

// Rank is what an election compares: first the attribute (free CPU, a MAC address,
// any number), then the identity. Without attributes Attr is zero everywhere, and the
// identity decides.
type Rank struct {
	Attr float64
	ID   Identity
}

// Compare is negative if r is smaller than s, positive if it is larger, and zero if
// both are the rank of one process.
func (r Rank) Compare(s Rank) int {
	if r.Attr != s.Attr {
		return cmp.Compare(r.Attr, s.Attr)
	}
	return cmp.Compare(r.ID, s.ID)
}

// Bits is the size of the rank on the wire: 64 for the identity, and 64 for the
// attribute unless it is zero.
func (r Rank) Bits() int {
	if r.Attr != 0 {
		return 128
	}
	return 64
}

// Forge returns the rank with its identity replaced by f of it.
func (r Rank) Forge(f func(identity int64) int64) Rank {
	return Rank{r.Attr, Identity(f(int64(r.ID)))}
}

// String prints the identity, and the attribute before it if there is one.
func (r Rank) String() string {
	id := strconv.FormatInt(int64(r.ID), 10)
	if r.Attr == 0 {
		return id
	}
	return strconv.FormatFloat(r.Attr, 'g', -1, 64) + ":" + id
}

// Order says which of two ranks wins.
type Order int8

// The two orders. The zero value is Max, the literature's default.
const (
	Max Order = iota // the largest rank wins
	Min              // the smallest rank wins
)

// String names the order by the rank that wins.
func (o Order) String() string { return [...]string{"largest", "smallest"}[o] }

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

// Decision is what one process has decided.
type Decision struct {
	Status Status
	// Leader is meaningless if the status is Undecided, and zero on an anonymous ring.
	Leader Identity
	// Term is the number of the election, from 1, in algorithms that number them. It is
	// zero in others. An undecided process has a term only if it gave up in it.
	Term int
}

// String prints the decision: undecided, leader, follower of 5; with its term if there is one.
func (d Decision) String() string {
	text := d.Status.String()
	if d.Status == Follower {
		text += " of " + Rank{ID: d.Leader}.String()
	}
	if d.Term > 0 {
		text += " in term " + strconv.Itoa(d.Term)
	}
	return text
}

// Elector tells what a process has decided. Checkers ask after every handler; the
// algorithm itself reports nothing.
type Elector interface {
	Decision() Decision
}

// Decide is the decision of process self that leader has won.
func Decide(self, leader Identity) Decision {
	if self == leader {
		return Decision{Status: Leader, Leader: leader}
	}
	return Decision{Status: Follower, Leader: leader}
}

// Process is a process of an election.
type Process[M any] interface {
	protocols.Process[M]
	Elector
}

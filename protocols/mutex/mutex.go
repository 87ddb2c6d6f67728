// Package mutex is the family of algorithms for distributed mutual exclusion: the
// contract between an algorithm and its client, one client with a workload for all
// algorithms, and the checks of every run.
package mutex

import (
	"fmt"
	"strings"

	"bullring/protocols"
)

// Lock is an algorithm for mutual exclusion at one process. The client of that process
// uses it, and asks again only after it has released.
type Lock[M any] interface {
	// Request asks for the critical section. The lock may grant it at once.
	Request(n protocols.Node[M])
	// Granted reports whether the process may be inside: from the grant of its request
	// until it releases. The client looks after every handler and enters at once.
	Granted() bool
	// Release leaves the critical section.
	Release(n protocols.Node[M])
	// Receive handles a message from a neighbour.
	Receive(n protocols.Node[M], from protocols.ID, m M)
	// Timeout handles the expiry of a timer of the lock. Its labels are below
	// clientTimers.
	Timeout(n protocols.Node[M], t protocols.Timer)
}

// Carrier is an optional extension of Lock, for algorithms in which who is inside has the token, where
// links come and go.
type Carrier interface {
	HasToken() bool
}

// clientTimers is the smallest label of a timer of the client. Smaller ones belong to
// the lock.
const clientTimers protocols.Timer = 1 << 30

// Usage is the progress of a client: how many requests have come up, how many it has put
// to the lock, how many entries it has made, and how often it has left. No number is
// larger than the one before.
type Usage struct {
	Arrived, Asked, Entered, Left int
}

// String prints what the client does, and how many requests were granted of those that have
// come up: waits, 2 of 3 entered.
func (u Usage) String() string {
	does := "outside"
	switch {
	case u.Waits():
		does = "waits"
	case u.Inside():
		does = "inside"
	}
	return fmt.Sprintf("%s, %d of %d entered", does, u.Entered, u.Arrived)
}

// Waits reports whether the client has asked and not yet entered.
func (u Usage) Waits() bool { return u.Asked > u.Entered }

// Inside reports whether the client is in the critical section.
func (u Usage) Inside() bool { return u.Entered > u.Left }

// News says what a client has done between two looks, "" if nothing.
func News(before, now Usage) string {
	var words []string
	for _, n := range []struct {
		did  bool
		what string
	}{
		{now.Left > before.Left, "leaves"},
		{now.Arrived > before.Arrived && now.Asked == before.Asked, "has another request"},
		{now.Asked > before.Asked, "asks"},
		{now.Entered > before.Entered, "enters"},
	} {
		if n.did {
			words = append(words, n.what)
		}
	}
	return strings.Join(words, ", ")
}

// User is a process with a client. Checkers ask for its usage after every handler.
type User interface {
	Usage() Usage
}

// Process is a process of mutual exclusion.
type Process[M any] interface {
	protocols.Process[M]
	User
}

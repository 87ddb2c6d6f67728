// Package mutex is the family of algorithms for distributed mutual exclusion:
// the contract between such an algorithm and its client, one client with its
// workload for all of them, and the checks that every run is held to.
package mutex

import (
	"strings"

	"bullring/protocols"
)

// Lock is an algorithm for mutual exclusion at one process, as the client at
// that process uses it. The client asks again only after it has released.
type Lock[M any] interface {
	// Request asks for the critical section. The lock may grant it at once.
	Request(n protocols.Node[M])
	// Granted reports whether the process may be inside: from the moment at which
	// its request is granted until it releases. The client looks after every
	// handler and enters at once.
	Granted() bool
	// Release leaves the critical section.
	Release(n protocols.Node[M])
	// Receive handles a message that arrived from a neighbour.
	Receive(n protocols.Node[M], from protocols.ID, m M)
	// Timeout handles the expiry of a timer of the lock, whose labels are below
	// [ClientTimers].
	Timeout(n protocols.Node[M], t protocols.Timer)
}

// ClientTimers is the smallest label of a timer of the client; those below are
// the lock's.
const ClientTimers protocols.Timer = 1 << 30

// Usage is how far the client of a process is with its work, in numbers of
// requests: those that have come up, those that it has asked the lock for, those
// that were granted, and those after which it has left again. None is larger
// than the one before.
type Usage struct {
	Arrived, Asked, Entered, Left int
}

// Waits reports whether the client has asked and was not let in yet.
func (u Usage) Waits() bool { return u.Asked > u.Entered }

// Inside reports whether the client is in the critical section.
func (u Usage) Inside() bool { return u.Entered > u.Left }

// News says what a client has done between two looks at it, "" if nothing.
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

// User is a process with a client: checkers ask after every handler.
type User interface {
	Usage() Usage
}

// Process is a participant of mutual exclusion: a process with a client.
type Process[M any] interface {
	protocols.Process[M]
	User
}

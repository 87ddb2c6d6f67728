package netem

import (
	"fmt"
	"time"

	"bullring/protocols"
)

// The functions of this file panic if a process asks for something that does not exist, which
// is a mistake in its program. All packages that run processes use these.

// MustReach panics unless to is a neighbour of the process, or the process itself.
func MustReach(t Topology, from, to protocols.ID) {
	if to == from {
		return
	}
	if _, ok := t.Port(from, to); !ok {
		panic(fmt.Sprintf("netem: process %d has no link to %d on the %s", from, to, t))
	}
}

// MustBeTimer panics unless a process can set that timer.
func MustBeTimer(p protocols.ID, t protocols.Timer, after time.Duration) {
	if after < 0 || t != protocols.Timer(int32(t)) {
		panic(fmt.Sprintf("netem: process %d sets timer %d to %v; labels have 32 bits, and durations are not negative", p, t, after))
	}
}

// MustBeKind panics unless the kind of a message is one that its type names.
func MustBeKind(p protocols.ID, kind, kinds int) {
	if kind < 0 || kind >= kinds {
		panic(fmt.Sprintf("netem: process %d sends a message of kind %d; its type names the kinds 0 to %d", p, kind, kinds-1))
	}
}

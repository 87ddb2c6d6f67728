package netem

import (
	"fmt"
	"time"

	"bullring/protocols"
)

// What follows panics where a process asks for what there is not. That is a mistake of
// its program, and whatever drives processes answers it in the same words.

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

// MustBeKind panics unless the type of a message names its kind.
func MustBeKind(p protocols.ID, kind, kinds int) {
	if kind < 0 || kind >= kinds {
		panic(fmt.Sprintf("netem: process %d sends a message of kind %d; its type names the kinds 0 to %d", p, kind, kinds-1))
	}
}

// Package wave is what wave algorithms have in common: a wave reaches every process, and then some
// process decides (G. Tel, "Introduction to Distributed Algorithms", 2nd edition, 2000, section 6.1).
//
//	termination  every run is finite
//	decision     at least one process decides
//	dependence   before a process decides, each process has had an event, and its decision depends
//	             on it: a chain of messages leads from the one to the other
//
// Whether a decision depends on an event of another process does not show in the processes. So each
// message carries its past, the addresses of the processes with such an event: see [Witness]. The
// algorithm inside does not see it.
//
// Most of these algorithms are traversals, which pass a token on: see [Tour].
package wave

import (
	"fmt"

	"bullring/protocols"
)

// Said is what a process says of itself.
type Said struct {
	Decided bool
	Visited bool // it has had the token, of an algorithm with one
	Father  protocols.ID
}

// Nobody is the father of a process that has none: of the initiator, of one that the token has not
// visited, and in a wave without a tree.
const Nobody protocols.ID = -1

// Process is a process of a wave algorithm.
type Process[M any] interface {
	protocols.Process[M]
	Says() Said
}

// State is what a process says, and what is known of its decision.
type State struct {
	Said
	// Misses is a process of which no event precedes the decision, or Nobody.
	Misses protocols.ID
}

// String prints the state as a trace shows it: decides.
func (s State) String() string {
	switch {
	case s.Decided:
		return "decides"
	case s.Father != Nobody:
		return fmt.Sprintf("child of %v", s.Father)
	case s.Visited:
		return "root"
	}
	return "waits"
}

// Member is a process of a wave with a State.
type Member interface{ State() State }

// Signal is a message that carries nothing but its type. K names the messages of one algorithm.
type Signal[K protocols.Namer] struct {
	Type protocols.Type
}

// Kind implements [protocols.Message].
func (s Signal[K]) Kind() int { return int(s.Type) }

// Kinds implements [protocols.Message].
func (Signal[K]) Kinds() []string {
	var kinds K
	return kinds.Names()
}

// Bits implements [protocols.Message]: 8 for the kind.
func (Signal[K]) Bits() int { return 8 }

// String prints the message as a trace shows it: TOKEN.
func (s Signal[K]) String() string { return s.Kinds()[s.Type] }

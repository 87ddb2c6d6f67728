// Package consensus is what algorithms of consensus have in common: each process begins with a
// value, and all decide for one (N. Lynch, "Distributed Algorithms", 1996, chapter 6).
//
//	agreement    no two processes decide differently, be they alive or not
//	validity     if all processes begin with one value, none decides another
//	integrity    a process decides once
//	termination  every process that lives decides
package consensus

import (
	"fmt"

	"bullring/protocols"
)

// Decision is what a process has decided. Its zero value is that of a process that has not.
type Decision struct {
	Made  bool
	Value int
	Round int // in which it decided, from 1; 0 if its algorithm does not tell
}

// String prints the decision as a trace shows it: decides 3.
func (d Decision) String() string {
	if !d.Made {
		return "has not decided"
	}
	return fmt.Sprintf("decides %d", d.Value)
}

// Decider is a process of an algorithm of consensus. A transformer between it and the network
// passes Decision on.
type Decider interface {
	Decision() Decision
}

// Process is a process that decides.
type Process[M any] interface {
	protocols.Process[M]
	Decider
}

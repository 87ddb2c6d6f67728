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

// Decision is what a process has decided about a number.
type Decision = DecisionOf[int]

// DecisionOf is what a process has decided. Its zero value is that of a process that has not.
type DecisionOf[V any] struct {
	Made  bool
	Value V
	Round int // in which it decided, from 1; 0 if its algorithm does not tell
}

// String prints the decision as a trace shows it: decides 3.
func (d DecisionOf[V]) String() string {
	if !d.Made {
		return "has not decided"
	}
	return fmt.Sprintf("decides %v", d.Value)
}

// Bits is the size of a value on the wire. It is 64, unless the value has a method Bits that says it.
func Bits(value any) int {
	if sized, ok := value.(interface{ Bits() int }); ok {
		return sized.Bits()
	}
	return 64
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

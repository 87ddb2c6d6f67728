package protocols

import (
	"slices"
	"time"
)

// Verdict is what a check says of a run. "It did not finish" is never "it was
// right".
type Verdict uint8

// The verdicts.
const (
	Undecided Verdict = iota // the run ended at a limit before it could be told
	Holds
	Violated
	NotPromised // it does not hold, and the algorithm does not say that it does
)

var verdictNames = [...]string{"undecided", "holds", "violated", "not promised"}

// String names the verdict.
func (v Verdict) String() string { return verdictNames[v] }

// ParseVerdict reads the name of a verdict.
func ParseVerdict(name string) (v Verdict, ok bool) {
	i := slices.Index(verdictNames[:], name)
	return Verdict(max(i, 0)), i >= 0
}

// Check is a named property with its verdict on one run.
type Check struct {
	Name    string
	Verdict Verdict
	Detail  string // what the property says or, if it does not hold, where it broke
	// Broke is what broke the property, if it is violated and one process did.
	Broke *Step
}

// Step is something that a process did: the last that it handled at that instant.
type Step struct {
	Process ID
	At      time.Duration
	Change  int // which change of a decision in the run it is, counted from 1
}

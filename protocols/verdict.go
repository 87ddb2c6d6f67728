package protocols

import "time"

// Verdict is what a check says of a run. "It did not finish" is never "it was
// right".
type Verdict uint8

// The three verdicts.
const (
	Undecided Verdict = iota // the run ended at a limit before it could be told
	Holds
	Violated
)

var verdictNames = [...]string{"undecided", "holds", "violated"}

// String names the verdict.
func (v Verdict) String() string { return verdictNames[v] }

// Check is a named property with its verdict on one run.
type Check struct {
	Name    string
	Verdict Verdict
	Detail  string // what the property says or, if it is violated, where it broke
	// Broke is what broke the property, if it is violated and one process did.
	Broke *Step
}

// Step is something that a process did: the last that it handled at that instant.
type Step struct {
	Process ID
	At      time.Duration
	Change  int // which change of a decision in the run it is, counted from 1
}

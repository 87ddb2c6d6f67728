package protocols

import (
	"slices"
	"time"
)

// Verdict is the result of a check of one run. A run that did not finish is never
// taken for a correct one.
type Verdict uint8

// The verdicts.
const (
	Undecided   Verdict = iota // the run ended at a limit, and it is open
	Holds                      // the property holds
	Violated                   // it does not hold, although the algorithm promises it
	NotPromised                // it does not hold, and the algorithm does not promise it
)

// Verdicts are the names of the verdicts.
var Verdicts = []string{"undecided", "holds", "violated", "not promised"}

// String names the verdict.
func (v Verdict) String() string { return Verdicts[v] }

// MarshalText implements encoding.TextMarshaler.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// ParseVerdict reads the name of a verdict.
func ParseVerdict(name string) (v Verdict, ok bool) {
	i := slices.Index(Verdicts, name)
	return Verdict(max(i, 0)), i >= 0
}

// Check is a named property and its verdict on one run.
type Check struct {
	Name    string  `json:"name"`
	Verdict Verdict `json:"verdict"`
	Detail  string  `json:"detail"` // what the property says or, if it does not hold, where it broke
	// Broke is the step that broke the property, if it is violated and one step did.
	Broke *Step `json:"-"`
}

// Step is the last event that a process handled at an instant.
type Step struct {
	Process ID
	At      time.Duration
	Change  int // the number of the change of a decision in the run, from 1
}

// Package faults is fault plans as values: text that parses and prints, and
// that is installed on whatever can fail.
//
// A plan is a list of faults, one a line or separated by semicolons:
//
//	at 5ms crash 3
//	at 8ms restart 3
//
// Processes are named by address. A process that crashes at 0 is dead from the
// start.
package faults

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"bullring/des"
	"bullring/protocols"
)

// Plan is the faults of a run.
type Plan []Fault

// Fault is one thing that goes wrong, or right again, at an instant.
type Fault struct {
	At      des.Time
	Kind    Kind
	Process protocols.ID
}

// Kind is what happens.
type Kind uint8

// The kinds of faults.
const (
	Crash   Kind = iota // the process stops
	Restart             // the process comes back with the state of a new one
)

var kindNames = [...]string{"crash", "restart"}

// String is the word for the kind in a plan.
func (k Kind) String() string { return kindNames[k] }

type crasher interface {
	CrashAt(p protocols.ID, t des.Time)
	RestartAt(p protocols.ID, t des.Time)
}

// Install schedules the faults of the plan.
func (p Plan) Install(t crasher) {
	for _, f := range p {
		switch f.Kind {
		case Crash:
			t.CrashAt(f.Process, f.At)
		case Restart:
			t.RestartAt(f.Process, f.At)
		}
	}
}

// Check reports the first fault of a process that a system of n does not have.
func (p Plan) Check(n int) error {
	for _, f := range p {
		if int(f.Process) >= n {
			return fmt.Errorf("fault %q: there is no process %d; addresses are 0..%d", f, f.Process, n-1)
		}
	}
	return nil
}

// String prints the plan as Parse reads it.
func (p Plan) String() string {
	lines := make([]string, len(p))
	for i, f := range p {
		lines[i] = f.String()
	}
	return strings.Join(lines, "; ")
}

// String prints the fault as Parse reads it.
func (f Fault) String() string {
	return fmt.Sprintf("at %v %v %d", f.At, f.Kind, f.Process)
}

// Parse reads a plan. Empty lines, and what follows a #, are ignored.
func Parse(text string) (Plan, error) {
	var plan Plan
	for line := range strings.SplitSeq(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		for one := range strings.SplitSeq(line, ";") {
			words := strings.Fields(one)
			if len(words) == 0 {
				continue
			}
			f, err := parseFault(words)
			if err != nil {
				return nil, fmt.Errorf("fault %q: %w", strings.Join(words, " "), err)
			}
			plan = append(plan, f)
		}
	}
	return plan, nil
}

const form = "a fault is written as in \"at 5ms crash 3\" or \"at 8ms restart 3\""

func parseFault(words []string) (Fault, error) {
	if len(words) != 4 || words[0] != "at" {
		return Fault{}, fmt.Errorf("%s", form)
	}
	d, err := time.ParseDuration(words[1])
	if err != nil || d < 0 {
		return Fault{}, fmt.Errorf("%q is not an instant such as 0s, 5ms or 1.5s", words[1])
	}
	if d > des.MaxDuration {
		return Fault{}, fmt.Errorf("%q is later than %v", words[1], des.MaxDuration)
	}
	f := Fault{At: des.Time(d)}
	switch words[2] {
	case "crash":
		f.Kind = Crash
	case "restart":
		f.Kind = Restart
	default:
		return Fault{}, fmt.Errorf("unknown fault %q; allowed are crash and restart", words[2])
	}
	p, err := strconv.ParseUint(words[3], 10, 31)
	if err != nil {
		return Fault{}, fmt.Errorf("%q is not the address of a process", words[3])
	}
	f.Process = protocols.ID(p)
	return f, nil
}

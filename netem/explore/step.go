package explore

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bullring/protocols"
)

// StepKind is the kind of a step.
type StepKind uint8

// The kinds of steps.
const (
	Start     StepKind = iota // a process wakes up spontaneously
	Deliver                   // a message arrives
	Timeout                   // a timer expires
	Tick                      // a step of time passes
	Crash                     // a process stops
	Restart                   // a process restarts
	Lose                      // a link loses a message
	Duplicate                 // a message will arrive once more
	Boot                      // a process begins its life: see protocols.Booter
)

var stepNames = [...]string{"start", "deliver", "timeout", "tick", "crash", "restart", "lose", "duplicate", "boot"}

// String is the word for the kind in a schedule.
func (k StepKind) String() string { return stepNames[k] }

// Step is a step of a run.
type Step struct {
	What    StepKind
	Who     protocols.ID
	From    protocols.ID    // the sender, of a message
	Message string          // as it prints
	Timer   protocols.Timer // of a timeout
	Choices []int           // the results of Intn, in order
	// Sends is the number of messages that the process had sent when it crashed in the
	// middle of the step; -1 if it did not crash.
	Sends int
}

// String prints the step as a line of a schedule:
//
//	deliver 0->1 ELECTION(3), choose 2, crash after 1 sends
func (s Step) String() string {
	text := s.What.String()
	switch s.What {
	case Deliver, Lose, Duplicate:
		text += fmt.Sprintf(" %d->%d %s", s.From, s.Who, s.Message)
	case Timeout:
		text += fmt.Sprintf(" %d timer %d", s.Who, s.Timer)
	case Tick:
	default:
		text += fmt.Sprintf(" %d", s.Who)
	}
	for i, c := range s.Choices {
		if i == 0 {
			text += ", choose"
		}
		text += fmt.Sprintf(" %d", c)
	}
	if s.Sends >= 0 {
		text += fmt.Sprintf(", crash after %d sends", s.Sends)
	}
	return text
}

// ParseStep reads a line of a schedule.
func ParseStep(line string) (Step, error) {
	s := Step{Sends: -1}
	parts := strings.Split(line, ", ")
	// The text of a message may hold ", " itself: a word tells the parts that follow it.
	for len(parts) > 1 {
		last := parts[len(parts)-1]
		var err error
		switch {
		case strings.HasPrefix(last, "crash after ") && s.Sends < 0:
			if _, err = fmt.Sscanf(last, "crash after %d sends", &s.Sends); err == nil && s.Sends < 0 {
				err = errors.New("a negative number")
			}
		case strings.HasPrefix(last, "choose ") && s.Choices == nil:
			s.Choices, err = numbers(strings.Fields(last)[1:])
		default:
			parts = []string{strings.Join(parts, ", ")}
			continue
		}
		if err != nil {
			return s, fmt.Errorf("step %q: %q is not understood", line, last)
		}
		parts = parts[:len(parts)-1]
	}
	if !s.parse(parts[0]) {
		return s, fmt.Errorf("step %q is not understood; there are 'start P', 'deliver P->Q MESSAGE', 'timeout P timer T', 'tick', 'crash P', 'restart P', 'lose P->Q MESSAGE', 'duplicate P->Q MESSAGE' and 'boot P', and after them ', choose K ...' and ', crash after K sends'", line)
	}
	if handled := s.What != Tick && s.What != Crash && s.What != Lose && s.What != Duplicate; !handled && (s.Choices != nil || s.Sends >= 0) {
		return s, fmt.Errorf("step %q: no process handles anything in it, so none chooses or sends", line)
	}
	return s, nil
}

// numbers reads numbers that are not negative.
func numbers(words []string) ([]int, error) {
	ks := make([]int, len(words))
	for i, w := range words {
		k, err := strconv.Atoi(w)
		if err != nil || k < 0 {
			return nil, fmt.Errorf("%q is no number", w)
		}
		ks[i] = k
	}
	return ks, nil
}

// parse reads the step without choices and crash, and reports whether it could.
func (s *Step) parse(text string) bool {
	word, rest, _ := strings.Cut(text, " ")
	what := slices.Index(stepNames[:], word)
	if what < 0 {
		return false
	}
	s.What = StepKind(what)
	var who, from, timer int
	var err error
	switch s.What {
	case Tick:
		return rest == ""
	case Deliver, Lose, Duplicate:
		ends, message, _ := strings.Cut(rest, " ")
		_, err = fmt.Sscanf(ends, "%d->%d", &from, &who)
		s.Message = message
	case Timeout:
		_, err = fmt.Sscanf(rest, "%d timer %d", &who, &timer)
	default:
		who, err = strconv.Atoi(rest)
	}
	s.Who, s.From, s.Timer = protocols.ID(who), protocols.ID(from), protocols.Timer(timer)
	return err == nil
}

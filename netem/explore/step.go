package explore

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"bullring/netem"
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
	Up                        // a link comes up
	Down                      // a link goes down, with the messages on it
	LinkUp                    // a process is told that a link has come up: see protocols.Linked
	LinkDown                  // or that it has gone down
)

var stepNames = [...]string{"start", "deliver", "timeout", "tick", "crash", "restart", "lose", "duplicate", "boot", "up", "down", "linkup", "linkdown"}

// String is the word for the kind in a schedule.
func (k StepKind) String() string { return stepNames[k] }

// Step is a step of a run.
type Step struct {
	What    StepKind
	Who     protocols.ID
	From    protocols.ID    // the sender, of a message; the other end of a link
	Message string          // as it prints
	Timer   protocols.Timer // of a timeout
	Choices []int           // the results of Intn, in order
	Reads   []time.Duration // what the clock of the process showed, in the order of its looks
	// Suspected are the questions to the failure detector, in order, with the answers. With
	// none the detector suspects the processes that have crashed.
	Suspected []netem.Suspicion
	// Sends is the number of messages that the process had sent when it crashed in the
	// middle of the step; -1 if it did not crash.
	Sends int
}

// String prints the step as a line of a schedule:
//
//	deliver 0->1 ELECTION(3), choose 2, reads 1.5ms 2ms, suspects 4:yes 3:no, crash after 1 sends
func (s Step) String() string {
	text := s.What.String()
	switch s.What {
	case Deliver, Lose, Duplicate:
		text += fmt.Sprintf(" %d->%d %s", s.From, s.Who, s.Message)
	case Timeout:
		text += fmt.Sprintf(" %d timer %d", s.Who, s.Timer)
	case Up, Down, LinkUp, LinkDown:
		text += fmt.Sprintf(" %d-%d", s.Who, s.From)
	case Tick:
	default:
		text += fmt.Sprintf(" %d", s.Who)
	}
	text += listed("choose", s.Choices) + listed("reads", s.Reads) + listed("suspects", s.Suspected)
	if s.Sends >= 0 {
		text += fmt.Sprintf(", crash after %d sends", s.Sends)
	}
	return text
}

// listed is a part of a line: a word and what it lists. It is empty for nothing.
func listed[T any](word string, all []T) string {
	if len(all) == 0 {
		return ""
	}
	return ", " + word + " " + strings.Trim(fmt.Sprint(all), "[]")
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
			s.Choices, err = readList(last, readNumber)
		case strings.HasPrefix(last, "reads ") && s.Reads == nil:
			s.Reads, err = readList(last, time.ParseDuration)
		case strings.HasPrefix(last, "suspects ") && s.Suspected == nil:
			s.Suspected, err = readList(last, readSuspicion)
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
		return s, fmt.Errorf("step %q is not understood; there are 'start P', 'deliver P->Q MESSAGE', 'timeout P timer T', 'tick', 'crash P', 'restart P', 'lose P->Q MESSAGE', 'duplicate P->Q MESSAGE', 'boot P', 'up P-Q', 'down P-Q', 'linkup P-Q' and 'linkdown P-Q', and after them ', choose K ...', ', reads TIME ...', ', suspects P:yes Q:no ...' and ', crash after K sends'", line)
	}
	if !s.What.handled() && (s.Choices != nil || s.Reads != nil || s.Suspected != nil || s.Sends >= 0) {
		return s, fmt.Errorf("step %q: no process handles anything in it, so none chooses, asks or sends", line)
	}
	return s, nil
}

// handled reports whether a process handles something in such a step.
func (k StepKind) handled() bool {
	return !slices.Contains([]StepKind{Tick, Crash, Lose, Duplicate, Up, Down}, k)
}

// readList reads a part of a line: a word, and then what it lists.
func readList[T any](part string, read func(string) (T, error)) ([]T, error) {
	var all []T
	for _, word := range strings.Fields(part)[1:] {
		x, err := read(word)
		if err != nil {
			return nil, err
		}
		all = append(all, x)
	}
	return all, nil
}

// readNumber reads a number that is not negative.
func readNumber(word string) (int, error) {
	k, err := strconv.Atoi(word)
	if err == nil && k < 0 {
		err = errors.New("a negative number")
	}
	return k, err
}

// readSuspicion reads an answer of a failure detector.
func readSuspicion(word string) (s netem.Suspicion, err error) {
	who, answer, _ := strings.Cut(word, ":")
	k, err := readNumber(who)
	if answer != "yes" && answer != "no" {
		err = errors.New("the answer is yes or no")
	}
	return netem.Suspicion{Who: protocols.ID(k), Yes: answer == "yes"}, err
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
	case Up, Down, LinkUp, LinkDown:
		who, from, err = readEnds(rest)
	case Timeout:
		_, err = fmt.Sscanf(rest, "%d timer %d", &who, &timer)
	default:
		who, err = strconv.Atoi(rest)
	}
	s.Who, s.From, s.Timer = protocols.ID(who), protocols.ID(from), protocols.Timer(timer)
	return err == nil
}

package faults

import (
	"cmp"
	"fmt"
	"slices"

	"bullring/des"
	"bullring/protocols"
)

// Event is something that a fault did.
type Event struct {
	At    des.Time
	Fault int // index in Injector.Plan
	What  What
	// The message that it was done to, or at which the process crashed; for
	// Began and Ended they mean nothing.
	From, To protocols.ID
	Kind     int
}

// What is what a fault did.
type What uint8

// What faults do.
const (
	Began   What = iota // the fault began; one without duration happened
	Ended               // it ended
	Crashed             // a process crashed at this message
	Struck              // this message was lost, made to wait, delayed, duplicated or forged, as the fault says
)

var whats = [...]string{"began", "ended", "crashed a process", "struck"}

// String says what was done.
func (w What) String() string { return whats[w] }

// String prints the event.
func (e Event) String() string {
	text := fmt.Sprintf("%v fault %d %v", e.At, e.Fault, e.What)
	if e.What == Crashed || e.What == Struck {
		text += fmt.Sprintf(" at a message %d->%d", e.From, e.To)
	}
	return text
}

// Happened is what the faults did so far, in order of time. What was done to
// single messages is there only if Env.Record says so.
func (i *Injector) Happened() []Event {
	events := slices.Clone(i.events)
	slices.SortStableFunc(events, func(a, b Event) int { return cmp.Compare(a.At, b.At) })
	now := i.target.Now() // crashes and restarts with an instant are noted in advance
	future := slices.IndexFunc(events, func(e Event) bool { return e.At > now })
	if future < 0 {
		return events
	}
	return events[:future]
}

func (i *Injector) note(e Event) { i.events = append(i.events, e) }

func (i *Injector) tell(e Event) {
	i.note(e)
	if i.env.Tell != nil {
		i.env.Tell(e)
	}
}

func (i *Injector) noteMessage(f *fault, from, to protocols.ID, kind int) {
	if i.env.Record {
		i.tell(Event{At: i.target.Now(), Fault: f.index, What: Struck, From: from, To: to, Kind: kind})
	}
}

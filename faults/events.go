package faults

import (
	"fmt"

	"bullring/des"
	"bullring/protocols"
)

// Event is an action of a fault.
type Event struct {
	At    des.Time
	Fault int // index in Injector.Plan
	What  What
	// The message that was struck, or at which the process crashed. Began and Ended
	// have none.
	From, To protocols.ID
	Kind     int
}

// What is the kind of an Event.
type What uint8

// The kinds of events.
const (
	Began   What = iota // the fault began; a fault without duration has ended, too
	Ended               // it ended
	Crashed             // a process crashed at this message
	Struck              // this message was lost, held back, delayed, duplicated, carried or forged
)

var whats = [...]string{"began", "ended", "crashed a process", "struck"}

// String names the kind.
func (w What) String() string { return whats[w] }

// String prints the event.
func (e Event) String() string {
	text := fmt.Sprintf("%v fault %d %v", e.At, e.Fault, e.What)
	if e.What == Crashed || e.What == Struck {
		text += fmt.Sprintf(" at a message %d->%d", e.From, e.To)
	}
	return text
}

func (i *Injector) announce(e Event) {
	if i.env.Tell != nil {
		i.env.Tell(e)
	}
}

func (i *Injector) noteMessage(f *fault, from, to protocols.ID, kind int) {
	if i.env.Tell != nil {
		i.announce(Event{At: i.target.Now(), Fault: f.index, What: Struck, From: from, To: to, Kind: kind})
	}
}

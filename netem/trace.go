package netem

import (
	"fmt"
	"io"

	"bullring/des"
	"bullring/protocols"
)

// Tracer is told of every event that changed something, after it has happened.
type Tracer interface {
	Record(Record)
}

// Record is one event of a run.
type Record struct {
	At    des.Time
	What  string       // start, deliver, lost, timeout, crash or restart
	Who   protocols.ID // where it happened
	From  protocols.ID // the sender, if What is deliver or lost
	Timer protocols.Timer
	// Message is what was delivered or lost, nil otherwise.
	Message any
	Sent    []Sent
}

// Sent is a message that left in consequence.
type Sent struct {
	To      protocols.ID
	Message any
}

var happenings = [...]string{
	start: "start", crash: "crash", restart: "restart", deliver: "deliver", lost: "lost", timeout: "timeout",
	alarm: "alarm", stop: "stop",
}

// String is the word for it in a record.
func (h happening) String() string { return happenings[h] }

// trace completes the record of an event, before what was sent leaves.
func (w *Network[M]) trace(r Record) {
	r.At = w.Now()
	for _, it := range w.engine.outbox {
		r.Sent = append(r.Sent, Sent{it.to(), w.slab[it.index()]})
	}
	w.engine.tracer.Record(r)
}

// TextTrace returns a tracer that writes one line an event. note, if not nil,
// is asked after each event what else to say of the process.
func TextTrace(w io.Writer, note func(protocols.ID) string) Tracer {
	return &textTrace{w, note}
}

type textTrace struct {
	w    io.Writer
	note func(protocols.ID) string
}

func (t *textTrace) Record(r Record) {
	line := fmt.Sprintf("%12v  %-7s ", r.At, r.What)
	switch r.What {
	case "deliver", "lost":
		line += fmt.Sprintf("%d -> %d  %v", r.From, r.Who, r.Message)
	case "timeout":
		line += fmt.Sprintf("%d  timer %d", r.Who, r.Timer)
	default:
		line += fmt.Sprint(r.Who)
	}
	for i, s := range r.Sent {
		if i == 0 {
			line += "  | sends "
		} else {
			line += ", "
		}
		line += fmt.Sprintf("%v to %d", s.Message, s.To)
	}
	if t.note != nil {
		if s := t.note(r.Who); s != "" {
			line += "  | " + s
		}
	}
	io.WriteString(t.w, line+"\n")
}

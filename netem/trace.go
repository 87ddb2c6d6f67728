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

// Record is one event of a run, or something that a link or a fault did between
// two events.
type Record struct {
	At   des.Time // below 0 where there is no time
	Step int      // of the schedule that is followed, from 1; 0 without one
	// What happened: start, boot, deliver, lost (the receiver has crashed), damaged,
	// lose (the link did, when the message was sent), cut (a fault did), timeout,
	// crash, restart or fault.
	What  string
	Who   protocols.ID // where it happened
	From  protocols.ID // the sender of the message
	Timer protocols.Timer
	// Message is what was delivered or lost, nil otherwise, and Number which of
	// the messages it is, counted from 1 in the order in which they were handed to
	// their links; copies have one number.
	Message any
	Number  uint64
	Note    string // what the fault is, if What is fault
	Choices []int  // what the process drew by Intn, in order
	Sent    []Sent
	Panics  bool // the handler did: what it has sent does not leave
}

// Sent is a message that left in consequence.
type Sent struct {
	To      protocols.ID
	Message any
	Number  uint64
}

var happenings = [...]string{
	start: "start", crash: "crash", restart: "restart", deliver: "deliver", lost: "lost", timeout: "timeout",
	alarm: "alarm", stop: "stop", boot: "boot", intervene: "fault", release: "release", offer: "offer", keep: "keep", serve: "serve",
	damaged: "damaged", lose: "lose", cut: "cut", nothing: "nothing",
}

// String is the word for it in a record.
func (h happening) String() string { return happenings[h] }

// newRecord begins the record of something that happens to the message with
// that index, or to the timer with that label.
func (w *Network[M]) newRecord(what happening, who, from protocols.ID, more uint32) *Record {
	r := &Record{At: w.Now(), What: what.String(), Who: who}
	switch what {
	case deliver, lost, damaged, lose, cut:
		r.From, r.Message, r.Number = from, w.slab[more], w.numbers[more]
	case timeout:
		r.Timer = protocols.Timer(int32(more))
	}
	return r
}

// record completes the record of a step with what leaves in consequence.
func (w *Network[M]) record() {
	if w.engine.tracer == nil {
		return
	}
	w.step.Choices, w.engine.drawn = w.engine.drawn, nil
	for _, it := range w.engine.outbox {
		w.number++
		w.setNumber(it.index(), w.number)
		w.step.Sent = append(w.step.Sent, Sent{it.to(), w.slab[it.index()], w.number})
	}
	w.engine.tracer.Record(*w.step)
	w.step = nil
	for _, r := range w.noted {
		w.engine.tracer.Record(r)
	}
	w.noted = w.noted[:0]
}

// AtHand is the record of the step in which a handler has panicked, with what the
// process had sent by then. ok is false if no step was under way, or if nobody traces.
func (w *Network[M]) AtHand() (r Record, ok bool) {
	if w.step == nil {
		return r, false
	}
	r = *w.step
	r.Panics = true
	r.Choices = w.engine.drawn
	for _, it := range w.engine.outbox {
		r.Sent = append(r.Sent, Sent{To: it.to(), Message: w.slab[it.index()]})
	}
	return r, true
}

func (w *Network[M]) setNumber(index uint32, number uint64) {
	for len(w.numbers) <= int(index) {
		w.numbers = append(w.numbers, 0)
	}
	w.numbers[index] = number
}

// note records what is no step.
func (w *Network[M]) note(what happening, who, from protocols.ID, index uint32) {
	if w.engine.tracer != nil {
		w.engine.tracer.Record(*w.newRecord(what, who, from, index))
	}
}

// Note tells the tracer, if any, of a fault that takes effect now: behind the step
// in which it strikes.
func (w *Network[M]) Note(text string) {
	if w.engine.tracer == nil {
		return
	}
	r := Record{At: w.Now(), What: intervene.String(), Note: text}
	if w.step != nil {
		w.noted = append(w.noted, r)
		return
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
	note := ""
	if t.note != nil && r.What != intervene.String() {
		note = t.note(r.Who)
	}
	io.WriteString(t.w, r.Text(note)+"\n")
}

// Text prints a record on one line, with what else there is to say of the
// process.
func (r Record) Text(note string) string {
	line := fmt.Sprintf("%12s  %-7s ", r.when(), r.What)
	switch r.What {
	case "deliver", "lost", "damaged", "lose", "cut":
		line += fmt.Sprintf("%d -> %d  %v", r.From, r.Who, r.Message)
	case "timeout":
		line += fmt.Sprintf("%d  timer %d", r.Who, r.Timer)
	case "fault":
		line += r.Note
	default:
		line += fmt.Sprint(r.Who)
	}
	for i, c := range r.Choices {
		if i == 0 {
			line += "  | chooses"
		}
		line += fmt.Sprintf(" %d", c)
	}
	for i, s := range r.Sent {
		if i == 0 {
			line += "  | sends "
		} else {
			line += ", "
		}
		line += fmt.Sprintf("%v to %d", s.Message, s.To)
	}
	if r.Panics {
		line += "  | PANICS"
	}
	if note != "" {
		line += "  | " + note
	}
	return line
}

// when is the instant of a record, or the step of a schedule with what there is of
// an instant.
func (r Record) when() string {
	switch {
	case r.Step == 0:
		return r.At.String()
	case r.At < 0:
		return fmt.Sprintf("step %d", r.Step)
	}
	return fmt.Sprintf("step %d %v", r.Step, r.At)
}

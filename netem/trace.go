package netem

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"bullring/des"
	"bullring/protocols"
)

// Tracer receives a record of each event that had an effect, after the event.
type Tracer interface {
	Record(Record)
}

// Record is one event of a run, or an action of a link or a fault between two events.
type Record struct {
	At   des.Time // negative if the run has no time
	Step int      // of the schedule that the run follows, from 1; 0 without one
	// What happened: start, boot, deliver, lost (the receiver has crashed), damaged,
	// lose (the link lost the message when it was sent), cut (a fault lost it, or it went with its
	// link), collide (it met another signal of the medium), timeout, crash, restart, linkup or linkdown (a process is told of a link), or fault, which
	// is also a link that comes or goes.
	What  string
	Who   protocols.ID // where it happened
	From  protocols.ID // the sender of the message; the other end of a link
	Timer protocols.Timer
	Name  string // of the timer, "" if the process gives it none
	// Message is the message that was delivered or lost, nil without one. Number counts
	// messages from 1, in the order in which they are handed to their links; copies of a
	// message have one number.
	Message any
	Number  uint64
	Met     *Met    // of a message that collided, with what; nil for others
	Note    string  // if What is fault: what a fault does, or the change of a link
	Change  *Change // of a link, if that is the fault; nil for others
	Choices []int   // the numbers that the process drew by Intn, in order
	// Reads are the times that its clock showed, and Suspected the answers of its failure
	// detector, both in the order of the questions.
	Reads     []time.Duration
	Suspected []Suspicion
	Sent      []Sent
	Left      int  // how many messages those of Sent are if there is a broadcast, which is one
	Panics    bool // the handler panicked, and its messages do not leave
	Amid      bool // of a crash: it came in the middle of the last step of the process
	// Log are the lines that a program logged in the step, and Stderr those of its standard error
	// that were seen with the step. Only processes in programs have them.
	Log, Stderr []string
}

// Suspicion is an answer of a failure detector.
type Suspicion struct {
	Who protocols.ID
	Yes bool // the detector takes it for crashed
}

// String is the answer as it stands in a schedule: 4:yes.
func (s Suspicion) String() string {
	if s.Yes {
		return s.Who.String() + ":yes"
	}
	return s.Who.String() + ":no"
}

// Sent is a message that the process sent in the step.
type Sent struct {
	To      protocols.ID
	Message any
	Number  uint64
	// Same: it is one message with that before it, a broadcast. Only live runs say so.
	Same bool
}

var eventNames = [...]string{
	start: "start", crash: "crash", restart: "restart", deliver: "deliver", lost: "lost", timeout: "timeout",
	alarm: "alarm", stop: "stop", boot: "boot", intervene: "fault", release: "release", offer: "offer", keep: "keep", serve: "serve",
	damaged: "damaged", lose: "lose", cut: "cut", planned: "planned", nothing: "nothing",
	linkUp: "up", linkDown: "down", toldUp: "linkup", toldDown: "linkdown", broadcast: "broadcast",
	heard: "heard", collide: "collide",
}

// String is the name in a record.
func (t eventType) String() string { return eventNames[t] }

// newRecord begins the record of an event. more is the index of its message or the label of
// its timer.
func (w *Network[M]) newRecord(what eventType, who, from protocols.ID, more uint32) *Record {
	r := &Record{At: w.Now(), What: what.String(), Who: who}
	switch what {
	case collide:
		met := w.engine.air.met
		r.Met = &met
		fallthrough
	case deliver, lost, damaged, lose, cut:
		r.From, r.Message, r.Number = from, w.slab[more], w.numbers[more]
	case timeout:
		r.Timer = protocols.Timer(int32(more))
	case linkUp, linkDown:
		return ChangeRecord(Change{r.At, who, from, what == linkUp})
	case toldUp, toldDown:
		r.From = from
	}
	return r
}

// ChangeRecord is the record of a link that comes up or goes down.
func ChangeRecord(c Change) *Record {
	what := linkDown
	if c.Up {
		what = linkUp
	}
	return &Record{At: c.At, What: intervene.String(), Note: fmt.Sprintf("%v %d-%d", what, c.A, c.B), Change: &c}
}

// record completes the record of a step with the messages that leave, and hands it to the
// tracer.
func (w *Network[M]) record() {
	w.step.Choices, w.engine.drawn = w.engine.drawn, nil
	for _, it := range w.engine.outbox {
		w.number++
		w.setNumber(it.index(), w.number)
		w.step.Sent = append(w.step.Sent, Sent{To: it.to(), Message: w.slab[it.index()], Number: w.number})
	}
	w.step.Left, w.engine.extras.left = w.engine.extras.left, 0
	w.engine.tracer.Record(*w.step)
	w.step = nil
	for _, r := range w.noted {
		w.engine.tracer.Record(r)
	}
	w.noted = w.noted[:0]
}

// AtHand is the record of the step in which a handler has panicked, with the messages that the
// process had sent by then. ok is false outside of a step, and without a tracer.
func (w *Network[M]) AtHand() (r Record, ok bool) {
	if w.step == nil {
		return r, false
	}
	r = *w.step
	r.Panics = true
	r.Choices = w.engine.drawn
	w.engine.spread()
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

// numberOf is the number of a message in the slab, 0 if it has none.
func (w *Network[M]) numberOf(index uint32) uint64 {
	if int(index) < len(w.numbers) {
		return w.numbers[index]
	}
	return 0
}

// note records an event that is not a step of a process.
func (w *Network[M]) note(what eventType, who, from protocols.ID, index uint32) {
	if w.engine.tracer != nil {
		w.engine.tracer.Record(*w.newRecord(what, who, from, index))
	}
}

// Note records a fault that takes effect now, after the step in which it strikes.
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

// TextTrace returns a tracer that writes a line for each event. If note is not nil, its text
// about the process is added.
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
	io.WriteString(t.w, r.Text(note)+r.Written()+"\n")
}

// Written is what the program of the process logged, and wrote to its standard error, to follow
// the text of the record.
func (r Record) Written() (text string) {
	if len(r.Log) > 0 {
		text += "  | logs " + quoted(r.Log)
	}
	if len(r.Stderr) > 0 {
		text += "  | stderr " + quoted(r.Stderr)
	}
	return text
}

// quoted is lines on one line.
func quoted(lines []string) string {
	each := make([]string, len(lines))
	for i, line := range lines {
		each[i] = strconv.Quote(line)
	}
	return strings.Join(each, ", ")
}

// Text prints a record on one line, with a note about the process. What its program logged is not
// part of it: a record with the same text is the same event.
func (r Record) Text(note string) string {
	line := fmt.Sprintf("%12s  %-7s ", r.When(), r.What)
	switch r.What {
	case "deliver", "lost", "damaged", "lose", "cut", "collide":
		line += fmt.Sprintf("%d -> %d  %v", r.From, r.Who, r.Message)
		if with := r.With(); with != "" {
			line += "  | " + with
		}
	case "timeout":
		line += fmt.Sprintf("%d  timer %d", r.Who, r.Timer)
		if r.Name != "" {
			line += " (" + r.Name + ")"
		}
	case "fault":
		line += r.Note
	case "linkup", "linkdown":
		line += fmt.Sprintf("%d  link to %d", r.Who, r.From)
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

// With tells with what a message collided, or returns "".
func (r Record) With() string {
	switch {
	case r.Met == nil:
		return ""
	case r.Met.From == r.Who:
		return fmt.Sprintf("with a message of its receiver at %v", r.Met.At)
	}
	return fmt.Sprintf("with a message of %v at %v", r.Met.From, r.Met.At)
}

// When is the instant of a record, after the step of the schedule if there is one.
func (r Record) When() string {
	switch {
	case r.Step == 0:
		return r.At.String()
	case r.At < 0:
		return fmt.Sprintf("step %d", r.Step)
	}
	return fmt.Sprintf("step %d %v", r.Step, r.At)
}

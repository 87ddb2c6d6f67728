package history

import (
	"strings"

	"bullring/faults"
)

// Span is when a fault of the plan was there.
type Span struct {
	Text string // the fault as in a plan, without its time
	// From and To are the numbers of the events at its two ends: equal if the fault struck
	// once, and To is 0 if it was there to the end of the run.
	From, To int
}

// Spans returns the faults of the run in the order of their beginnings. A fault that waits
// for a message begins when it strikes. Crashes and restarts at an instant of the plan are
// events of their processes, and links that come and go are events of their own: both are no spans.
func (h *History) Spans() []Span {
	var spans []Span
	open := map[string][]int{} // places in spans of the faults that are there, by their text
	for i := range h.Events {
		e := &h.Events[i]
		if e.What != "fault" {
			continue
		}
		what, text := readNote(e.Note)
		if at := open[text]; what == faults.Ended && len(at) > 0 {
			spans[at[0]].To = e.Order
			open[text] = at[1:]
			continue
		}
		plan, err := faults.Parse(text)
		if err != nil || len(plan) != 1 || plan[0].Kind == faults.Down || plan[0].Kind == faults.Up {
			continue // a note of something else
		}
		fault := plan[0]
		switch {
		case fault.Lasts() && what == faults.Began:
			open[text] = append(open[text], len(spans))
			spans = append(spans, Span{Text: placed(fault), From: e.Order})
		case !fault.Lasts() && fault.Waits() == (what == faults.Struck || what == faults.Crashed):
			spans = append(spans, Span{Text: placed(fault), From: e.Order, To: e.Order})
		}
	}
	return spans
}

// readNote reads the note of a fault: what happened, and the fault as in the plan.
func readNote(note string) (faults.What, string) {
	if text, ended := strings.CutPrefix(note, "the end of: "); ended {
		return faults.Ended, text
	}
	for _, what := range [...]faults.What{faults.Crashed, faults.Struck} {
		if rest, is := strings.CutPrefix(note, what.String()+" "); is {
			_, text, _ := strings.Cut(rest, ": ") // behind the ends of the message
			return what, text
		}
	}
	return faults.Began, note
}

// placed is the text of a fault where its place says when it was there.
func placed(f faults.Fault) string {
	if f.When.On == faults.Instant {
		f.When = faults.Trigger{}
	}
	f.For = 0
	return f.String()
}

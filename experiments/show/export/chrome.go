package export

import (
	"bytes"
	"cmp"
	"fmt"

	"bullring/experiments/show/history"
	"bullring/protocols"
)

// sliceWidth is the width of an event, in nanoseconds: an event takes no time, but flows begin
// and end in slices.
const sliceWidth = 1000

// chrome is a trace of the Chrome format, for Perfetto: a thread a process, a slice an event,
// a flow a message that arrived. Events of one instant stand one after another, and an effect
// stands after its causes; the text of each has its true time.
var chrome = Format{Name: "chrome", Begins: `{"displayTimeUnit":"ns","traceEvents":[`, write: func(w *bytes.Buffer, h *history.History) error {
	w.WriteString(`{"displayTimeUnit":"ns","traceEvents":[` + "\n")
	to := NewEncoder(w)
	comma := ""
	put := func(e chromeEvent) {
		e.Process = 1
		w.WriteString(comma)
		to.Encode(e)
		comma = ","
	}
	put(chromeEvent{Phase: "M", Name: "process_name", Args: chromeArgs{"name": title(h)}})
	for p := range protocols.ID(h.Result.Instance.N) {
		put(chromeEvent{Phase: "M", Thread: thread(p), Name: "thread_name", Args: chromeArgs{"name": sign(h, p)}})
		put(chromeEvent{Phase: "M", Thread: thread(p), Name: "thread_sort_index", Args: chromeArgs{"sort_index": p}})
	}
	places, flows := placesOf(h), 0
	for i := range h.Events {
		e := &h.Events[i]
		shown := chromeEvent{Phase: "i", Scope: "t", Thread: thread(e.Who), Time: places[i], Name: e.What, Category: e.What, Args: chromeArgs{"event": e.Order, "text": line(e)}}
		switch {
		case e.What == "fault":
			shown.Thread, shown.Scope, shown.Name = thread(0), "g", "fault "+e.Note
		case e.Message != nil && e.Absent:
			shown.Name = e.What + " " + message(e)
		case e.Message != nil:
			shown.Name = cmp.Or(message(e), e.What)
		}
		if atProcess(e) {
			shown.Phase, shown.Scope, shown.Duration = "X", "", sliceWidth
		}
		put(shown)
		if e.What != "deliver" {
			continue
		}
		sending := e.After[len(e.After)-1] - 1
		flows++
		flow := chromeEvent{Name: shown.Name, Category: "message", ID: flows}
		flow.Phase, flow.Thread, flow.Time = "s", thread(e.From), places[sending]+sliceWidth/2
		put(flow)
		flow.Phase, flow.Binds, flow.Thread, flow.Time = "f", "e", thread(e.Who), places[i]+sliceWidth/2
		put(flow)
	}
	w.WriteString("]}\n")
	return nil
}}

// thread is the number of the thread of a process; 0 would be the idle thread.
func thread(p protocols.ID) int { return int(p) + 1 }

// placesOf returns the place of each event, in nanoseconds: its time or, without time, its step
// times the width of a slice; later if a cause of it is there, or another event in its thread:
// an instant inside a slice would take the end of its flow.
func placesOf(h *history.History) []nanoseconds {
	places, free := make([]nanoseconds, len(h.Events)), make([]nanoseconds, h.Result.Instance.N)
	for i := range h.Events {
		e := &h.Events[i]
		at := nanoseconds(e.At)
		if e.At < 0 {
			at = nanoseconds(e.Step) * sliceWidth
		}
		for _, cause := range e.After {
			at = max(at, places[cause-1]+sliceWidth)
		}
		if e.What != "fault" {
			at = max(at, free[e.Who])
			free[e.Who] = at + sliceWidth
		}
		places[i] = at
	}
	return places
}

// nanoseconds are a time that the format has in microseconds.
type nanoseconds int64

// MarshalJSON implements json.Marshaler.
func (t nanoseconds) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, "%d.%03d", t/1000, t%1000), nil
}

type chromeArgs map[string]any

// chromeEvent is an event of the format: a slice X, a begin s or an end f of a flow, an instant
// i, or metadata M.
type chromeEvent struct {
	Phase    string      `json:"ph"`
	Process  int         `json:"pid"`
	Thread   int         `json:"tid,omitempty"`
	Time     nanoseconds `json:"ts"`
	Duration nanoseconds `json:"dur,omitzero"`
	Name     string      `json:"name"`
	Category string      `json:"cat,omitempty"`
	Scope    string      `json:"s,omitempty"`
	ID       int         `json:"id,omitempty"`
	Binds    string      `json:"bp,omitempty"`
	Args     chromeArgs  `json:"args,omitempty"`
}

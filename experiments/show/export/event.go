package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"bullring/experiments/show/history"
	"bullring/netem"
	"bullring/protocols"
)

// Event is an event of a run as JSON: docs/trace.md describes it.
type Event struct {
	Time    *int64           `json:"time_ns"` // null where there is no time
	Step    int              `json:"step,omitempty"`
	What    What             `json:"what"`
	Process *protocols.ID    `json:"process,omitempty"`
	From    *protocols.ID    `json:"from,omitempty"`
	Timer   *protocols.Timer `json:"timer,omitempty"`
	Name    string           `json:"name,omitempty"` // of the timer
	Message string           `json:"message,omitempty"`
	Number  uint64           `json:"number,omitempty"`
	Met     string           `json:"met,omitempty"` // with what the message collided
	Fault   string           `json:"fault,omitempty"`
	Choices []int            `json:"choices,omitempty"`
	Sends   []Send           `json:"sends,omitempty"`
	Decides string           `json:"decides,omitempty"`
	Log     []string         `json:"log,omitempty"`
	Stderr  []string         `json:"stderr,omitempty"`
	Panics  bool             `json:"panics,omitempty"`
}

// What is what happened in an event.
type What string

// Whats are all that can happen: docs/trace.md tells them.
var Whats = []string{"start", "boot", "deliver", "timeout", "crash", "restart", "lost", "lose", "cut", "damaged", "collide", "linkup", "linkdown", "fault"}

// Send is a message that the step sent.
type Send struct {
	To      protocols.ID `json:"to"`
	Message string       `json:"message"`
	Number  uint64       `json:"number"`
}

// NewEvent returns a record of a run as an event, with what the process decided in it.
func NewEvent(r netem.Record, decides string) Event {
	report := Event{What: What(r.What), Step: r.Step, Name: r.Name, Fault: r.Note, Met: r.With(), Choices: r.Choices, Decides: decides, Log: r.Log, Stderr: r.Stderr, Panics: r.Panics}
	if r.At >= 0 {
		report.Time = new(int64(r.At))
	}
	if r.What != "fault" {
		report.Process = &r.Who
	}
	if r.What == "timeout" {
		report.Timer = &r.Timer
	}
	if r.Message != nil {
		report.From, report.Message, report.Number = &r.From, fmt.Sprint(r.Message), r.Number
	}
	if r.What == "linkup" || r.What == "linkdown" {
		report.From = &r.From
	}
	for _, s := range r.Sent {
		report.Sends = append(report.Sends, Send{s.To, fmt.Sprint(s.Message), s.Number})
	}
	return report
}

// NewEncoder returns an encoder of JSON that leaves letters as they are.
func NewEncoder(w io.Writer) *json.Encoder {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e
}

// jsonl is the trace of run --trace --json, an object a line.
var jsonl = Format{Name: "jsonl", Begins: `{"time_ns":`, write: func(w *bytes.Buffer, h *history.History) error {
	to := NewEncoder(w)
	for i := range h.Events {
		e := &h.Events[i]
		to.Encode(NewEvent(e.Record, e.News))
	}
	return nil
}}

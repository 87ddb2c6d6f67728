package view

import (
	"encoding/json"
	"fmt"
	"io"
	"math"

	"bullring/netem"
	"bullring/protocols"
)

// recordReport is a record of a run as JSON: docs/trace.md describes it.
type recordReport struct {
	Time    *int64           `json:"time_ns"` // null where there is no time
	Step    int              `json:"step,omitempty"`
	What    string           `json:"what"`
	Process *protocols.ID    `json:"process,omitempty"`
	From    *protocols.ID    `json:"from,omitempty"`
	Timer   *protocols.Timer `json:"timer,omitempty"`
	Name    string           `json:"name,omitempty"` // of the timer
	Message string           `json:"message,omitempty"`
	Number  uint64           `json:"number,omitempty"`
	Fault   string           `json:"fault,omitempty"`
	Choices []int            `json:"choices,omitempty"`
	Sends   []sendReport     `json:"sends,omitempty"`
	Decides string           `json:"decides,omitempty"`
	Panics  bool             `json:"panics,omitempty"`
}

// sendReport is a message that the step sent.
type sendReport struct {
	To      protocols.ID `json:"to"`
	Message string       `json:"message"`
	Number  uint64       `json:"number"`
}

func newRecordReport(r netem.Record, decides string) recordReport {
	report := recordReport{What: r.What, Step: r.Step, Name: r.Name, Fault: r.Note, Choices: r.Choices, Decides: decides, Panics: r.Panics}
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
	for _, s := range r.Sent {
		report.Sends = append(report.Sends, sendReport{s.To, fmt.Sprint(s.Message), s.Number})
	}
	return report
}

type jsonTrace struct {
	to       *json.Encoder
	decision func(protocols.ID) string
}

// JSONTrace returns a tracer that writes each record as a line of JSON.
func JSONTrace(w io.Writer, decision func(protocols.ID) string) netem.Tracer {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return &jsonTrace{e, decision}
}

// Record implements netem.Tracer. An error of the writer comes back when the caller
// flushes it.
func (t *jsonTrace) Record(r netem.Record) {
	decides := ""
	if r.What != "fault" {
		decides = t.decision(r.Who)
	}
	t.to.Encode(newRecordReport(r, decides))
}

// MarkCycle returns a tracer that writes a line to w where the steps begin that repeat for
// ever; before is the number of steps before them.
func MarkCycle(w io.Writer, to netem.Tracer, before int) netem.Tracer {
	return &cycleTrace{to, w, before}
}

type cycleTrace struct {
	netem.Tracer
	w      io.Writer
	before int
}

// Record implements netem.Tracer.
func (t *cycleTrace) Record(r netem.Record) {
	if r.Step > t.before {
		fmt.Fprintln(t.w, "--- from here on for ever ---")
		t.before = math.MaxInt
	}
	t.Tracer.Record(r)
}

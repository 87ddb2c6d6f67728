// Package export writes a run in the formats of other programs: a diagram for Mermaid, a log
// with vector clocks for ShiViz, a trace for Perfetto, the relation "happened before" for
// Graphviz, states for tools of TLA+, and JSON, an object an event. A history comes in, and
// text goes out.
package export

import (
	"bytes"
	"fmt"
	"strings"

	"bullring/experiments/show/history"
	"bullring/internal/value"
	"bullring/protocols"
)

// Format is a format of another program.
type Format struct {
	Name string
	// States tells that the format has the states of processes: it takes a history with
	// states.
	States bool
	// Begins is the text that each file of the format begins with.
	Begins string
	write  func(*bytes.Buffer, *history.History) error
}

// Formats are the formats by their names.
var Formats = []Format{mermaid, shiviz, chrome, dot, jsonl, itf}

// Text is a run in the format. The error tells that the run is too large for it.
func (f Format) Text(h *history.History) ([]byte, error) {
	var b bytes.Buffer
	err := f.write(&b, h)
	return b.Bytes(), err
}

// title names the algorithm and the number of processes.
func title(h *history.History) string {
	in := h.Result.Instance
	return value.OneLine(fmt.Sprintf("%s, n %d", strings.TrimSpace(in.Algorithm.Name+" "+in.Setting.Variant), in.N))
}

// process is the name of a process: p3.
func process(p protocols.ID) string { return fmt.Sprintf("p%d", p) }

// sign is the name of a process with its identity: p3 (id 4).
func sign(h *history.History, p protocols.ID) string {
	return fmt.Sprintf("p%d (id %v)", p, h.Result.Instance.Ranks.At(p).ID)
}

// message is the text of the message of an event.
func message(e *history.Event) string { return value.OneLine(fmt.Sprint(e.Message)) }

// line is an event in the words of a trace.
func line(e *history.Event) string { return value.OneLine(strings.TrimSpace(e.Text(e.News))) }

// brief is a line without what the process sent.
func brief(e *history.Event) string {
	short := *e
	short.Sent = nil
	return line(&short)
}

// atProcess reports whether an event is a step of a process, or its crash: neither a fault nor
// a message that was not handled.
func atProcess(e *history.Event) bool { return e.What != "fault" && !e.Absent }

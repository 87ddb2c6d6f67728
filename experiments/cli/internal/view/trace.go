package view

import (
	"encoding/json"
	"fmt"
	"io"
	"math"

	"bullring/experiments/show/export"
	"bullring/netem"
	"bullring/protocols"
)

type jsonTrace struct {
	to       *json.Encoder
	decision func(protocols.ID) string
}

// JSONTrace returns a tracer that writes each record as a line of JSON.
func JSONTrace(w io.Writer, decision func(protocols.ID) string) netem.Tracer {
	return &jsonTrace{export.NewEncoder(w), decision}
}

// Record implements netem.Tracer. An error of the writer comes back when the caller
// flushes it.
func (t *jsonTrace) Record(r netem.Record) {
	decides := ""
	if r.What != "fault" {
		decides = t.decision(r.Who)
	}
	t.to.Encode(export.NewEvent(r, decides))
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

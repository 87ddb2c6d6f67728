package view

import (
	"fmt"
	"io"
	"slices"

	"bullring/experiments/show/export"
	"bullring/experiments/trial"
	"bullring/internal/counts"
)

// Why is the explanation of a verdict.
type Why struct {
	Because
	Page string // the command that shows the run as a page
}

// whyReport is a Why as JSON.
type whyReport struct {
	What string `json:"what"`
	becauseReport
	Outcome trial.Outcome     `json:"outcome"`
	Failed  *string           `json:"failed"` // how a handler panicked
	Records int               `json:"records"`
	View    string            `json:"view"`
	Steps   list[causeReport] `json:"steps"`
}

// causeReport is a record with its number and the numbers of those that it follows from.
type causeReport struct {
	Record int       `json:"record"`
	After  list[int] `json:"after"`
	Target bool      `json:"target"`
	Absent bool      `json:"absent"`
	export.Event
}

// JSON implements View.
func (v Why) JSON() any {
	h := v.Real
	r := whyReport{
		What: h.What, becauseReport: *v.report(), Outcome: h.Result.Outcome, Failed: errorText(h.Result.Failed),
		Records: len(h.Events), View: v.Page,
	}
	for i, wanted := range h.Slice() {
		if e := &h.Events[i]; wanted {
			r.Steps = append(r.Steps, causeReport{e.Order, e.After, slices.Contains(h.Targets, e.Order), e.Absent, export.NewEvent(e.Record, e.News)})
		}
	}
	return r
}

// WhyLine is the command that explains a run.
func WhyLine(program string, in *trial.Instance) string {
	return commandLine(program, "why", in)
}

// Text implements View.
func (v Why) Text(w io.Writer) error {
	if v.Real.Result.Panicked() {
		fmt.Fprintln(w, v.Real.Result.Failed)
	}
	write := v.writePast
	if len(v.Reasons) > 0 {
		write = v.writeReasons
	}
	if err := write(w); err != nil {
		return err
	}
	fmt.Fprintln(w)
	return writePageLine(w, v.Page)
}

// writePast prints the events that the verdict follows from.
func (v Why) writePast(w io.Writer) error {
	fmt.Fprintln(w, v.Real.What)
	if v.Violation != nil {
		fmt.Fprintf(w, "%s; this is what the violation follows from:\n\n", v.Unable)
	} else {
		fmt.Fprint(w, "this is what it follows from:\n\n")
	}
	return v.Real.WritePast(w)
}

// writeReasons prints the reasons, the best in full, with how the run that it saves differs.
func (v Why) writeReasons(w io.Writer) error {
	v.writeReason(w)
	fmt.Fprintln(w)
	t := v.words()
	writeChain(w, t.best.Chain)
	for _, line := range t.others() {
		fmt.Fprintln(w, line)
	}
	tried, ended := counts.Several(len(v.Elements), "element"), ""
	if v.Steps > 0 {
		tried = counts.Several(v.Steps, "step")
	}
	if v.Spent {
		ended = "; the search ended before it was complete"
	}
	fmt.Fprintf(w, "[%s, %s%s]\n", tried, counts.Several(v.Runs, "run"), ended)
	fmt.Fprintln(w)
	if note := v.note(0); note != "" {
		fmt.Fprintln(w, note)
	}
	return v.writeSaved(w)
}

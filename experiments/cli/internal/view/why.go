package view

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"bullring/experiments/show/export"
	"bullring/experiments/show/history"
	"bullring/experiments/show/reason"
	"bullring/experiments/trial"
	"bullring/internal/counts"
)

// Why is the explanation of a verdict.
type Why struct {
	*reason.Explanation
	Program string
	Page    string // the command that shows the run as a page
	Again   string // the command that explains the run
}

// whyReport is a Why as JSON.
type whyReport struct {
	What      string           `json:"what"`
	Violation *violationReport `json:"violation"`
	Reasons   []reasonReport   `json:"reasons"`
	Unable    *string          `json:"unable"` // why there are no reasons, null if there are
	Outcome   string           `json:"outcome"`
	Failed    *string          `json:"failed"` // how a handler panicked
	Records   int              `json:"records"`
	View      string           `json:"view"`
	Steps     []causeReport    `json:"steps"`
}

type violationReport struct {
	Check    string  `json:"check"`
	At       *string `json:"at"` // the step that broke the check; null if no single step did
	AtNS     *int64  `json:"at_ns"`
	Sentence string  `json:"sentence"`
}

type reasonReport struct {
	Changes []string `json:"changes"`
	Effect  string   `json:"effect"`
	Command string   `json:"command"`
	Whole   bool     `json:"whole"` // the command shows the saved run to its end, not only up to the violation
}

// causeReport is a record with its number and the numbers of those that it follows from.
type causeReport struct {
	Record int   `json:"record"`
	After  []int `json:"after"`
	Target bool  `json:"target"`
	Absent bool  `json:"absent"`
	export.Event
}

// JSON implements View.
func (v Why) JSON() any {
	h := v.Real
	r := whyReport{
		What: h.What, Reasons: []reasonReport{}, Outcome: string(h.Result.Outcome), Failed: errorText(h.Result.Failed),
		Records: len(h.Events), View: v.Page, Steps: []causeReport{},
	}
	if v.Violation != nil {
		r.Violation = newViolationReport(h, v.Violation)
	}
	if v.Unable != "" {
		r.Unable = &v.Unable
	}
	for i, one := range v.Reasons {
		r.Reasons = append(r.Reasons, reasonReport{one.Texts(), one.Effect.String(), v.command(i), one.Whole || one.Again == nil})
	}
	for i, wanted := range h.Slice() {
		if e := &h.Events[i]; wanted {
			r.Steps = append(r.Steps, causeReport{e.Order, orEmpty(e.After), slices.Contains(h.Targets, e.Order), e.Absent, export.NewEvent(e.Record, e.News)})
		}
	}
	return r
}

// newViolationReport is the violation of a run as JSON.
func newViolationReport(h *history.History, v *reason.Violation) *violationReport {
	r := &violationReport{Check: v.Check, Sentence: v.Detail}
	if k := v.Event; k > 0 {
		at := strings.TrimSpace(h.Events[k-1].When())
		r.At = &at
	}
	if at := int64(v.At); v.Event > 0 && !h.Result.Instance.Timeless() {
		r.AtNS = &at
	}
	return r
}

// command is the command that shows the run that reason i saves.
func (v Why) command(i int) string {
	if r := v.Reasons[i]; r.Again != nil {
		return CommandLine(v.Program, r.Again)
	}
	return v.Again + " --instead " + strconv.Itoa(i+1)
}

// note says how the command of reason i differs from the saved run, or why it is no plan. It is
// empty if the command is a plan that shows the saved run to its end.
func (v Why) note(i int) string {
	switch r := v.Reasons[i]; {
	case v.Steps > 0 || r.Whole:
		return ""
	case r.Again != nil:
		return fmt.Sprintf("This command shows the saved run up to the violation, and has the same effect on %s. Later, links draw anew for messages that the real run lacks.", v.Violation.Check)
	}
	return "--instead keeps what links did to the other messages; a plan alone gives another run."
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
	lines := []string{v.Real.What}
	if v.Violation != nil {
		lines = []string{v.Real.What, v.Unable + ":"}
	}
	for _, line := range lines {
		fmt.Fprintln(w, line)
	}
	if v.Violation == nil {
		fmt.Fprintln(w, "this is what it follows from:")
	}
	fmt.Fprintln(w)
	return v.Real.WritePast(w)
}

// writeReasons prints the reasons, the best in full, with how the run that it saves differs.
func (v Why) writeReasons(w io.Writer) error {
	t := whyText{Explanation: v.Explanation, best: v.Reasons[0]}
	fmt.Fprintln(w, v.Real.What)
	for i, line := range t.lines() {
		indent := "  "
		if i == 0 {
			indent = ""
		}
		fmt.Fprintln(w, indent+line)
	}
	fmt.Fprintln(w)
	writeChain(w, t.best.Chain)
	for _, line := range t.others() {
		fmt.Fprintln(w, line)
	}
	tried := counts.Several(len(v.Elements), "element")
	if v.Steps > 0 {
		tried = counts.Several(v.Steps, "step")
	}
	fmt.Fprintf(w, "[%s, %s]\n", tried, counts.Several(v.Runs, "run"))
	fmt.Fprintln(w)
	if note := v.note(0); note != "" {
		fmt.Fprintln(w, note)
	}
	_, err := fmt.Fprintf(w, "saved: %s\n", Command(v.command(0)))
	return err
}

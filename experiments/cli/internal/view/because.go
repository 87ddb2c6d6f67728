package view

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"bullring/experiments/show/history"
	"bullring/experiments/show/reason"
	"bullring/internal/counts"
)

// Because is why a check of a run does not hold, in the form of all commands that show such a run:
// the violation, the reason, and the command that shows the saved run.
type Because struct {
	*reason.Explanation
	Program string
	Again   string // the command that explains the run; "" if that takes a file and there is none
}

// becauseReport is a Because as JSON.
type becauseReport struct {
	Violation *violationReport   `json:"violation"`
	Reasons   list[reasonReport] `json:"reasons"`
	Unable    *string            `json:"unable"`   // why there are no reasons, null if there are
	Complete  bool               `json:"complete"` // the search for reasons
}

type violationReport struct {
	Check    string  `json:"check"`
	At       *string `json:"at"` // the step that broke the check; null if no single step did, or if no reason was looked for
	AtNS     *int64  `json:"at_ns"`
	Sentence string  `json:"sentence"`
}

type reasonReport struct {
	Changes list[string]        `json:"changes"`
	Effect  word[reason.Effect] `json:"effect"`
	Command *string             `json:"command"` // null if it takes a file and there is none
	Whole   bool                `json:"whole"`   // the command shows the saved run to its end, not only up to the violation
}

// report returns the JSON of an explanation, null if there is none.
func (b *Because) report() *becauseReport {
	if b == nil {
		return nil
	}
	r := &becauseReport{Unable: orNull(b.Unable), Complete: !b.Spent && b.Real != nil}
	if b.Violation != nil {
		r.Violation = newViolationReport(b.Real, b.Violation)
	}
	for i, one := range b.Reasons {
		r.Reasons = append(r.Reasons, reasonReport{one.Texts(), wordOf(one.Effect), orNull(b.command(i)), one.Whole || one.Again == nil})
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

// command is the command that shows the run that reason i saves, "" if it takes a file and there
// is none.
func (b *Because) command(i int) string {
	switch r := b.Reasons[i]; {
	case r.Again != nil:
		return CommandLine(b.Program, r.Again)
	case b.Again == "":
		return ""
	}
	return b.Again + " --instead " + strconv.Itoa(i+1)
}

// note says how the command of reason i differs from the saved run, or why it is no plan. It is
// empty if the command is a plan that shows the saved run to its end.
func (b *Because) note(i int) string {
	switch r := b.Reasons[i]; {
	case b.Steps > 0 || r.Whole:
		return ""
	case r.Again != nil:
		return fmt.Sprintf("This command shows the saved run up to the violation, and has the same effect on %s. Later, links draw anew for messages that the real run lacks.", b.Violation.Check)
	case b.Spent: // no run with the plan was left
		return "--instead keeps what links did to the other messages."
	}
	return "--instead keeps what links did to the other messages; a plan alone gives another run."
}

// writeBelow prints an explanation as a paragraph below others. It prints nothing if there is none.
func (b *Because) writeBelow(w io.Writer) error {
	if b == nil {
		return nil
	}
	fmt.Fprintln(w)
	return b.write(w)
}

// write prints the violation, its reason, and the commands that say more.
func (b *Because) write(w io.Writer) error {
	b.writeReason(w)
	if b.Spent {
		fmt.Fprintf(w, "The search ended after %s runs; why makes more.\n", counts.Grouped(b.Runs))
	}
	if err := b.writeSaved(w); err != nil || b.Again == "" {
		return err
	}
	_, err := fmt.Fprintf(w, "why: %s\n", Command(b.Again))
	return err
}

// writeReason prints the violation and the best reason.
func (b *Because) writeReason(w io.Writer) {
	fmt.Fprintln(w, b.Violation)
	if len(b.Reasons) == 0 {
		fmt.Fprintf(w, "No reason is known here: %s.\n", b.Unable)
		return
	}
	for i, line := range b.words().lines() {
		if i > 0 {
			line = "  " + line
		}
		fmt.Fprintln(w, line)
	}
}

// Sentences say why a check does not hold, or why that is not known. The first is the best reason.
func Sentences(e *reason.Explanation) []string {
	b := Because{Explanation: e}
	switch {
	case len(b.Reasons) > 0 && e.Spent:
		return append(b.words().lines(), fmt.Sprintf("The search ended after %s runs; why makes more.", counts.Grouped(e.Runs)))
	case len(b.Reasons) > 0:
		return b.words().lines()
	}
	return []string{fmt.Sprintf("No reason is known here: %s. This is what the violation follows from.", b.Unable)}
}

// words are the sentences about the reasons.
func (b *Because) words() whyText { return whyText{Explanation: b.Explanation, best: b.Reasons[0]} }

// writeSaved prints the command that shows the saved run, if there is one.
func (b *Because) writeSaved(w io.Writer) error {
	if len(b.Reasons) == 0 {
		return nil
	}
	saved := Command(b.command(0))
	if saved == "" {
		saved = b.Program + " why FILE --instead 1; --out FILE writes the run"
	}
	_, err := fmt.Fprintf(w, "saved: %s\n", saved)
	return err
}

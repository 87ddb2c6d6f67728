package view

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"bullring/experiments/campaign/judge"
	"bullring/experiments/trial"
	"bullring/internal/counts"
	"bullring/netem/explore"
	"bullring/protocols"
	"bullring/protocols/election"
)

// Judgement is a verdict on a program or an algorithm.
type Judgement struct {
	Program string
	File    string          // with the smallest run that fails, "" for none
	Of      *trial.Instance // that run; nil without one
	Trace   string          // its events, "" if the run could not be made again
	*judge.Report
}

// judgementReport is a Judgement as JSON.
type judgementReport struct {
	Verdict   judge.Verdict       `json:"verdict"`
	Sentences list[string]        `json:"sentences"`
	Tried     list[attemptReport] `json:"tried"`
	Failure   *failureReport      `json:"failure"`
	Spent     time.Duration       `json:"spent_ns"`
}

// attemptReport is a judge.Attempt as JSON.
type attemptReport struct {
	Stage     judge.Stage   `json:"stage"`
	Command   *string       `json:"command"` // null of what was not tried
	Variant   string        `json:"variant"` // empty for the usual one
	N         *int          `json:"n"`       // null of random settings
	Faults    *string       `json:"faults"`  // null but for explorations
	States    uint64        `json:"states"`
	Runs      uint64        `json:"runs"`
	Questions uint64        `json:"questions"` // to a program; again were asked again
	Again     uint64        `json:"again"`
	Result    judge.Result  `json:"result"`
	Why       *string       `json:"why"` // null if it came to its end
	Spent     time.Duration `json:"spent_ns"`
}

// failureReport is a judge.Failure as JSON.
type failureReport struct {
	Check       string                  `json:"check"`
	Detail      string                  `json:"detail"`
	N           *int                    `json:"n"` // null if no run shows it
	IDs         list[election.Identity] `json:"ids"`
	Initiators  list[protocols.ID]      `json:"initiators"`
	Cycle       int                     `json:"cycle"`       // number of steps at the end that repeat for ever
	Explanation *becauseReport          `json:"explanation"` // null if there is none
	Again       string                  `json:"again"`       // the command that shows it once more
	Why         *string                 `json:"why"`         // this and the next are null if that takes a file and there is none
	View        *string                 `json:"view"`
	File        *string                 `json:"file"`
	Schedule    trial.Schedule          `json:"schedule"` // the steps of the run in the form of a case
}

// JSON implements View.
func (v Judgement) JSON() any {
	r := judgementReport{Verdict: v.Verdict, Sentences: v.Sentences(), Spent: v.Spent}
	for i := range v.Tried {
		r.Tried = append(r.Tried, v.attempt(&v.Tried[i]))
	}
	if v.Failure == nil {
		return r
	}
	f := &failureReport{
		Check: v.Failure.Check, Detail: v.Failure.Detail, Cycle: v.Failure.Cycle, Explanation: v.because().report(),
		Again: v.again(), Why: orNull(v.command("why")), View: orNull(v.command("view")), File: orNull(v.File),
	}
	if v.Of != nil {
		f.N, f.IDs, f.Initiators, f.Schedule = &v.Of.N, identitiesOf(v.Of), v.Of.Initiators.List(), v.Of.Setting.Schedule
	}
	r.Failure = f
	return r
}

func (v Judgement) attempt(a *judge.Attempt) attemptReport {
	r := attemptReport{
		Stage: a.Stage, Command: orNull(v.repetition(a)), Variant: a.Variant, Faults: orNull(a.Faults), States: a.States, Runs: a.Runs,
		Questions: a.Questions, Again: a.Again, Result: a.Result, Why: orNull(a.Why), Spent: a.Spent,
	}
	if a.N > 0 {
		r.N = &a.N
	}
	return r
}

// repetition is the command that does the same as an attempt, "" if it was not made.
func (v Judgement) repetition(a *judge.Attempt) string {
	if a.Command == nil {
		return ""
	}
	words := []string{v.Program}
	for _, w := range a.Command {
		words = append(words, Quoted(w))
	}
	return strings.Join(words, " ")
}

// again is the command that shows the failure once more: that of the run or, if it takes a file and there is none, that
// which finds it.
func (v Judgement) again() string {
	switch {
	case v.File != "":
		return v.command("replay")
	case v.command("run") != "":
		return v.command("run")
	}
	i := slices.IndexFunc(v.Tried, func(a judge.Attempt) bool { return a.Result == judge.Violated })
	return v.repetition(&v.Tried[i])
}

// command is a command about the smallest run that fails, "" if there is none, or if it takes a file and there is
// none.
func (v Judgement) command(name string) string {
	switch {
	case v.Of == nil:
		return ""
	case v.File != "":
		return fileLine(v.Program, name, v.File, v.Of)
	case v.Of.Setting.Schedule != "":
		return ""
	}
	return commandLine(v.Program, name, v.Of)
}

// because is the explanation of the smallest run that fails, nil if there is none.
func (v Judgement) because() *Because {
	e := v.Failure.Explanation
	if e == nil || e.Violation == nil {
		return nil
	}
	return &Because{Explanation: e, Program: v.Program, Again: v.command("why")}
}

// Text implements View.
func (v Judgement) Text(w io.Writer) error {
	for i, line := range v.Sentences() {
		if word, rest, marked := strings.Cut(line, ":"); i == 0 && marked && v.Verdict == judge.Refuted {
			line = bad(word+":") + rest
		}
		fmt.Fprintln(w, line)
	}
	fmt.Fprintln(w)
	v.writeTried(w)
	if v.Failure == nil {
		return nil
	}
	return v.writeFailure(w)
}

// writeTried prints what was tried.
func (v Judgement) writeTried(w io.Writer) {
	t := newTable(w)
	t.row("STAGE", "N", "FAULTS", "TRIED", "SECONDS", "RESULT")
	for i := range v.Tried {
		a := &v.Tried[i]
		stage, n, seconds := string(a.Stage), "", ""
		if a.Variant != "" {
			stage += " " + a.Variant
		}
		if a.N > 0 {
			n = strconv.Itoa(a.N)
		}
		if a.Command != nil {
			seconds = strconv.FormatFloat(a.Spent.Seconds(), 'f', 2, 64)
		}
		result := string(a.Result)
		if a.Result == judge.Violated {
			result = bad(result)
		}
		if a.Why != "" {
			result += ": " + a.Why
		}
		t.row(stage, n, a.Faults, tried(a), seconds, result)
	}
}

// tried says how much an attempt has looked at.
func tried(a *judge.Attempt) string {
	switch {
	case a.Command == nil:
		return ""
	case a.Stage == judge.Explore:
		return counts.Several(int(a.States), "state")
	case a.Stage == judge.Conduct:
		return counts.Several(int(a.Runs), "trial")
	}
	return counts.Several(int(a.Runs), "run")
}

// mostShown is the largest number of lines of the smallest run that are printed.
const mostShown = 60

// writeFailure prints the smallest run that fails, its reason, and the commands that show it.
func (v Judgement) writeFailure(w io.Writer) error {
	if v.Of != nil {
		fmt.Fprintf(w, "\nThe smallest run that was found:\n")
		writeHead(w, v.Of)
		fmt.Fprintln(w)
		lines := strings.SplitAfter(v.Trace, "\n")
		for _, line := range lines[:min(len(lines), mostShown)] {
			io.WriteString(w, line)
		}
		if more := len(lines) - mostShown; more > 1 {
			fmt.Fprintf(w, "... and %s more\n", counts.Several(more-1, "line"))
		}
		if b := v.because(); b != nil {
			if err := b.writeBelow(w); err != nil {
				return err
			}
		} else {
			fmt.Fprintf(w, "\n%s: %s\n", v.Failure.Check, v.Failure.Detail)
		}
	}
	fmt.Fprintf(w, "again: %s\n", Command(v.again()))
	if v.Of != nil && v.command("view") == "" {
		fmt.Fprintln(w, "--out FILE writes the run into a file, which replay, why and view take.")
	}
	return writePageLine(w, v.command("view"))
}

// JudgeProgress is how far a judgement is, in a line.
func JudgeProgress(a judge.Attempt, elapsed time.Duration) string {
	if a.Stage == judge.Explore && a.States > 0 {
		return a.Where() + ": " + SearchProgress(explore.Progress{States: a.States}, elapsed)
	}
	text := fmt.Sprintf("%s, %v", a.Where(), elapsed.Round(time.Second))
	if a.Runs > 0 {
		text += ": " + counts.Several(int(a.Runs), "run")
	}
	return text
}

package view

import (
	"fmt"
	"io"
	"strings"

	"bullring/experiments/campaign/spec"
	"bullring/experiments/real/foreign"
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
	"bullring/internal/counts"
	"bullring/netem"
	"bullring/protocols/detector"
)

// Run is the result of a trial.
type Run struct {
	Program string // its name, for the command that repeats the run
	Result  *trial.Result
	Page    string              // the command that shows the run as a page, "" for none
	Like    *foreign.Comparison // of a program with an algorithm, nil if it was not compared
}

// JSON implements View.
func (v Run) JSON() any {
	r := newReport(v.Result)
	r.Like = newLikeReport(v.Like)
	return r
}

// Text implements View.
func (v Run) Text(w io.Writer) error {
	r, in := v.Result, v.Result.Instance
	writeHead(w, in)
	if in.Algorithm.Remark != nil {
		if remark := in.Algorithm.Remark(in); remark != "" {
			fmt.Fprintf(w, "note: %s\n", remark)
		}
	}
	fmt.Fprintln(w)
	t := newTable(w)
	writeMeasured(t, r)
	if len(r.Checks) > 0 {
		fmt.Fprintln(w)
		writeChecks(t, r)
	}
	if len(r.Bounds) > 0 {
		fmt.Fprintln(w)
		writeBounds(t, r)
	}
	if v.Like != nil {
		fmt.Fprintln(w)
		writeLike(w, v.Like)
	}
	if in.Setting.Schedule == "" { // else it is in a file, which the caller knows
		fmt.Fprintf(w, "\nagain: %s\n", Command(CommandLine(v.Program, in)))
	} else if v.Page != "" {
		fmt.Fprintln(w)
	}
	return writePageLine(w, v.Page)
}

// writePageLine prints the command that shows a run as a page, if there is one.
func writePageLine(w io.Writer, line string) error {
	if line == "" {
		return nil
	}
	_, err := fmt.Fprintf(w, "view: %s\n", Command(line))
	return err
}

// Shrunk is the smallest failing run that was found.
type Shrunk struct {
	Program string
	File    string // that the run is written to, "" for none
	Found   *search.Shrunk
	Because *Because // nil if there is none
}

// page is the command that shows the run as a page, "" if no command does.
func (v Shrunk) page() string { return v.command("view") }

// Why is the command that explains the run, "" if no command does.
func (v Shrunk) Why() string { return v.command("why") }

// command is the command of that name for the run. There is none if a schedule would have to stand
// in a file that nobody has written.
func (v Shrunk) command(name string) string {
	switch {
	case v.File == "" && v.Found.Setting.Schedule != "":
		return ""
	case v.File == "":
		return commandLine(v.Program, name, v.Found.Result.Instance)
	}
	return fileLine(v.Program, name, v.File, v.Found.Result.Instance)
}

// shrunkReport is a Shrunk as JSON.
type shrunkReport struct {
	Shows       string         `json:"shows"`
	Runs        int            `json:"runs"` // that were tried
	File        *string        `json:"file"`
	View        *string        `json:"view"`
	Explanation *becauseReport `json:"explanation"` // null if there is none
	Run         runReport      `json:"run"`
}

// JSON implements View.
func (v Shrunk) JSON() any {
	return shrunkReport{string(v.Found.Failure), v.Found.Runs, orNull(v.File), orNull(v.page()), v.Because.report(), newReport(v.Found.Result)}
}

// Text implements View.
func (v Shrunk) Text(w io.Writer) error {
	fmt.Fprintf(w, "the smallest run found that shows %q, after %s runs:\n\n", v.Found.Failure, counts.Grouped(v.Found.Runs))
	run := Run{Program: v.Program, Result: v.Found.Result}
	if v.File == "" { // else the file is written first: see Written
		run.Page = v.page()
	}
	if err := run.Text(w); err != nil {
		return err
	}
	v.writeSteps(w)
	return v.Because.writeBelow(w)
}

// mostSteps is the largest number of steps of a schedule that are printed.
const mostSteps = 20

// writeSteps prints the steps of a short schedule.
func (v Shrunk) writeSteps(w io.Writer) {
	lines := v.Found.Setting.Schedule.Lines()
	if len(lines) == 0 || len(lines) > mostSteps {
		return
	}
	fmt.Fprintf(w, "\n%s:\n", lines[0])
	for _, step := range lines[1:] {
		fmt.Fprintln(w, "  "+step)
	}
}

// Written prints where the run is.
func (v Shrunk) Written(w io.Writer) error {
	fmt.Fprintf(w, "written to %s\n", v.File)
	return writePageLine(w, v.page())
}

// Replayed is a recorded run that has run again.
type Replayed struct {
	Run
	Record string // the name of the record
	// Difference is the first difference from the record, nil if there is none.
	Difference error
	Rare       spec.Rare // what the trial estimates besides
}

// replayedReport is a Replayed as JSON.
type replayedReport struct {
	Run        runReport `json:"run"`
	Same       bool      `json:"same"`
	Difference *string   `json:"difference"`
	View       string    `json:"view"`
	Rare       *string   `json:"rare"` // the command of the estimate in the row; null if it has none
}

// JSON implements View.
func (v Replayed) JSON() any {
	return replayedReport{newReport(v.Result), v.Difference == nil, errorText(v.Difference), v.Page, orNull(v.rareLine())}
}

// rareLine is the command that repeats the estimate of the record; "" if it has none.
func (v Replayed) rareLine() string {
	if !v.Rare.Asked() {
		return ""
	}
	return RareLine(v.Program, v.Result.Instance, v.Rare)
}

// Text implements View.
func (v Replayed) Text(w io.Writer) error {
	if err := v.Run.Text(w); err != nil {
		return err
	}
	if line := v.rareLine(); line != "" {
		fmt.Fprintf(w, "estimate: %s\n", Command(line))
	}
	if v.Difference != nil {
		return nil
	}
	_, err := fmt.Fprintf(w, "The run agrees with %s.\n", v.Record)
	return err
}

func writeMeasured(t table, r *trial.Result) {
	in, c := r.Instance, &r.Counters
	t.row("outcome", outcomeText(r))
	if drawn := in.Drawn.String(); drawn != in.Setting.Fault {
		t.row("drawn faults", drawn)
	}
	if drawn := trial.LinksText(in.DrawnLines); drawn != in.Setting.Link {
		t.row("drawn links", drawn)
	}
	writeMessages(t, r)
	t.row("bits", counts.Grouped(c.Bits))
	if joules, aired := r.Energy(); aired {
		t.row("bits heard", counts.Grouped(c.BitsHeard))
		if joules > 0 {
			t.rowf("energy", "%.4g J", joules)
		}
	}
	t.row("causal depth", counts.Grouped(c.CausalDepth))
	if rounds, ok := r.Rounds(); ok {
		t.row("rounds", counts.Grouped(rounds))
	}
	unit := string(timeUnit(in))
	if delay, ok := in.Unit(); ok {
		unit = "delays of " + delay.String()
	}
	t.rowf("time", "%s %s%s", decimal(in.Units(r.Time)), unit, otherTimes(r))
	for _, m := range measuredOf(r, in.Algorithm.OwnMetrics()) {
		t.row(strings.ReplaceAll(m.name, "_", " "), decimal(float64(m.value)))
	}
	if title, moments := momentsOf(r); moments != nil {
		t.row(title, byCommas(firstMoments(moments)))
	}
	if q := r.Detection; q != nil {
		t.row("detection", detectionText(q))
	}
	t.rowf("fingerprint", "%s (epoch %d)", fingerprint(r), netem.Epoch)
}

// LoopText tells where a run begins to repeat.
func LoopText(l netem.Loop) string {
	return fmt.Sprintf("from event %s on the same %s again every %v, for ever", counts.Grouped(l.After+1), counts.Several(int(l.Events), "event"), l.Period)
}

// outcomeText is the outcome of a run, with the leader, or with why there is no outcome.
func outcomeText(r *trial.Result) string {
	text := string(r.Outcome)
	if leader, ok := r.Leader(); ok {
		text += fmt.Sprintf(": identity %d at address %d", leader, r.Instance.Ranks.Address(leader))
	}
	if r.Outcome == trial.Unfinished {
		text += ": " + r.End.String()
		if r.End == netem.Repeating {
			text += ": " + LoopText(r.Loop)
		}
		if r.Failed != nil {
			text += ": " + r.Failed.Error()
		}
	}
	if err := r.Late(); err != nil {
		text += ": " + err.Error()
	}
	return text
}

// writeMessages tells how many messages a run sent, and what became of them.
func writeMessages(t table, r *trial.Result) {
	in, c := r.Instance, &r.Counters
	var own, overhead []string
	for kind, name := range r.Kinds {
		text := name + " " + counts.Grouped(c.Sent[kind])
		if r.Apart[kind] {
			overhead = append(overhead, text)
		} else {
			own = append(own, text)
		}
	}
	t.rowf("messages", "%s (%s)", counts.Grouped(c.Messages()-r.Overhead), byCommas(strings.Join(own, ", ")))
	if r.Lied.Sent != nil {
		t.rowf("of liars", "%s, counted apart", counts.Several(int(r.Lied.Messages()), "message"))
	}
	if overhead != nil {
		t.rowf("overhead", "%s (%s)", counts.Grouped(r.Overhead), byCommas(strings.Join(overhead, ", ")))
	}
	t.row("delivered", counts.Grouped(c.Delivered-c.Service))
	if c.ToDead > 0 || len(in.Dead) > 0 || len(in.Plan) > 0 {
		t.row("to the dead", counts.Grouped(c.ToDead))
	}
	for _, k := range []struct {
		what  string
		count uint64
	}{
		{"lost by links", c.Lost}, {"lost by faults", c.Cut}, {"damaged", c.Corrupted}, {"altered", c.Altered},
		{"duplicated", c.Duplicated}, {"reordered", c.Reordered}, {"fanned out", c.Fanned}, {"unheard", c.Unheard},
		{"collided", c.Collided},
	} {
		if k.count > 0 {
			t.row(k.what, counts.Grouped(k.count))
		}
	}
}

// otherTimes are the times that stand beside the time of the run.
func otherTimes(r *trial.Result) string {
	var words []string
	for _, m := range r.Instance.Algorithm.Metrics {
		switch v, ok := r.Metric(m.Name); {
		case m.Aside == "":
		case ok:
			words = append(words, m.Aside+" at "+decimal(v))
		default:
			words = append(words, m.Aside+" never")
		}
	}
	if words == nil {
		return ""
	}
	return " (" + strings.Join(words, ", ") + ")"
}

// firstMoments lists the first moments.
func firstMoments(moments []momentReport) string {
	const few = 8
	var words []string
	for _, m := range moments[:min(few, len(moments))] {
		words = append(words, fmt.Sprintf("%d at %s", m.Address, decimal(m.Time)))
	}
	if len(moments) > few {
		words = append(words, "...")
	}
	return strings.Join(words, ", ")
}

// detectionText is the quality of a failure detector.
func detectionText(q *detector.Quality) string {
	text := fmt.Sprintf("%d crashes suspected", q.Detected)
	if q.Detected > 0 {
		text += fmt.Sprintf(" after %v, at most %v", q.DetectionMean, q.DetectionMax)
	}
	if q.Undetected > 0 {
		text += fmt.Sprintf(", %d not", q.Undetected)
	}
	text += fmt.Sprintf("; %d mistakes", q.Mistakes)
	if q.Mistakes > 0 {
		text += fmt.Sprintf(" of %v, %s a pair and second", q.MistakeMean, decimal(q.MistakeRate))
	}
	return text
}

func writeChecks(t table, r *trial.Result) {
	t.row("CHECK", "VERDICT", "PROPERTY")
	for _, c := range r.Checks {
		t.row(c.Name, verdictText(c.Verdict), c.Detail)
	}
}

func writeBounds(t table, r *trial.Result) {
	t.row("BOUND", "MEASURED", "", "THEORY", "RATIO", "FORMULA")
	for _, b := range r.Bounds {
		formula := b.Reads()
		if b.Broken {
			formula = "BROKEN: " + formula
		}
		t.row(b.Name, fixed(b.Metric+" "+decimal(b.Measured)), b.Relation.String(), decimal(b.Value), decimal(b.Ratio), formula)
	}
}

package view

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"bullring/experiments/campaign/rare"
	"bullring/experiments/trial"
	"bullring/internal/counts"
)

// Rare is the probability of a rare event.
type Rare struct {
	Program  string
	Instance *trial.Instance // of one seed
	*rare.Report
}

// rareReport is a Rare as JSON.
type rareReport struct {
	Algorithm     string         `json:"algorithm"`
	Seed          uint64         `json:"seed"`
	Level         string         `json:"level"`
	Reach         *int64         `json:"reach"` // nanoseconds if the level is time
	Check         *string        `json:"check"`
	Method        string         `json:"method"`
	Effort        int            `json:"effort"`   // runs a level; under restart those that begin
	Estimate      number         `json:"estimate"` // null without repetitions
	Interval      *rareInterval  `json:"interval"` // 95 %; null if it is not known
	RelativeError number         `json:"relative_error"`
	PlainRuns     number         `json:"plain_runs"` // with the same relative error
	Runs          uint64         `json:"runs"`
	Events        uint64         `json:"events"`
	Limited       uint64         `json:"limited"` // runs that ended at a limit
	Repetitions   list[float64]  `json:"repetitions"`
	Stages        list[rareStep] `json:"stages"` // the levels, and the event
	Doubts        list[string]   `json:"doubts"`
	Again         *string        `json:"again"` // a run in which the event happens
	View          *string        `json:"view"`
	Fingerprint   *hash          `json:"fingerprint"` // of that run
}

// rareInterval is an interval of probabilities.
type rareInterval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// rareStep is a rare.Stage as JSON.
type rareStep struct {
	Name      string  `json:"name"`
	Level     *int64  `json:"level"` // null for a check
	Reached   float64 `json:"reached"`
	Of        float64 `json:"of_those_before"`
	Survivors float64 `json:"survivors"`
	Parts     *int64  `json:"parts"` // into which each is split; null for the event, and unless under restart
}

// JSON implements View.
func (v Rare) JSON() any {
	s, q := v.Summary(), v.Question
	r := rareReport{
		Algorithm: v.Instance.Algorithm.Name, Seed: q.Setting.Seed, Level: string(q.Level), Reach: unlessZero(q.Reach), Check: orNull(q.Check),
		Method: string(q.Method), Effort: q.Effort, Estimate: orUnknown(s.Mean, s.N > 0), RelativeError: orUnknown(v.RelativeError()), PlainRuns: orUnknown(v.PlainRuns()),
		Runs: v.Cost.Runs, Events: v.Cost.Events, Limited: v.Cost.Limited, Doubts: v.Doubts(),
	}
	if v.HasInterval() {
		r.Interval = &rareInterval{s.Lo, s.Hi}
	}
	for _, one := range v.Repetitions {
		r.Repetitions = append(r.Repetitions, one.Estimate)
	}
	for _, stage := range v.Stages() {
		r.Stages = append(r.Stages, rareStep{v.Name(stage), unlessZero(stage.Level), stage.Reached, stage.Of, stage.Survivors, unlessZero(int64(stage.Parts))})
	}
	if found := v.Example; found != nil {
		print := fingerprint(found)
		r.Again, r.View, r.Fingerprint = orNull(CommandLine(v.Program, found.Instance)), orNull(PageLine(v.Program, found.Instance)), &print
	}
	return r
}

// Text implements View.
func (v Rare) Text(w io.Writer) error {
	writeHead(w, v.Instance)
	s, q := v.Summary(), v.Question
	event := v.Name(rare.Stage{Level: q.Reach})
	if s.N == 0 {
		_, err := fmt.Fprintf(w, "\nNOTHING KNOWN of %s: no repetition was completed\n", event)
		return err
	}
	fmt.Fprintf(w, "\nP(%s) = %s", event, scientific(s.Mean))
	if v.HasInterval() {
		fmt.Fprintf(w, ", 95 %% interval %s to %s", scientific(s.Lo), scientific(s.Hi))
	}
	fmt.Fprint(w, "\n\n")
	t := newTable(w)
	from := fmt.Sprintf("%s of %s a level", counts.Several(s.N, "repetition"), counts.Several(q.Effort, "run"))
	if q.Method == rare.Restart {
		from = fmt.Sprintf("%s that begin with %s", counts.Several(s.N, "repetition"), counts.Several(q.Effort, "run"))
	}
	if share, ok := v.RelativeError(); ok {
		t.rowf("error", "%.1f %% of it, from %s", 100*share, from)
	} else {
		t.row("from", from)
	}
	t.rowf("cost", "%s, %s", counts.Several(int(v.Cost.Runs), "run"), counts.Several(int(v.Cost.Events), "event"))
	if plain, ok := v.PlainRuns(); ok {
		t.rowf("plain runs", "%s for the same error", strconv.FormatFloat(plain, 'g', 2, 64))
	}
	for _, doubt := range v.Doubts() {
		t.row("DOUBT", doubt)
	}
	fmt.Fprintln(w)
	t = newTable(w)
	head := []string{"LEVEL", "PROBABILITY", "OF THOSE BEFORE"}
	if v.Factors != nil {
		head = append(head, "PARTS")
	}
	t.row(head...)
	for _, stage := range v.Stages() {
		row := []string{v.Name(stage), scientific(stage.Reached), fmt.Sprintf("%.3f", stage.Of)}
		if stage.Parts > 0 {
			row = append(row, strconv.Itoa(stage.Parts))
		}
		t.row(row...)
	}
	if v.Example == nil {
		return nil
	}
	fmt.Fprintf(w, "\na run with it: %s\n", Command(CommandLine(v.Program, v.Example.Instance)))
	return writePageLine(w, PageLine(v.Program, v.Example.Instance))
}

func scientific(p float64) string { return strconv.FormatFloat(p, 'g', 3, 64) }

// unlessZero is nil for 0, null in JSON.
func unlessZero(v int64) *int64 {
	if v == 0 {
		return nil
	}
	return &v
}

// orUnknown is a number that is null in JSON if it is not known.
func orUnknown(v float64, known bool) number {
	if !known {
		return number(math.NaN())
	}
	return number(v)
}

// RareProgress is how far an estimate is, in a line.
func RareProgress(r *rare.Report) string {
	return fmt.Sprintf("%d of %s, %s", len(r.Repetitions), counts.Several(r.Question.Repetitions, "repetition"), counts.Several(int(r.Cost.Runs), "run"))
}

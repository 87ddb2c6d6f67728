package view

import (
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"
	"time"

	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
	"bullring/internal/counts"
)

// Worst is the run of an algorithm that costs the most, among those looked at.
type Worst struct {
	Program string // its name, for the command that repeats the run
	File    string // that the run was written to, "" for none
	*search.Worst
}

// worstReport is a Worst as JSON.
type worstReport struct {
	Metric       string            `json:"metric"`
	Value        float64           `json:"value"`
	Over         list[string]      `json:"over"`
	Proven       bool              `json:"proven"`
	Cases        number            `json:"cases"`
	Drew         bool              `json:"drew"`   // random numbers that depend on the seed
	Seeded       *string           `json:"seeded"` // the part of the system that the seed decides
	UpToRotation bool              `json:"up_to_rotation"`
	Looked       int               `json:"looked"`
	States       uint64            `json:"states"`
	CutOff       *string           `json:"cut_off"`
	Timers       *string           `json:"timers"`
	Again        *string           `json:"again"`
	View         *string           `json:"view"`
	Bounds       list[boundReport] `json:"bounds"` // those of the metric that the run may not exceed
	Run          runReport         `json:"run"`
}

// JSON implements View.
func (v Worst) JSON() any {
	w := v.Worst
	cases, _ := new(big.Float).SetInt(w.Cases).Float64()
	r := worstReport{
		Metric: w.Hunt.Metric, Value: w.Value, Over: w.Hunt.Over, Proven: w.Proven,
		Drew: w.Drew, Seeded: orNull(w.Result.Instance.Seeded()), Cases: number(cases), UpToRotation: w.UpToRotation, Looked: w.Looked, States: w.States,
		Timers: orNull(w.Hunt.Timers), Again: orNull(v.repetition()), View: orNull(v.page()),
		Run: newReport(w.Result),
	}
	if w.CutOff != nil {
		r.CutOff = orNull(w.CutOff.Error())
	}
	for _, b := range r.Run.Bounds {
		if slices.ContainsFunc(w.Limits(), func(l trial.BoundResult) bool { return l.Name == b.Name }) {
			r.Bounds = append(r.Bounds, b)
		}
	}
	return r
}

// repetition is the command that repeats the run, "" if that takes a file and there is
// none.
func (v Worst) repetition() string {
	switch in := v.Result.Instance; {
	case in.Setting.Schedule == "":
		return CommandLine(v.Program, in)
	case v.File == "":
		return ""
	}
	return fileLine(v.Program, "replay", v.File, v.Result.Instance)
}

// page is the command that shows the run as a page, "" if that takes a file and there is
// none.
func (v Worst) page() string {
	switch in := v.Result.Instance; {
	case v.File != "":
		return fileLine(v.Program, "view", v.File, in)
	case in.Setting.Schedule != "":
		return ""
	default:
		return PageLine(v.Program, in)
	}
}

// Text implements View.
func (v Worst) Text(w io.Writer) error {
	in := v.Result.Instance
	writeHead(w, in)
	fmt.Fprintf(w, "\n%s\n\n", lookedAt(v.Worst))
	t := newTable(w)
	t.row(costName(v.Worst), decimal(v.Value))
	t.row("identities", commas(identitiesOf(in)))
	t.row("initiators", commas(in.Initiators.List()))
	for _, b := range v.Limits() {
		attained := ""
		if b.Relation == trial.AtMost && b.Ratio == 1 {
			attained = ", attained"
		}
		t.rowf("theory", "%s %s %s, ratio %s%s: %s", b.Name, b.Relation, decimal(b.Value), decimal(b.Ratio), attained, b.Formula)
	}
	again := Command(v.repetition())
	if again == "" {
		again = "--out FILE writes the run into a file, and " + fileLine(v.Program, "replay", "FILE", in) + " repeats it"
	}
	fmt.Fprintf(w, "\nagain: %s\n", again)
	return writePageLine(w, v.page())
}

// costName is the cost that was maximised, with its unit.
func costName(w *search.Worst) string {
	switch w.Hunt.Metric {
	case "depth":
		return "causal depth"
	case "time":
		return "time, in delays"
	}
	return w.Hunt.Metric
}

// lookedAt tells what was looked at, and what follows from it.
func lookedAt(w *search.Worst) string {
	scheduled, over := slices.Contains(w.Hunt.Over, search.OverSchedule), overWhat(w)
	looked := counts.Grouped(w.Looked)
	switch {
	case w.Proven && scheduled:
		return fmt.Sprintf("PROVEN%s: no run costs more, over %s, %s states, timers %s)", seeded(w), over, counts.Grouped(w.States), timersOf(w))
	case w.Proven:
		return fmt.Sprintf("PROVEN%s: no run in rounds costs more, over %s, each in one order of events)", seeded(w), over)
	case scheduled && w.CutOff != nil:
		return fmt.Sprintf("FOUND: none of %s runs with random delays costs more, over %s); not every schedule was looked at: %v", looked, over, w.CutOff) // each has a seed of its own
	case scheduled:
		return fmt.Sprintf("FOUND%s: none of %s cases costs more, over %s, timers %s)", seeded(w), looked, over, timersOf(w))
	case w.Drew:
		return fmt.Sprintf("FOUND for seed %d: none of %s runs in rounds costs more, over %s).\nRuns draw random numbers, and with those of another seed one may cost more. To prove what the most is:\n--over %s follows every draw; it proves nothing where runs can go on for ever.",
			w.Hunt.Setting.Seed, looked, over, strings.Join(append(slices.Clone(w.Hunt.Over), search.OverSchedule), ","))
	}
	return fmt.Sprintf("FOUND%s: none of %s runs in rounds costs more, over %s)", seeded(w), looked, over)
}

// timersOf tells how timers expire and, if delays have a bound, the step in which they vary.
func timersOf(w *search.Worst) string {
	if w.Hunt.Timers == trial.BoundedTimers {
		return fmt.Sprintf("%s, delays in steps of %v", w.Hunt.Timers, w.Result.Instance.Assumed/time.Duration(w.Hunt.Grain))
	}
	return w.Hunt.Timers
}

// seeded limits a verdict to the seed if the seed decides a part of the system.
func seeded(w *search.Worst) string {
	if what := w.Result.Instance.Seeded(); what != "" {
		return fmt.Sprintf(" for seed %d, which decides the %s", w.Hunt.Setting.Seed, what)
	}
	return ""
}

// overWhat tells what varies, and how many cases that makes. The caller closes its
// parenthesis.
func overWhat(w *search.Worst) string {
	in, over := w.Result.Instance, []string{}
	for _, what := range search.Variables {
		if !slices.Contains(w.Hunt.Over, what) {
			continue
		}
		switch {
		case what == search.OverIDs:
			over = append(over, fmt.Sprintf("every placement of 1..%d", in.N))
		case what == search.OverSchedule:
			over = append(over, "every schedule")
		case strings.HasPrefix(w.Hunt.Setting.Initiators, "random:"):
			over = append(over, "every set of "+counts.Several(in.Initiators.Len(), "initiator"))
		default:
			over = append(over, "every set of initiators")
		}
	}
	cases := caseCount(w.Cases) + " cases"
	if w.Cases.IsInt64() && w.Cases.Int64() == 1 {
		cases = "1 case"
	}
	if w.UpToRotation {
		cases += " up to rotation"
	}
	return strings.Join(over, " and ") + " (" + cases
}

// caseCount prints a number of cases of any size.
func caseCount(n *big.Int) string {
	if n.IsUint64() && n.Uint64() < 1e12 {
		return counts.Grouped(n.Uint64())
	}
	return new(big.Float).SetInt(n).Text('g', 3)
}

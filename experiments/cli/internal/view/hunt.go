package view

import (
	"fmt"
	"io"
	"strings"

	"bullring/experiments/campaign/hunt"
	"bullring/experiments/trial"
	"bullring/internal/counts"
)

// Hunt is what a hunt has found, and where it has looked.
type Hunt struct {
	Program      string
	Algorithm    *trial.Algorithm
	Seed         uint64
	OutsideModel bool
	Start        int      // cases that it began with
	Files        []string // of the failures, "" without one
	*hunt.Report
}

// huntReport is a Hunt as JSON.
type huntReport struct {
	Algorithm    string               `json:"algorithm"`
	Seed         uint64               `json:"seed"`
	OutsideModel bool                 `json:"outside_model"`
	Cases        int                  `json:"cases"` // that it began with
	Settings     uint64               `json:"settings"`
	Runs         uint64               `json:"runs"`
	Walks        uint64               `json:"walks"`   // runs that followed a schedule
	Limited      uint64               `json:"limited"` // runs that ended at a limit
	Late         uint64               `json:"late"`    // settings that programs did not run to the end in time
	Found        list[huntFound]      `json:"found"`
	Events       dict[string, uint64] `json:"events"` // runs by event
	Pairs        int                  `json:"pairs"`  // of events that followed each other at a process
	LastNew      uint64               `json:"last_new"`
	Faults       dict[string, uint64] `json:"faults"` // runs by kind of fault
}

// huntFound is a failure that a hunt has found.
type huntFound struct {
	Failure     string         `json:"failure"`
	Detail      string         `json:"detail"`
	Setting     uint64         `json:"setting"` // its number
	Runs        uint64         `json:"runs"`
	Needs       list[string]   `json:"needs"`
	Explanation *becauseReport `json:"explanation"` // of the smallest run; null if there is none
	Inside      bool           `json:"inside_model"`
	File        *string        `json:"file"`
	Command     *string        `json:"command"`
	Why         *string        `json:"why"`
	// Schedule has the steps of the smallest run in the form of a case, if it follows some.
	Schedule trial.Schedule `json:"schedule"`
}

// JSON implements View.
func (v Hunt) JSON() any {
	r := huntReport{
		Algorithm: v.Algorithm.Name, Seed: v.Seed, OutsideModel: v.OutsideModel, Cases: v.Start,
		Settings: v.Drawn, Runs: v.Runs, Walks: v.Walks, Limited: v.Limited, Late: v.Late,
		Events: v.Coverage.Events, Pairs: len(v.Coverage.Pairs), LastNew: v.Coverage.New, Faults: v.Coverage.Faults,
	}
	for i, f := range v.Found {
		r.Found = append(r.Found, huntFound{
			string(f.Failure), f.Detail, f.First, f.Times, f.Needs, v.because(i).report(), f.Inside, orNull(v.Files[i]), orNull(v.command(i, "run")), orNull(v.command(i, "why")),
			schedule(f),
		})
	}
	return r
}

// schedule is that of the smallest run of a failure, "" without one.
func schedule(f *hunt.Found) trial.Schedule {
	if f.Shrunk == nil {
		return ""
	}
	return f.Shrunk.Setting.Schedule
}

// command is a command about the smallest run of a failure, "" without such a run.
func (v Hunt) command(i int, name string) string {
	switch shrunk := v.Found[i].Shrunk; {
	case shrunk == nil:
		return ""
	case v.Files[i] != "" && name == "why":
		return v.Program + " why " + Quoted(v.Files[i])
	case shrunk.Setting.Schedule != "": // it stands in the file
		return ""
	default:
		return commandLine(v.Program, name, shrunk.Result.Instance)
	}
}

// Text implements View.
func (v Hunt) Text(w io.Writer) error {
	fmt.Fprintf(w, "%s: %s\n", v.Algorithm.Name, v.Algorithm.Title)
	fmt.Fprintf(w, "%s, seed %d; %s run\n", counts.Several(int(v.Drawn), "setting"), v.Seed, counts.Grouped(v.Runs))
	if v.Walks > 0 {
		fmt.Fprintf(w, "%s followed a schedule\n", counts.Several(int(v.Walks), "run"))
	}
	if passed := v.Drawn - v.Runs; passed > 0 {
		where := "outside of the model, or no settings"
		if v.OutsideModel {
			where = "no settings"
		}
		fmt.Fprintf(w, "passed over: %s, %s\n", counts.Grouped(passed), where)
	}
	if v.Start > 0 {
		fmt.Fprintf(w, "begun with %s\n", counts.Several(v.Start, "case"))
	}
	if v.Limited > 0 {
		fmt.Fprintf(w, "%s ended at a limit\n", counts.Several(int(v.Limited), "run"))
	}
	if v.Late > 0 {
		fmt.Fprintf(w, "late: in %s a program did not answer in time, or did not start\n", counts.Several(int(v.Late), "setting"))
	}
	fmt.Fprintf(w, "seen: %s of events at a process, the last new one in setting %s\n", counts.Several(len(v.Coverage.Pairs), "pair"), counts.Grouped(v.Coverage.New))
	v.writeCounts(w, "event", v.Coverage.Events)
	v.writeCounts(w, "fault", v.Coverage.Faults)
	if len(v.Found) == 0 {
		_, err := fmt.Fprintf(w, "\nNOTHING FOUND: none of %s violated a check, broke a bound or panicked\n", counts.Several(int(v.Runs), "run"))
		return err
	}
	for i := range v.Found {
		if err := v.writeFound(w, i); err != nil {
			return err
		}
	}
	return nil
}

// because is the explanation of the smallest run of a failure, nil if there is none.
func (v Hunt) because(i int) *Because {
	e := v.Found[i].Explanation
	if e == nil || e.Violation == nil {
		return nil
	}
	return &Because{Explanation: e, Program: v.Program, Again: v.command(i, "why")}
}

// writeCounts prints how many runs had each of some things.
func (v Hunt) writeCounts(w io.Writer, what string, runs map[string]uint64) {
	if len(runs) == 0 {
		return
	}
	fmt.Fprintln(w)
	t := newTable(w)
	t.row(strings.ToUpper(what), "RUNS")
	for _, name := range hunt.Often(runs) {
		t.row(name, counts.Grouped(runs[name]))
	}
}

// writeFound prints a failure.
func (v Hunt) writeFound(w io.Writer, i int) error {
	f := v.Found[i]
	where := "outside"
	if f.Inside {
		where = "inside"
	}
	fmt.Fprintf(w, "\n%s in setting %s, %s the model: %s: %s\n", bad("FOUND"), counts.Grouped(f.First), where, f.Failure, f.Detail)
	t := newTable(w)
	for _, line := range [][2]string{
		{"needs", byCommas(strings.Join(f.Needs, ", "))}, {"smallest", Command(v.command(i, "run"))}, {"case", v.Files[i]},
	} {
		if line[1] != "" {
			t.row(line[0], line[1])
		}
	}
	if lines := schedule(f).Lines(); len(lines) > 0 && len(lines) <= mostSteps {
		for k, line := range lines {
			t.row([]string{"steps", ""}[min(k, 1)], line)
		}
	} else if len(lines) > 0 && v.Files[i] == "" {
		t.rowf("steps", "%d; --cases DIR writes them to a file", len(lines)-1)
	}
	if f.Times > 1 {
		t.row("like it", counts.Several(int(f.Times-1), "run"))
	}
	return v.because(i).writeBelow(w)
}

// HuntProgress is how far a hunt is, in a line.
func HuntProgress(r *hunt.Report) string {
	return fmt.Sprintf("%s of %s run, %s found, %s of events", counts.Grouped(r.Runs), counts.Several(int(r.Drawn), "setting"), counts.Several(len(r.Found), "failure"), counts.Several(len(r.Coverage.Pairs), "pair"))
}

package view

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/verify"
	"bullring/internal/build"
	"bullring/internal/counts"
)

// Verification is the comparison of recorded trials with the same trials run again.
type Verification struct {
	Program string // its name, for the command that tells more
	Path    string // of the folder or figure
	*verify.Report
}

// verifyReport is a Report as JSON.
type verifyReport struct {
	Answer      verify.Answer           `json:"answer"`
	Identical   bool                    `json:"identical"`
	Figure      *string                 `json:"figure"`
	Beside      *string                 `json:"beside"`
	Made        *string                 `json:"made_by"` // the version, if it is not this one
	Trials      int                     `json:"trials"`
	Unkept      int                     `json:"in_digests_alone"`
	Again       int                     `json:"again"`
	NotRun      int                     `json:"not_run"`
	Unrun       *verify.Difference      `json:"first_not_run"`
	Differ      int                     `json:"differ"`
	Differences list[verify.Difference] `json:"differences"` // the first of them
	Files       list[string]            `json:"files"`
	Own         list[string]            `json:"with_entries_of_author"`
	Changed     list[string]            `json:"changed_by_author"`
	Damage      list[string]            `json:"damage"`
	Incomplete  *string                 `json:"incomplete"`
	Tables      list[string]            `json:"tables"`
	Documents   int                     `json:"documents"`
	Drawn       int                     `json:"drawn"`
	Unmade      list[string]            `json:"unmade"`
	Interrupted bool                    `json:"interrupted"`
}

// JSON implements View.
func (v Verification) JSON() any {
	return verifyReport{
		Answer: v.Answer(), Identical: v.Identical(), Figure: orNull(v.Figure), Beside: orNull(v.Beside), Made: orNull(v.Made),
		Trials: v.Trials, Unkept: v.Unkept, Again: v.Again, NotRun: v.NotRun, Unrun: v.Unrun, Differ: v.Differ, Differences: v.First,
		Files: v.Files, Own: v.Own, Changed: v.Changed, Damage: v.Damage, Incomplete: orNull(v.Partial), Tables: v.Tables,
		Documents: v.Documents, Drawn: v.Drawn, Unmade: v.Unmade, Interrupted: v.Stopped,
	}
}

// Difference tells how much differs.
func (v Verification) Difference() string {
	var parts []string
	if v.Differ > 0 {
		parts = append(parts, fmt.Sprintf("%s of %s trials differ", counts.Grouped(v.Differ), counts.Grouped(v.Again)))
	}
	switch k := len(v.Damage); k {
	case 0:
	case 1:
		parts = append(parts, "something is wrong with a file")
	default:
		parts = append(parts, fmt.Sprintf("%d things are wrong with files", k))
	}
	return strings.Join(parts, ", and ")
}

// Unknown tells what was not run, and what was not compared.
func (v Verification) Unknown() string {
	var parts []string
	if v.NotRun > 0 {
		parts = append(parts, fmt.Sprintf("not run: %s of the trials", counts.Grouped(v.NotRun)))
	}
	if files := slices.Concat(v.Changed, v.Unmade); len(files) > 0 {
		parts = append(parts, "not compared: "+results.SomeOf(files))
	}
	return strings.Join(parts, "; ")
}

// Text implements View.
func (v Verification) Text(w io.Writer) error {
	var b strings.Builder
	trials := "trials"
	if v.Figure != "" {
		trials = "trials behind the figure"
	}
	from := results.ResultsFile
	if v.Unkept > 0 {
		trials, from = "trials with a row", results.DigestsFile
	}
	again := fmt.Sprintf("%s of %s %s, run again here", counts.Grouped(v.Again), counts.Grouped(v.Trials), trials)
	if v.Again == v.Trials {
		again = fmt.Sprintf("all %s %s, run again here", counts.Grouped(v.Trials), trials)
	}
	switch answer := v.Answer(); {
	case answer == verify.Same && v.Stopped:
		fmt.Fprintf(&b, "identical so far: %s\n", again)
	case answer == verify.Same:
		fmt.Fprintf(&b, "identical: %s\n", again)
	case answer == verify.NotCompared:
		fmt.Fprintf(&b, "%s; identical are %s\n", v.Unknown(), again)
	case v.Differ == 0:
		fmt.Fprintf(&b, "%s the files; identical are %s\n", bad("different:"), again)
	default:
		fmt.Fprintf(&b, "%s %s of the trials; compared were %s\n", bad("different:"), counts.Grouped(v.Differ), again)
	}
	v.writeDifferences(&b)
	if len(v.Files) > 0 {
		fmt.Fprintf(&b, "as manifest.json says: %d files%s\n", len(v.Files), v.ownEntries())
	}
	if made := v.madeAgain(); made != "" {
		fmt.Fprintf(&b, "made again from %s, and the same: %s\n", from, made)
	}
	if v.Unkept > 0 {
		fmt.Fprintf(&b, "in digests alone, and not run again: %s; reproduce.sh in the folder runs them\n", counts.Several(v.Unkept, "trial"))
	}
	if d := v.Unrun; d != nil {
		fmt.Fprintf(&b, "NOT RUN: %s of the trials; the first is %s\n", counts.Grouped(v.NotRun), differenceText(d))
	}
	if len(v.Changed) > 0 {
		fmt.Fprintf(&b, "NOT COMPARED, since their author may change them, and has: %s\n", strings.Join(v.Changed, ", "))
	}
	if len(v.Unmade) > 0 {
		fmt.Fprintf(&b, "NOT COMPARED, since another version or processor made it (documents and figures: %s): %s\n", v.Writer, strings.Join(v.Unmade, ", "))
	}
	if v.Partial != "" {
		fmt.Fprintf(&b, "NOT COMPLETE: %s\n", v.Partial)
	}
	for _, text := range v.Damage {
		fmt.Fprintf(&b, "%s %s\n", bad("WRONG:"), text)
	}
	if len(v.Damage) > 0 && v.Again < v.Trials {
		fmt.Fprintf(&b, "to run all trials again, and see which rows differ: %s\n", Command(v.Program+" verify "+Quoted(v.Path)+" --all"))
	}
	if v.Made != "" && !v.Identical() {
		fmt.Fprintf(&b, "%s was made by version %s, this is %s\n", v.Path, v.Made, build.ThisProgram())
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// madeAgain lists the files that were made again with the same bytes.
func (v Verification) madeAgain() string {
	made := slices.Clone(v.Tables)
	for _, c := range []struct {
		count int
		what  string
	}{{v.Documents, "documents"}, {v.Drawn, "files of figures"}} {
		if c.count > 0 {
			made = append(made, fmt.Sprintf("%d %s", c.count, c.what))
		}
	}
	return strings.Join(made, ", ")
}

// writeDifferences prints the first trials that differ.
func (v Verification) writeDifferences(w io.Writer) {
	trials := 0
	for _, d := range v.First {
		trials += d.Last - d.First + 1
		fmt.Fprintf(w, "  %s\n", differenceText(&d))
	}
	if len(v.First) > 0 && trials < v.Differ && v.Beside == "" {
		fmt.Fprintf(w, "  and %s more\n", counts.Grouped(v.Differ-trials))
	}
	if v.Beside != "" && len(v.First) > 0 {
		fmt.Fprintf(w, "rows are those of %s, from which the figure was drawn\n", v.Beside)
	}
}

// differenceText says where a trial is, and what differs.
func differenceText(d *verify.Difference) string {
	place := fmt.Sprintf("replicate %d", d.First)
	switch {
	case d.Row > 0:
		place = fmt.Sprintf("row %d", d.Row)
	case d.Last > d.First:
		place = fmt.Sprintf("replicates %d to %d", d.First, d.Last)
	}
	return fmt.Sprintf("%s (%s): %s", place, d.Cell, d.What)
}

// ownEntries names the files in which entries of the author were passed over.
func (v Verification) ownEntries() string {
	if len(v.Own) == 0 {
		return ""
	}
	return "; but for the entries of its author, " + strings.Join(v.Own, ", ")
}

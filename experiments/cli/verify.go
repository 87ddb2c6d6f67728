package cli

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/jonboulle/clockwork"
	"github.com/spf13/cobra"

	"bullring/experiments"
	"bullring/experiments/verify"
	"bullring/internal/build"
)

// verifyFlags is what verify was given.
type verifyFlags struct {
	watch
	sample  float64
	all     bool
	seed    uint64
	workers uint64
	json    bool
}

func verifyCommand(registry *experiments.Registry, clock clockwork.Clock) *cobra.Command {
	f := &verifyFlags{watch: watch{mode: progressAuto}, sample: verify.DefaultSample, seed: 1}
	cmd := &cobra.Command{
		Use:   "verify DIR | FILE",
		Short: "Run recorded trials again, of a sweep or behind a figure, and compare",
		Long: `Run a sample of the trials of a sweep again and compare all that is recorded of
them. Of DIR, a folder that sweep has written, every file that its manifest.json
lists has to have its hash, and the rows of results.csv are compared column by
column; with --all, tables, documents and figures are made again from the rows.
Of a row that differs, verify tells between which events the runs part.

A FILE is a figure of a sweep: a PNG, SVG or PDF, wherever it is. Its metadata
hold the sweep, and digests of the trials that it shows; if the folder that it
came from is beside it, its rows tell more of what differs. What is verified are
the data behind the figure, not the ink.

Trials of another epoch are refused: there the same seed means another run.

Exit status:
  0    identical
  1    something differs; all of it has been printed, or the first of it
  2    the command or its input is wrong, or of another epoch; nothing was run
  130  interrupted; what was compared by then has been printed`,
		Example: "  bullring verify out/demo\n  bullring verify out/demo --all\n  bullring verify out/demo/figures/demo.svg --sample 20% --seed 7",
		Args:    func(cmd *cobra.Command, args []string) error { return arguments(cmd, args, "DIR") },
		RunE:    func(cmd *cobra.Command, args []string) error { return verifyPath(cmd, registry, clock, args[0], f) },
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return nil, cobra.ShellCompDirectiveDefault
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.Var(shareFlag{&f.sample}, "sample", "share of the trials to run again; 20 at least, if there are")
	flags.BoolVar(&f.all, "all", false, "run all trials again")
	countFlag(cmd, &f.seed, 0, math.MaxUint64, "seed", "seed that chooses the sample")
	countFlag(cmd, &f.workers, 1, 4096, "workers", "trials that run at a time (default one a processor)")
	flags.Var(choice{&f.mode, []string{progressAuto, progressPlain, progressOff}}, "progress",
		"on standard error: a bar on a terminal and else lines, one every 5 s; lines everywhere; nothing")
	flags.BoolVar(&f.json, "json", false, "print one JSON object")
	cmd.MarkFlagsMutuallyExclusive("sample", "all")
	for _, name := range []string{"sample", "seed", "workers"} {
		completeFlag(cmd, name, cobra.NoFileCompletions)
	}
	completeFlag(cmd, "progress", completeWords(progressAuto, progressPlain, progressOff))
	return cmd
}

// shareFlag is a flag that takes a share in percent, above 0 %.
type shareFlag struct{ value *float64 }

func (s shareFlag) String() string {
	if s.value == nil {
		return ""
	}
	return strconv.FormatFloat(100**s.value, 'g', -1, 64) + "%"
}

func (s shareFlag) Type() string { return "percentage" }

func (s shareFlag) Set(text string) error {
	number, ok := strings.CutSuffix(text, "%")
	v, err := strconv.ParseFloat(number, 64)
	if !ok || err != nil || !(v > 0 && v <= 100) {
		return fmt.Errorf("it takes a percentage above 0%% and up to 100%%, such as 5%%")
	}
	*s.value = v / 100
	return nil
}

func verifyPath(cmd *cobra.Command, registry *experiments.Registry, clock clockwork.Clock, path string, f *verifyFlags) error {
	p := newProgress(cmd.ErrOrStderr(), clock, &f.watch)
	v := &verify.Verify{
		Registry: registry, Path: path, Sample: f.sample, All: f.all, Seed: f.seed, Workers: int(f.workers),
		Progress: func(done, all int) {
			orderly(cmd) // some trials are known
			p.count(done, all)
		},
	}
	found, err := v.Run(cmd.Context())
	p.close()
	if err != nil {
		return err
	}
	if err := output(cmd, func(w io.Writer) error {
		if f.json {
			return writeJSON(w, newVerifyReport(found))
		}
		return writeVerification(w, path, found)
	}); err != nil {
		return err
	}
	switch {
	case found.Stopped:
		return interrupted(cmd.Context())
	case found.Identical():
		return nil
	}
	return exit{statusFailed, fmt.Errorf("%s is not what runs here: %s", path, summaryOf(found))}
}

// verifyReport is a verification as JSON.
type verifyReport struct {
	Identical   bool               `json:"identical"`
	Figure      *string            `json:"figure"`
	Beside      *string            `json:"beside"`
	Made        *string            `json:"made_by"` // the version, if it is not this one
	Trials      int                `json:"trials"`
	Again       int                `json:"again"`
	Differ      int                `json:"differ"`
	Differences []differenceReport `json:"differences"` // the first of them
	Files       []string           `json:"files"`
	Damage      []string           `json:"damage"`
	Incomplete  *string            `json:"incomplete"`
	Tables      []string           `json:"tables"`
	Documents   int                `json:"documents"`
	Drawn       int                `json:"drawn"`
	Unmade      []string           `json:"unmade"`
	Interrupted bool               `json:"interrupted"`
}

type differenceReport struct {
	Row   int    `json:"row,omitempty"`
	Cell  string `json:"cell"`
	First int    `json:"first_replicate"`
	Last  int    `json:"last_replicate"`
	What  string `json:"what"`
}

func newVerifyReport(v *verify.Verification) verifyReport {
	report := verifyReport{
		Identical: v.Identical(), Figure: given(v.Figure), Beside: given(v.Beside), Made: given(v.Made),
		Trials: v.Trials, Again: v.Again, Differ: v.Differ, Differences: []differenceReport{},
		Files: orEmpty(v.Files), Damage: orEmpty(v.Damage), Incomplete: given(v.Partial), Tables: orEmpty(v.Tables),
		Documents: v.Documents, Drawn: v.Drawn, Unmade: orEmpty(v.Unmade), Interrupted: v.Stopped,
	}
	for _, d := range v.First {
		report.Differences = append(report.Differences, differenceReport{d.Row, d.Cell, d.First, d.Last, d.What})
	}
	return report
}

// summaryOf says how much differs.
func summaryOf(v *verify.Verification) string {
	var parts []string
	if v.Differ > 0 {
		parts = append(parts, fmt.Sprintf("%s of %s trials differ", grouped(uint64(v.Differ)), grouped(uint64(v.Again))))
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

func writeVerification(w io.Writer, path string, v *verify.Verification) error {
	var b strings.Builder
	again := fmt.Sprintf("%s of %s trials, run again here", grouped(uint64(v.Again)), grouped(uint64(v.Trials)))
	if v.Again == v.Trials {
		again = fmt.Sprintf("all %s trials, run again here", grouped(uint64(v.Trials)))
	}
	switch {
	case v.Stopped && v.Identical():
		fmt.Fprintf(&b, "identical so far: %s\n", again)
	case v.Identical():
		fmt.Fprintf(&b, "identical: %s\n", again)
	case v.Differ == 0:
		fmt.Fprintf(&b, "different: the files; identical are %s\n", again)
	default:
		fmt.Fprintf(&b, "different: %s of the trials; compared were %s\n", grouped(uint64(v.Differ)), again)
	}
	writeDifferences(&b, v)
	if len(v.Files) > 0 {
		fmt.Fprintf(&b, "as manifest.json says: %d files\n", len(v.Files))
	}
	if made := madeAgain(v); made != "" {
		fmt.Fprintf(&b, "made again from results.csv, and the same: %s\n", made)
	}
	if len(v.Unmade) > 0 {
		fmt.Fprintf(&b, "NOT COMPARED, since only %s makes the same bytes: %s\n", v.Writer, strings.Join(v.Unmade, ", "))
	}
	if v.Partial != "" {
		fmt.Fprintf(&b, "NOT COMPLETE: %s\n", v.Partial)
	}
	for _, text := range v.Damage {
		fmt.Fprintf(&b, "WRONG: %s\n", text)
	}
	if len(v.Damage) > 0 && v.Again < v.Trials {
		fmt.Fprintf(&b, "to run all trials again, and see which rows differ: bullring verify %s --all\n", quoted(path))
	}
	if v.Made != "" {
		fmt.Fprintf(&b, "%s was made by version %s, this is %s\n", path, v.Made, build.ThisProgram())
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// madeAgain lists what was made again and is the same.
func madeAgain(v *verify.Verification) string {
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

// writeDifferences writes the first trials that differ.
func writeDifferences(w io.Writer, v *verify.Verification) {
	told := 0
	for _, d := range v.First {
		told += d.Last - d.First + 1
		place := fmt.Sprintf("replicate %d", d.First)
		switch {
		case d.Row > 0:
			place = fmt.Sprintf("row %d", d.Row)
		case d.Last > d.First:
			place = fmt.Sprintf("replicates %d to %d", d.First, d.Last)
		}
		fmt.Fprintf(w, "  %s (%s): %s\n", place, d.Cell, d.What)
	}
	if len(v.First) > 0 && told < v.Differ && v.Beside == "" {
		fmt.Fprintf(w, "  and %s more\n", grouped(uint64(v.Differ-told)))
	}
	if v.Beside != "" && len(v.First) > 0 {
		fmt.Fprintf(w, "rows are those of %s, from which the figure was drawn\n", v.Beside)
	}
}

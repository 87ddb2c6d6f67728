package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/jonboulle/clockwork"
	"github.com/spf13/cobra"

	"bullring/experiments"
)

// sweepFlags is what sweep was given.
type sweepFlags struct {
	dir      string
	workers  uint64
	progress string
	outside  bool
	noPlot   bool
}

func sweepCommand(registry *experiments.Registry, clock clockwork.Clock) *cobra.Command {
	f := &sweepFlags{progress: progressAuto}
	cmd := &cobra.Command{
		Use:   "sweep SPEC.yaml",
		Short: "Run a sweep over many settings and draw its figures",
		Long: `Run every cell of a sweep, replicate by replicate, write the results into a
directory and draw the figures: results.csv has a row a trial, summary.csv a row
a cell, manifest.json tells how they came about. They are the same to the byte
whatever the number of workers. A sweep is text such as this one:

` + indented(sampleSpec(registry)) + `

The axes are variant, topology, placement, initiators, dead, delay, link,
link_mode, delta, gst, transport, detector, assume, until, max_time, fifo, fault
and n, with the words that run takes. A trial that breaks a proven bound stops
the sweep; bullring replay shows it. Checks are counted, and violated ones are a
failure inside the model of the algorithm; outside of it they are what is
measured.

` + statuses,
		Example: "  bullring sweep demo.yaml\n" +
			"  bullring sweep demo.yaml -o out/again --workers 2 --progress plain --no-plot",
		Args:              func(cmd *cobra.Command, args []string) error { return arguments(cmd, args, "SPEC.yaml") },
		RunE:              func(cmd *cobra.Command, args []string) error { return sweep(cmd, registry, clock, args[0], f) },
		ValidArgsFunction: completeFile("yaml", "yml"),
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.VarP(text{&f.dir, "DIR"}, "out", "o", "directory for the results (default out/ and the name of the sweep)")
	countFlag(cmd, &f.workers, 1, 4096, "workers", "trials that run at a time (default one a processor)")
	flags.Var(choice{&f.progress, []string{progressAuto, progressPlain, progressOff}}, "progress",
		"on standard error: a bar on a terminal and else lines, one every 30 s; lines everywhere; nothing")
	flags.BoolVar(&f.outside, "outside-model", false, "run even cells in which an algorithm's assumptions do not hold")
	flags.BoolVar(&f.noPlot, "no-plot", false, "leave the figures to bullring plot")
	completeFlag(cmd, "out", func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveFilterDirs
	})
	completeFlag(cmd, "workers", cobra.NoFileCompletions)
	completeFlag(cmd, "progress", completeWords(progressAuto, progressPlain, progressOff))
	return cmd
}

// sampleSpec is a sweep over an algorithm that the registry has.
func sampleSpec(registry *experiments.Registry) string {
	name := "lcr"
	if names := registry.Names(); len(names) > 0 {
		if _, err := registry.Find(name); err != nil {
			name = names[0]
		}
	}
	return `name: demo
replicates: 5
algorithms: [` + name + `]
axes:
  n: {from: 4, to: 64, factor: 2}
  placement: [increasing, decreasing, random]
figures:
  - y: messages
    series: [placement]`
}

func indented(text string) string { return "  " + strings.ReplaceAll(text, "\n", "\n  ") }

func sweep(cmd *cobra.Command, registry *experiments.Registry, clock clockwork.Clock, file string, f *sweepFlags) error {
	text, err := readText("the sweep", file)
	if err != nil {
		return err
	}
	s, err := registry.ParseSpec(file, text)
	if err != nil {
		return err
	}
	sweep := experiments.Sweep{
		Registry: registry, Spec: s, Text: text, File: file, Dir: f.dir,
		Workers: int(f.workers), OutsideModel: f.outside, Clock: clock,
	}
	if sweep.Dir == "" {
		sweep.Dir = filepath.Join("out", s.Name)
	}
	report, err := runSweep(cmd, &sweep, f.progress)
	if report == nil {
		return err // nothing was run
	}
	var figures []string
	if err == nil && !f.noPlot {
		figures, err = experiments.Draw(registry, sweep.Dir)
	}
	if outputErr := output(cmd, func(w io.Writer) error { return writeSweep(w, &sweep, report, figures) }); outputErr != nil {
		return outputErr
	}
	if _, stopped := errors.AsType[*experiments.StoppedError](err); stopped {
		return exit{statusInterrupted, err}
	}
	if err != nil {
		return exit{statusFailed, err}
	}
	return sweepJudgement(&sweep, report)
}

// readText reads a file of text, with a limit that keeps a wrong name, such as
// that of a device, from filling the memory.
func readText(what, file string) ([]byte, error) {
	const largest = 1 << 20
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, largest+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	if len(text) > largest {
		return nil, fmt.Errorf("%s %s has more than %s bytes; it takes a text of less", what, file, grouped(largest))
	}
	return text, nil
}

func runSweep(cmd *cobra.Command, sweep *experiments.Sweep, mode string) (*experiments.Report, error) {
	p := newProgress(cmd.ErrOrStderr(), sweep.Clock, mode)
	defer p.close()
	sweep.Progress = func(now experiments.Progress) { p.update(now.Done, now.Trials) }
	return sweep.Run(cmd.Context())
}

func writeSweep(w io.Writer, sweep *experiments.Sweep, r *experiments.Report, figures []string) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "sweep\t%s\n", sweep.Spec.Title)
	fmt.Fprintf(t, "trials\t%s of %s, in %s cells\n", grouped(uint64(r.Done)), grouped(uint64(r.Trials)), grouped(uint64(r.Cells)))
	if r.Outside > 0 {
		fmt.Fprintf(t, "outside the model\t%s\n", grouped(uint64(r.Outside)))
	}
	outcomes := make([]string, len(r.Outcomes))
	for i, o := range r.Outcomes {
		outcomes[i] = o.Name + " " + grouped(uint64(o.Times))
	}
	fmt.Fprintf(t, "outcomes\t%s\n", strings.Join(outcomes, ", "))
	for _, c := range r.Checks {
		fmt.Fprintf(t, "check %s\tholds %s, violated %s, undecided %s\n",
			c.Name, grouped(uint64(c.Holds)), grouped(uint64(c.Violated)), grouped(uint64(c.Undecided)))
	}
	fmt.Fprintf(t, "results\t%s in %s\n", strings.Join(r.Files, ", "), sweep.Dir)
	if len(figures) > 0 {
		for i, f := range figures {
			figures[i] = filepath.Base(f)
		}
		fmt.Fprintf(t, "figures\t%s in %s\n", strings.Join(figures, ", "), sweep.Dir)
	}
	return t.Flush()
}

// sweepJudgement is the error of a sweep that was carried out and written.
// Outside the model nothing is promised, and a check that is undecided because
// nobody noticed a crash is what was measured.
func sweepJudgement(sweep *experiments.Sweep, r *experiments.Report) error {
	results := filepath.Join(sweep.Dir, experiments.ResultsFile)
	if r.Failed > 0 {
		return exit{statusFailed, fmt.Errorf("in %s trials a check is violated, inside the model: see %s; to see the first: bullring why %s %d",
			grouped(uint64(r.Failed)), results, quoted(sweep.Dir), r.FirstFailed)}
	}
	if r.CutOff > 0 {
		return exit{statusUndecided, fmt.Errorf("%s trials inside the model ended at a limit, and are undecided: see %s", grouped(uint64(r.CutOff)), results)}
	}
	return nil
}

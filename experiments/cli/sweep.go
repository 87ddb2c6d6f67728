package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/jonboulle/clockwork"
	"github.com/spf13/cobra"

	"bullring/experiments/campaign/figures"
	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/spec"
	"bullring/experiments/campaign/sweep"
	"bullring/experiments/cli/internal/view"
	"bullring/experiments/trial"
	"bullring/internal/counts"
	"bullring/internal/regular"
)

// sweepFlags are the flags of sweep.
type sweepFlags struct {
	outputFlags
	shard   string
	outside bool
	again   bool
	drop    bool
	dry     bool
}

func sweepCommand(registry *trial.Registry, clock clockwork.Clock) *cobra.Command {
	f := &sweepFlags{}
	cmd := &cobra.Command{
		Use:   "sweep SPEC.yaml",
		Short: "Run a sweep over many settings and draw its figures",
		Long: `Run every cell of a sweep, replicate by replicate, write the results into a folder and
draw the figures. results.csv has a row for each trial, summary.csv a row for each cell,
and manifest.json tells how they were made. The files are the same to the byte for any
number of workers, and however often the sweep was killed: a journal in the folder keeps
every finished trial. Run the same command again to resume. A complete sweep is not run
again; if its labels, comparisons or figures have changed, all files are written again
from the rows. A folder with files that bullring did not write is refused. With keep: summary
in the sweep, a digest of each cell stands for its rows, but for those that are asked for.

If the folder holds a smaller version of the sweep, its trials are kept, and the missing
ones run: more replicates, a tighter stopping rule, more values of an axis, another
algorithm, another metric. A change that would lose trials is refused, and names them;
--drop loses them. A sweep is text such as this one:

` + indented(sampleSpec(registry)) + `

The axes, with the same words as in run, are

` + indented(axisLines()) + `

A trial that breaks a proven bound stops the sweep; bullring replay shows it. One of a
program (node) is a row like others. Checks are counted. A violated check is a failure inside the model of the algorithm, and a
measurement outside of it.

After a signal the trials under way have 5s to finish; a second signal ends the program at
once. --shard 3/64 runs the fourth of 64 equal parts and keeps it in a file of the folder
for bullring merge. auto/64 takes the number from the array of Slurm, Kubernetes, AWS
Batch, PBS, Grid Engine, LSF or GNU parallel that started the program.

--dry-run writes nothing. It counts the cells, tries the first replicates of some of them
for a few seconds, and multiplies, to estimate the time of the whole sweep.

` + statuses,
		Example: "  bullring sweep demo.yaml --dry-run\n" +
			"  bullring sweep demo.yaml\n" +
			"  bullring sweep demo.yaml -o out/again --workers 2 --progress plain --no-plot\n" +
			"  bullring sweep demo.yaml -o out/parts --shard 0/2\n" +
			"  bullring sweep demo.yaml -o out/parts --shard 1/2",
		Args:              exactly("SPEC.yaml"),
		RunE:              func(cmd *cobra.Command, args []string) error { return sweepFile(cmd, registry, clock, args[0], f) },
		ValidArgsFunction: first(completeSpec),
	}
	f.declare(cmd, "folder for the results (default out/ and the name of the sweep)")
	textFlag(cmd, &f.shard, "shard", "i/N", "run only part i of N, counted from 0; auto/N takes i from the engine that started the program")
	flags := cmd.Flags()
	flags.BoolVar(&f.outside, "outside-model", false, "run even cells in which an algorithm's assumptions do not hold")
	flags.BoolVar(&f.again, "again", false, "run all of it again, and replace what the folder holds of it")
	flags.BoolVar(&f.drop, "drop", false, "lose the trials in the folder that the changed sweep does not have")
	flags.BoolVar(&f.dry, "dry-run", false, "tell what would run and, from a probe of a few seconds, for how long; write nothing")
	return cmd
}

// outputFlags say where results go, and how progress is shown.
type outputFlags struct {
	watch
	dir     string
	workers uint64
	noPlot  bool
}

func (f *outputFlags) declare(cmd *cobra.Command, dir string) {
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.VarP(text(&f.dir, "DIR"), "out", "o", dir)
	workersFlag(cmd, &f.workers)
	f.watch.register(cmd)
	flags.BoolVar(&f.json, "json-progress", false, "progress and log on standard error as JSON, an object a line")
	flags.BoolVar(&f.noPlot, "no-plot", false, "leave figures and tables to bullring plot")
}

// sampleSpec is a sweep over an algorithm that the registry has.
func sampleSpec(registry *trial.Registry) string {
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

// axisLines are the names of the axes, a few in a line.
func axisLines() string {
	var lines []string
	for names := range slices.Chunk(spec.GivenAxes(), 10) {
		lines = append(lines, strings.Join(names, ", "))
	}
	return strings.Join(lines, ",\n")
}

func indented(text string) string { return "  " + strings.ReplaceAll(text, "\n", "\n  ") }

func sweepFile(cmd *cobra.Command, registry *trial.Registry, clock clockwork.Clock, file string, f *sweepFlags) error {
	sw, err := readSweep(registry, file, f.dir)
	if err != nil {
		return err
	}
	sw.Workers, sw.OutsideModel, sw.Again, sw.Drop, sw.Clock = int(f.workers), f.outside, f.again, f.drop, clock
	if f.shard != "" {
		if sw.Shard, err = sweep.ParseShard(f.shard); err != nil {
			return err
		}
	}
	for _, w := range sw.Spec.Warnings() {
		f.watch.logger(cmd.ErrOrStderr()).Warn(w.Message, "at", w.Pos.String())
	}
	if err := allowed(registry, sw); err != nil {
		return err
	}
	if err := fits(sw); err != nil {
		return err
	}
	if f.dry {
		return dryRun(cmd, sw)
	}
	return carryOut(cmd, sw, &f.outputFlags)
}

// allowed returns an error if a sweep starts programs and the command line does not let it, or
// if they are more than the system has files for. A worker keeps the programs of the largest
// trial for each command.
func allowed(registry *trial.Registry, sw *sweep.Sweep) error {
	nodes, most := nodesOf(registry), map[string]int{}
	for _, c := range sw.Spec.Cells() {
		if err := nodes.Refused(c.Node); err != nil {
			return err
		}
		if c.Node != "" && c.Node != trial.NoNode {
			most[c.Node] = max(most[c.Node], c.N)
		}
	}
	programs := 0
	for _, n := range most {
		programs += n
	}
	if programs == 0 {
		return nil
	}
	return nodes.Afford(programs * workersOf(sw))
}

// workersOf is the number of workers of a sweep.
func workersOf(sw *sweep.Sweep) int { return cmp.Or(sw.Workers, runtime.GOMAXPROCS(0)) }

// fits refuses a sweep of which the processes of one trial a worker do not fit into the free memory.
func fits(sw *sweep.Sweep) error {
	most := 0
	for _, c := range sw.Spec.Cells() {
		most = max(most, c.N)
	}
	room := room{free: freeMemory()}
	return room.admit(most, workersOf(sw))
}

// carryOut runs a sweep, draws its figures, and prints its report.
func carryOut(cmd *cobra.Command, sw *sweep.Sweep, f *outputFlags) error {
	report, err := runSweep(cmd, sw, &f.watch)
	if report == nil {
		return err // nothing was run
	}
	abrupt(cmd) // the results are written, and the same command draws them
	var paths []string
	drawn := false
	if err == nil && report.Already {
		paths, drawn = figures.Drawn(sw.Spec, sw.Dir)
	}
	if err == nil && !f.noPlot && !drawn && sw.Shard.Of <= 1 {
		paths, err = figures.Draw(sw.Registry, sw.Dir)
	}
	if !report.Already && sw.Shard.Of <= 1 {
		warnOfKept(f.watch.logger(cmd.ErrOrStderr()), sw.Dir)
	}
	if outputErr := printText(cmd, func(w io.Writer) error { return view.Sweep(w, sw, report, paths) }); outputErr != nil {
		return outputErr
	}
	if _, stopped := errors.AsType[*sweep.StoppedError](err); stopped {
		return exit{statusInterrupted, err}
	}
	if err != nil {
		return exit{statusFailed, withCommand(cmd, err)}
	}
	return sweepJudgement(cmd.Root().Name(), sw, report)
}

// warnOfKept says which files of a folder were not written, since their author has changed them.
func warnOfKept(log *slog.Logger, dir string) {
	for _, name := range results.Kept(dir) {
		log.Warn("its author has changed it, so it stays; bullring plot writes another one when it is gone", "file", filepath.Join(dir, name))
	}
}

// withCommand adds to an error in a shard the command that shows it: rows of a shard have
// no numbers yet.
func withCommand(cmd *cobra.Command, err error) error {
	e, ok := errors.AsType[*sweep.RowError](err)
	if !ok || e.Row > 0 || e.Instance == nil {
		return err
	}
	if e.Rare.Asked() {
		return fmt.Errorf("%w; to estimate it again: %s", err, view.RareLine(cmd.Root().Name(), e.Instance, e.Rare))
	}
	return fmt.Errorf("%w; to see this run: %s", err, view.CommandLine(cmd.Root().Name(), e.Instance))
}

// readSweep reads a sweep from a file. Its results go to dir or, if that is "", to a folder
// with the name of the sweep.
func readSweep(registry *trial.Registry, file, dir string) (*sweep.Sweep, error) {
	text, err := readText("the sweep", file)
	if err != nil {
		return nil, err
	}
	s, err := results.ParseSpec(registry, file, text)
	if err != nil {
		return nil, err
	}
	if dir == "" {
		dir = filepath.Join("out", s.Name)
	}
	return &sweep.Sweep{Source: sweep.Source{Registry: registry, Spec: s, Text: text, File: file}, Dir: dir, Rehearse: figures.Rehearse}, nil
}

// readText reads a file of text that the command line names, which may be a pipe.
func readText(what, file string) ([]byte, error) {
	const largest = 1 << 20
	text, err := regular.ReadStream(file, largest)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	return text, nil
}

// untouched is the size of memory that a sweep allocates and does not touch, so that it
// costs nothing. The garbage collector waits until there is as much garbage as there is
// memory in use, and most memory of trials is garbage at once. With untouched it waits for
// 16 MB more.
const untouched = 16 << 20

func runSweep(cmd *cobra.Command, sw *sweep.Sweep, f *watch) (*sweep.Report, error) {
	sw.Log = f.logger(cmd.ErrOrStderr())
	p := newProgress(cmd.ErrOrStderr(), sw.Clock, f)
	defer p.close()
	sw.Progress = p.update
	sw.Begun = func() { orderly(cmd) }
	defer runtime.KeepAlive(make([]byte, untouched))
	// A sweep of many trials keeps their values for the quantiles. Collecting garbage a
	// little more often takes a tenth off its memory, and no time that shows.
	defer debug.SetGCPercent(debug.SetGCPercent(80))
	defer context.AfterFunc(cmd.Context(), func() {
		sw.Log.Warn(fmt.Sprintf("interrupted: the trials in hand have %v to finish; another signal ends the program at once", grace))
	})()
	return sw.Run(cmd.Context())
}

// sweepJudgement returns the error of a sweep that was run and printed. Outside the model
// nothing is promised. A check that is undecided, because no process noticed a crash, is
// a measurement.
func sweepJudgement(program string, sw *sweep.Sweep, r *sweep.Report) error {
	table := filepath.Join(sw.Dir, results.ResultsFile)
	if sw.Shard.Of > 1 { // it is complete: merge judges, and no engine should try again
		return nil
	}
	if r.Failed > 0 && sw.Spec.Keep.Summary && !sw.Spec.Keep.Violations {
		return exit{statusFailed, fmt.Errorf("in %s trials a check is violated, inside the model; the first is trial %s: %s replay %s %[2]s says with which seed; keep: {rows: violations} keeps the row of each",
			counts.Grouped(r.Failed), strconv.Itoa(r.FirstFailed), program, view.Quoted(sw.Dir))}
	}
	if r.Failed > 0 {
		return exit{statusFailed, fmt.Errorf("in %s trials a check is violated, inside the model: see %s; to see the first: %s why %s %d",
			counts.Grouped(r.Failed), table, program, view.Quoted(sw.Dir), r.FirstFailed)}
	}
	if r.Inconclusive > 0 {
		return exit{statusUndecided, fmt.Errorf("%s trials are inconclusive, because a program did not answer in time: see %s; sweep --again runs all of them again, and --node-timeout sets how long to wait",
			counts.Grouped(r.Inconclusive), table)}
	}
	if r.CutOff > 0 {
		return exit{statusUndecided, fmt.Errorf("%s trials inside the model ended at a limit, and are undecided: see %s", counts.Grouped(r.CutOff), table)}
	}
	return nil
}

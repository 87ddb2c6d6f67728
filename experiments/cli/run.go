package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"bullring/des"
	"bullring/experiments"
	"bullring/netem"
	"bullring/protocols"
)

// defaultN and defaultSeed are what a run takes unless told otherwise. The
// seed is never the clock's: the same command is the same run.
const (
	defaultN    = 8
	defaultSeed = 1
)

// runFlags is what run was given.
type runFlags struct {
	setting experiments.Setting
	n       uint64
	fifo    bool
	sync    bool
	faults  []string
	trace   bool
	json    bool
}

func runCommand(registry *experiments.Registry) *cobra.Command {
	f := &runFlags{fifo: true}
	cmd := &cobra.Command{
		Use:   "run ALGORITHM",
		Short: "Run one trial and set its cost beside the theory",
		Long: `Run one trial of an algorithm, and print what it cost beside what theory says.

Processes sit at addresses 0 to n-1; on a ring, address i sends to i+1. What an
election compares are identities: 1 to n, increasing with the address, unless
--placement or --ids says otherwise. --initiators, --dead and --fault name
processes by address, --ids lists identities by address. The initiators start
the algorithm at time 0 (the bully's are those that find the coordinator dead);
the dead have crashed before. Lists are comma-separated; addresses may be
counted from the end, as last, last-1...

Messages count when they are sent, whether they arrive or not. Times are in
units of the delay if it is constant, else in seconds; a constant delay is
lock-step rounds. The same command is the same run, on every machine.

An algorithm refuses what breaks its assumptions; --outside-model runs it all
the same, labels the result, and holds it to no bound and no check. --json adds
the convention of each bound: what counts, and who starts.

` + statuses,
		Example: examples(registry,
			"bullring run lcr --n 8 --placement decreasing",
			"bullring run changroberts --ids 3,9,5,1 --initiators 0 --trace",
			"bullring run bully --initiators 0 --dead last --variant A --json",
			"bullring run bully --n 5 --initiators 0 --dead last --fault 'at 2ms crash 3'",
			"bullring run ringlist --n 100 --initiators random:3 --delay 'uniform(0,2ms)' --seed 7"),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("%s takes an algorithm; allowed are %s", cmd.Name(), strings.Join(registry.Names(), ", "))
			}
			return arguments(cmd, args, "ALGORITHM")
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			f.setting.Algorithm = args[0]
			return run(cmd, registry, f)
		},
		ValidArgsFunction: completeAlgorithm(registry),
	}
	f.register(cmd)
	completeRun(cmd, registry)
	return cmd
}

func (f *runFlags) register(cmd *cobra.Command) {
	s := &f.setting
	s.Seed, s.MaxEvents = defaultSeed, experiments.DefaultMaxEvents
	flags := cmd.Flags()
	flags.SortFlags = false
	countFlag(cmd, &f.n, 1, experiments.MaxN, "n", fmt.Sprintf("number of processes (default %d, or the number of --ids)", defaultN))
	textFlag(cmd, &s.IDs, "ids", "5,3,9,...", "identities by address")
	textFlag(cmd, &s.Placement, "placement", "P", "where the identities 1..n sit: "+strings.Join(experiments.Placements, "|")+" (default "+experiments.Placements[0]+")")
	textFlag(cmd, &s.Attr, "attr", "A,...", "attributes by address, compared before identities: numbers, MAC addresses, or random:K, drawn from 1..K")
	textFlag(cmd, &s.Variant, "variant", "V,...", "variant of the algorithm, a word of each group: see list --json")
	textFlag(cmd, &s.Initiators, "initiators", "all|random:K|0,2,...", "addresses that start (default all that live)")
	textFlag(cmd, &s.Dead, "dead", "none|random:K|7,...", "addresses that are dead from the start (default none)")
	flags.StringArrayVar(&f.faults, "fault", nil, "a `fault` such as 'at 5ms crash 3' or 'at 8ms restart 3'; repeatable")
	textFlag(cmd, &s.Topology, "topology", "T", strings.Join(netem.Topologies, "|")+" (default the algorithm's own)")
	textFlag(cmd, &s.Delay, "delay", "D", "delay of a link: 1ms|uniform(0,2ms)|exp(1ms)|... (default "+experiments.DefaultDelay+")")
	flags.BoolVar(&f.sync, "sync", false, "lock-step rounds: insists on a constant delay, one unit of time")
	flags.BoolVar(&f.fifo, "fifo", true, "links keep the order of messages; --fifo=false lets them reorder")
	textFlag(cmd, &s.Assume, "assume-delay", "duration", "bound on the delay that the algorithm assumes (default the real one)")
	textFlag(cmd, &s.Processing, "processing", "duration", "time to react to a message, where the algorithm has such a thing (default 0s)")
	flags.BoolVar(&s.OutsideModel, "outside-model", false, "run even if the algorithm's assumptions do not hold")
	countFlag(cmd, &s.Seed, 0, math.MaxUint64, "seed", "seed of everything random")
	countFlag(cmd, &s.MaxEvents, 1, math.MaxUint64, "max-events", "end the run after so many events")
	textFlag(cmd, &s.MaxTime, "max-time", "duration", "end the run at this virtual time (default 73 years)")
	flags.BoolVar(&f.trace, "trace", false, "print every event first; with --json, on standard error")
	flags.BoolVar(&f.json, "json", false, "print one JSON object")
}

func completeRun(cmd *cobra.Command, registry *experiments.Registry) {
	completeFlag(cmd, "placement", completeWords(experiments.Placements...))
	completeFlag(cmd, "variant", completeVariant(registry))
	completeFlag(cmd, "topology", completeTopology(registry))
	completeFlag(cmd, "initiators", completeWords("all", "random:", "first", "last"))
	completeFlag(cmd, "dead", completeWords("none", "random:", "first", "last"))
	completeFlag(cmd, "delay", completeWords("1ms", "uniform(0,2ms)", "exp(1ms)"))
	for _, name := range []string{"n", "ids", "attr", "fault", "assume-delay", "processing", "seed", "max-events", "max-time"} {
		completeFlag(cmd, name, cobra.NoFileCompletions)
	}
}

// read turns the flags into a setting.
func (f *runFlags) read() experiments.Setting {
	s := f.setting
	s.N = int(f.n)
	if f.n == 0 && s.IDs == "" {
		s.N = defaultN
	}
	s.Unordered = !f.fifo
	s.Fault = strings.Join(f.faults, "\n") // lines, so that a comment ends with its fault
	return s
}

func run(cmd *cobra.Command, registry *experiments.Registry, f *runFlags) error {
	in, err := registry.Instance(f.read())
	if err != nil {
		return err
	}
	if _, constant := in.Unit(); f.sync && !constant {
		return fmt.Errorf("--sync and --delay %v: rounds need a constant delay above 0, such as %s", in.Delay, experiments.DefaultDelay)
	}
	tracer, flush := traceTo(nil)
	if f.trace {
		w := cmd.OutOrStdout()
		if f.json {
			w = cmd.ErrOrStderr()
		}
		tracer, flush = traceTo(w)
	}
	var worker experiments.Worker
	r := worker.Run(cmd.Context(), in, tracer)
	if err := flush(); err != nil {
		return exit{statusFailed, fmt.Errorf("writing the trace: %w", err)}
	}
	if err := output(cmd, func(w io.Writer) error {
		if f.json {
			return writeJSON(w, newReport(r))
		}
		return writeReport(w, cmd.Root().Name(), r)
	}); err != nil {
		return err
	}
	return judgement(cmd.Context(), r)
}

// traceTo returns the maker of a tracer that writes to w, and what ends its
// writing. Without w there is no trace.
func traceTo(w io.Writer) (experiments.TraceFunc, func() error) {
	if w == nil {
		return nil, func() error { return nil }
	}
	buffered := bufio.NewWriterSize(w, 1<<16)
	trace := func(decision func(protocols.ID) string) netem.Tracer { return netem.TextTrace(buffered, decision) }
	return trace, buffered.Flush
}

// judgement is the error of a run that was carried out and printed, nil if all
// is well.
func judgement(ctx context.Context, r *experiments.Result) error {
	if err := r.BrokenBound(); err != nil {
		return exit{statusFailed, err}
	}
	if len(r.Instance.Outside) == 0 {
		for _, c := range r.Checks {
			if c.Verdict == protocols.Violated {
				return exit{statusFailed, fmt.Errorf("check %s is violated, inside the model of %s: %s", c.Name, r.Instance.Algorithm.Name, c.Detail)}
			}
		}
	}
	switch r.End {
	case netem.Interrupted:
		return interrupted(ctx)
	case netem.OutOfEvents:
		return exit{statusUndecided, fmt.Errorf("undecided: the run ended after %s events; --max-events sets the limit", grouped(r.Counters.Events))}
	case netem.OutOfTime:
		return exit{statusUndecided, fmt.Errorf("undecided: the run ended at %v of virtual time; --max-time sets the limit", r.Instance.MaxTime)}
	case netem.OutOfRoom:
		return exit{statusUndecided, fmt.Errorf("undecided: after %s events there were more than %s messages under way, or %s timers armed, and no room for them",
			grouped(r.Counters.Events), grouped(experiments.DefaultMaxPending), grouped(des.MaxTimers))}
	}
	return nil
}

// interrupted is the error of whoever was told to stop. The cause names the
// signal.
func interrupted(ctx context.Context) error {
	cause := context.Cause(ctx)
	if cause == nil {
		cause = errors.New("the run was stopped")
	}
	return exit{statusInterrupted, fmt.Errorf("interrupted: %w", cause)}
}

package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"bullring/des"
	"bullring/experiments/campaign/figures"
	"bullring/experiments/cli/internal/view"
	"bullring/experiments/show/diagram"
	"bullring/experiments/show/history"
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
	"bullring/internal/counts"
	"bullring/netem"
	"bullring/protocols"
)

// defaultN and defaultSeed are the defaults of a run. The seed does not come from the
// clock, so that the same command is the same run.
const (
	defaultN    = 8
	defaultSeed = 1
)

// runFlags are the flags of run.
type runFlags struct {
	settingFlags
	schedule string // the file of a case
	like     string // the algorithm that a program is compared with
	twice    bool   // compare a program with itself
	timers   bool   // compare all events with those of an algorithm
	kinds    string // of a program's messages
	sync     bool
	trace    traceFlags
	json     bool
	picture  string // the file for it
	view     string // the file for the page
}

func runCommand(registry *trial.Registry) *cobra.Command {
	f := &runFlags{}
	cmd := &cobra.Command{
		Use:   "run ALGORITHM | --schedule FILE",
		Short: "Run one trial and compare its cost with theory",
		Long: `Run one trial of an algorithm and compare its measured cost with theory.

Processes have the addresses 0 to n-1. On a ring, address i sends to i+1. An election
compares identities. They are 1 to n, increasing with the address, unless --placement
or --ids says otherwise. --initiators, --dead and --fault name processes by address;
--ids lists identities by address. The initiators start the algorithm at time 0 (those
of the bully find the coordinator dead). The dead have crashed before. Lists are
comma-separated. The addresses last, last-1... count from the end.

A message counts when it is sent, whether or not it arrives. Times are in units of the
delay if it is constant, else in seconds. A constant delay gives lock-step rounds. The
same command gives the same run on every machine.

A run that breaks the assumptions of its algorithm is refused. --outside-model runs it
anyway and labels the result; no bound is applied, and a violated check is a
measurement, not an error. --json adds the convention of each bound: what counts, and
who starts. --picture draws the run of an algorithm whose processes are places in a plane.

With --node PROGRAM, ALGORITHM may be the name of a family, such as mutex: its judge judges
what the program says. bullring explain mutex has the parameters and variants of that. With
neither an algorithm nor a family nothing is judged.

With --schedule there is no ALGORITHM. FILE is a case with a schedule, such as bullring
explore writes, and the run takes its steps one by one. It has no delay and no seed. A
trace leaves out the steps in which only time passes.

` + statuses,
		Example: examples(registry,
			"bullring run lcr --n 8 --placement decreasing",
			"bullring run changroberts --ids 3,9,5,1 --initiators 0 --trace",
			"bullring run bully --n 5 --initiators 0 --trace=lanes",
			"bullring run bully --initiators 0 --dead last --variant A --json",
			"bullring run bully --n 5 --initiators 0 --dead last --fault 'at 2ms crash 3'",
			"bullring run ringlist --n 100 --initiators random:3 --delay 'uniform(0,2ms)' --seed 7",
			"bullring run --node 'python3 docs/nodes/lcr.py' --like lcr --n 8",
			"bullring run mutex --node 'python3 docs/nodes/ricartagrawala.py' --n 3"),
		Args: func(cmd *cobra.Command, args []string) error {
			if err := f.trace.check(args, f.json); err != nil {
				return err
			}
			if f.schedule != "" {
				return noAlgorithm(args, f.schedule)
			}
			if err := f.checkNode(cmd, args); err != nil || f.like != "" {
				return err
			}
			return oneAlgorithm(registry)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := f.read(cmd, args)
			if err != nil {
				return err
			}
			return run(cmd, registry, s, f)
		},
		ValidArgsFunction: completeAlgorithm(registry),
	}
	f.register(cmd, registry)
	return cmd
}

func noAlgorithm(args []string, file string) error {
	if len(args) > 0 {
		return fmt.Errorf("with --schedule %s there is no ALGORITHM, the file names it; given is %q", file, args)
	}
	return nil
}

func (f *runFlags) register(cmd *cobra.Command, registry *trial.Registry) {
	f.settingFlags.register(cmd, registry)
	f.own.ofRuns(cmd)
	flags := cmd.Flags()
	textFlag(cmd, &f.schedule, "schedule", "FILE", "follow the schedule of a case, step by step")
	flagsUnder(cmd, nodeGroup, func() {
		textFlag(cmd, &f.like, "like", "ALGORITHM", "judge the program of --node as this algorithm, and compare what the processes of the two runs send and say")
		flags.BoolVar(&f.timers, "timers", false, "with --like, compare also what wakes a process, such as its timers")
		flags.BoolVar(&f.twice, "twice", false, "run the program of --node twice and compare the runs, which finds clocks and chance in it")
		textFlag(cmd, &f.kinds, "kinds", "A,B,...", "kinds of messages of a program that is judged by a family or not at all, the types of their bodies (default as they come)")
	})
	flags.BoolVar(&f.sync, "sync", false, "lock-step rounds: refuse a delay that is not constant")
	f.trace.register(cmd)
	jsonFlag(cmd, &f.json)
	textFlag(cmd, &f.picture, "picture", "FILE", "draw the run into a file that ends in .svg, .pdf, .png, .tikz or .tex; one that is there is replaced if bullring drew it")
	textFlag(cmd, &f.view, "view", "FILE", "write the run as a page for a browser, too, as bullring view does")
}

// read returns the setting of the run.
func (f *runFlags) read(cmd *cobra.Command, args []string) (trial.Setting, error) {
	if f.schedule == "" {
		f.setting.Algorithm = cmp.Or(f.like, algorithmOf(args))
		if f.kinds != "" {
			*f.lists["param"] = append(*f.lists["param"], "kinds=("+f.kinds+")")
		}
		return f.settingFlags.read()
	}
	if err := onlyFlags(cmd, []string{"schedule", "trace", "plain", "json", "picture", "view"}); err != nil {
		return trial.Setting{}, err
	}
	c, err := search.ReadCase(f.schedule)
	if err == nil && c.Setting.Schedule == "" {
		err = fmt.Errorf("the case %s has no schedule; to run it again: %s replay %s", f.schedule, cmd.Root().Name(), view.Quoted(f.schedule))
	}
	c.Setting.OutsideModel = true
	return c.Setting, err
}

func run(cmd *cobra.Command, registry *trial.Registry, s trial.Setting, f *runFlags) error {
	in, err := registry.Instance(s)
	if err != nil {
		return err
	}
	if _, constant := in.Unit(); f.sync && !constant {
		return fmt.Errorf("--sync and --delay %v: rounds need a constant delay above 0, such as %s", in.Delay, trial.DefaultDelay)
	}
	if err := f.checkFiles(registry, in); err != nil {
		return err
	}
	room := room{free: freeMemory()}
	if err := room.limit(in); err != nil {
		return err
	}
	defer room.unlimit()
	tracer, flush := f.trace.tracing(cmd, f.json)
	var recording *history.Recording
	if f.view != "" {
		recording = history.NewRecording(in, mostRecorded).WithStates()
		tracer = recordedToo(recording, tracer)
	}
	like, err := f.comparison(cmd.Context(), registry, in)
	if err != nil {
		return err
	}
	if like != nil {
		tracer = comparedToo(like.Tracer, tracer)
	}
	var worker trial.Worker
	after := patient(cmd, in)
	r := worker.Run(orderly(cmd), in, tracer)
	after(r)
	if err := flush(); err != nil {
		return err
	}
	if err := r.Impossible(); err != nil {
		return err
	}
	if like != nil {
		like.Finish(r)
	}
	if err := show(cmd, view.Run{Program: cmd.Root().Name(), Result: r, Like: like}, f.json); err != nil {
		return err
	}
	if figure, ok := diagram.Picture(r); ok && f.picture != "" {
		again, err := againMeta(cmd, r)
		if err == nil {
			figure.Meta = append(figure.Meta, again)
			err = figure.SaveAs(f.picture)
		}
		if err != nil {
			return exit{statusFailed, fmt.Errorf("writing the picture: %w", err)}
		}
	}
	if f.view != "" && r.End != netem.Interrupted {
		if err := writeRecorded(cmd, registry, recording.History(r), f.view); err != nil {
			return err
		}
	}
	if like != nil && like.Error() != nil {
		return exit{statusFailed, like.Error()}
	}
	err = judgement(cmd.Context(), r)
	if why, undecided := errors.AsType[exit](err); !room.full || !undecided || why.status != statusUndecided {
		return err
	}
	return exit{statusUndecided, fmt.Errorf("undecided: after %s events the run took all of the memory that was free, %s", counts.Grouped(r.Counters.Events), megabytes(room.free))}
}

// checkFiles refuses files that cannot be written.
func (f *runFlags) checkFiles(registry *trial.Registry, in *trial.Instance) error {
	if f.picture != "" {
		if err := cmp.Or(figures.CheckPictureFile(f.picture), registry.Pictured(in)); err != nil {
			return fmt.Errorf("--picture: %w", err)
		}
	}
	if f.view != "" {
		if err := checkPageFile(f.view); err != nil {
			return fmt.Errorf("--view: %w", err)
		}
	}
	return nil
}

// judgement returns the error of a run that was printed, nil if the run is correct.
func judgement(ctx context.Context, r *trial.Result) error {
	if err := r.Late(); err != nil {
		return exit{statusUndecided, fmt.Errorf("inconclusive: %w", err)}
	}
	if err := cmp.Or(r.BrokenBound(), r.Failed); err != nil {
		return exit{statusFailed, err}
	}
	if len(r.Instance.Outside) == 0 {
		for _, c := range r.Checks {
			if c.Verdict == protocols.Violated {
				return exit{statusFailed, fmt.Errorf("check %s is violated, inside the model of %s: %s", c.Name, r.Instance.Algorithm.Name, c.Detail)}
			}
		}
	}
	for _, c := range r.Checks {
		if r.End == netem.Quiescent && c.Verdict == protocols.Undecided {
			return exit{statusUndecided, fmt.Errorf("undecided: check %s: %s", c.Name, c.Detail)}
		}
	}
	switch r.End {
	case netem.Interrupted:
		return interrupted(ctx)
	case netem.OutOfEvents:
		return exit{statusUndecided, fmt.Errorf("undecided: the run ended after %s events; --max-events sets the limit", counts.Grouped(r.Counters.Events))}
	case netem.Repeating:
		return exit{statusUndecided, fmt.Errorf("undecided: nothing new can happen: %s", view.LoopText(r.Loop))}
	case netem.OutOfTime:
		return exit{statusUndecided, fmt.Errorf("undecided: the run ended at %v of virtual time; --max-time sets the limit", r.Instance.MaxTime)}
	case netem.OutOfSteps:
		if search.FailureOf(r) != search.Incorrect { // a check is violated already
			return nil
		}
		return exit{statusUndecided, fmt.Errorf("undecided: the run ends after %s, and something is left to happen", counts.Several(int(r.Counters.Events), "step"))}
	case netem.OutOfRoom:
		return exit{statusUndecided, fmt.Errorf("undecided: after %s events there were more than %s messages under way, or %s timers armed, and no room for them",
			counts.Grouped(r.Counters.Events), counts.Grouped(r.Instance.MaxPending()), counts.Grouped(des.MaxTimers))}
	}
	return nil
}

// interrupted is the error of a command that a signal stopped. The cause names the signal.
func interrupted(ctx context.Context) error {
	cause := context.Cause(ctx)
	if cause == nil {
		cause = errors.New("the run was stopped")
	}
	return exit{statusInterrupted, fmt.Errorf("interrupted: %w", cause)}
}

package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jonboulle/clockwork"
	"github.com/spf13/cobra"

	"bullring/experiments/campaign/judge"
	"bullring/experiments/cli/internal/view"
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
	"bullring/experiments/trial/setting"
	"bullring/netem"
	"bullring/netem/explore"
)

// judgeFlags are the flags of judge.
type judgeFlags struct {
	systemFlags
	sizes  sizeRange
	faults [4]uint64 // crashes, restarts, losses, duplicates
	states, settings, trials,
	seed uint64
	budget time.Duration
	caseFlags
	json bool
}

// judgeTime is the default of --budget.
const judgeTime = time.Minute

// judgedBy names the conditions that a judgement may fix. It varies the others.
var judgedBy = []string{"variant", "param", "node", "topology", "placement", "inputs", "f", "initiators", "fifo", "delay", "assume"}

func judgeCommand(registry *trial.Registry, clock clockwork.Clock) *cobra.Command {
	f := &judgeFlags{
		sizes: sizeRange{2, 4}, states: judge.DefaultStates, trials: judge.DefaultTrials, seed: defaultSeed, budget: judgeTime,
	}
	cmd := &cobra.Command{
		Use:   "judge FAMILY|ALGORITHM",
		Short: "Come to one verdict on a program or an algorithm: proven, violated, sampled or inconclusive",
		Long: `Judge an algorithm or, with --node, a program in any language that is to be one. Three
stages look for a failure, and the first one that is found ends the judgement:

conduct: the program keeps the rules of a process, as by bullring check.
explore: every run of small systems, as by bullring explore: every placement, every set of
initiators and every vector of inputs, without faults and with each single crash, restart,
loss or duplicate that the model allows. The smallest systems come first.
hunt: random settings inside the model, as by bullring hunt.

The verdict is one of
  violated      a run violates a check, breaks a bound, or its program misbehaves: the
                smallest one that was found is printed, with its reason
  proven        every run of these sizes with these faults was explored, and random runs
                violated nothing
  sampled       nothing was violated, and not every run of these systems was explored
  inconclusive  a program was late, or --budget was over too soon

--budget is in real time, and explorations take at most half of it. A slow machine makes a
verdict inconclusive, or sampled where a fast one proves; it violates nothing. If the
budget is not used up, the same command prints the same but for the seconds.

A family's name judges a program by what its family demands. --variant says what the program
may assume, such as that processes crash. See bullring explain FAMILY.

Exit status:
  0    proven or sampled
  1    violated
  2    the command or its input is wrong; nothing was judged
  3    inconclusive
  130  interrupted; what was tried by then has been printed`,
		Example: examples(registry,
			"bullring judge lcr",
			"bullring judge bully --n 2..3 --crash 1 --budget 20s --json"),
		Args: judgedName(registry),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.setting.Algorithm = args[0]
			return judging(cmd, registry, clock, f)
		},
		ValidArgsFunction: completeAlgorithm(registry),
	}
	f.register(cmd, registry)
	return cmd
}

// judgedName takes the name of what a program is to be. It says what is judged.
func judgedName(registry *trial.Registry) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return fmt.Errorf("judge takes an algorithm or a family, which says what is demanded; allowed are %s", strings.Join(registry.Names(), ", "))
		}
		return arguments(cmd, args, "FAMILY or ALGORITHM")
	}
}

func (f *judgeFlags) register(cmd *cobra.Command, registry *trial.Registry) {
	fixed := make([]*setting.Condition, len(judgedBy))
	for i, name := range judgedBy {
		fixed[i] = setting.Find(name)
	}
	f.registerSome(cmd, registry, string(setting.System), fixed)
	flags := cmd.Flags()
	flags.Var(parsed[sizeRange]{&f.sizes, "A..B", parseSizes, sizeRange.String}, "n", "numbers of processes whose every run is explored")
	for i, k := range []struct{ name, usage string }{
		{"crash", "of the explorations: up to so many processes crash (default each single fault that the model allows)"},
		{"restart", "up to so many processes come back"},
		{"loss", "links lose up to so many messages"},
		{"duplicate", "up to so many messages arrive once more"},
	} {
		countFlag(cmd, &f.faults[i], 0, math.MaxUint8, k.name, k.usage)
	}
	flags.Var(span(&f.budget), "budget", "end after so long, in real time; 0s is no end")
	countFlag(cmd, &f.states, 1, math.MaxUint64, "max-states", "end an exploration when there are more")
	countFlag(cmd, &f.settings, 1, math.MaxUint32, "settings", fmt.Sprintf("how many settings to draw (default %d, or %d of programs)", judge.DefaultSettings, judge.ProgramSettings))
	countFlag(cmd, &f.trials, 1, math.MaxInt32, "trials", "how many trials the check of conduct runs")
	countFlag(cmd, &f.seed, 1, math.MaxUint64, "seed", "seed of everything random")
	f.caseFlags.register(cmd, "write the smallest run that fails into a file")
	jsonFlag(cmd, &f.json)
}

// sizeRange is the smallest and the largest number of processes.
type sizeRange struct{ least, most int }

func (r sizeRange) String() string { return fmt.Sprintf("%d..%d", r.least, r.most) }

// list has all of them.
func (r sizeRange) list() (sizes []int) {
	for n := r.least; n <= r.most; n++ {
		sizes = append(sizes, n)
	}
	return sizes
}

// mostJudged is the largest number of processes that is explored.
const mostJudged = 16

func parseSizes(text string) (r sizeRange, err error) {
	first, last, isRange := strings.Cut(text, "..")
	if !isRange {
		last = first
	}
	var wrong error
	r.least, err = strconv.Atoi(first)
	r.most, wrong = strconv.Atoi(last)
	if err != nil || wrong != nil || r.least < 1 || r.most < r.least || r.most > mostJudged {
		return r, fmt.Errorf("it takes a number from 1 to %d, or two such as 2..4", mostJudged)
	}
	return r, nil
}

// read turns the flags into a case.
func (f *judgeFlags) read(cmd *cobra.Command, registry *trial.Registry) *judge.Case {
	c := &judge.Case{
		Registry: registry, Setting: f.systemFlags.read(), Sizes: f.sizes.list(), States: f.states, Settings: f.settings,
		Seed: f.seed, Trials: int(f.trials), Limit: f.budget,
	}
	c.Setting.N = 0
	b := explore.Budget{Crashes: int(f.faults[0]), Restarts: int(f.faults[1]), Losses: int(f.faults[2]), Duplicates: int(f.faults[3])}
	if b != (explore.Budget{}) {
		c.Faults = []explore.Budget{{}, b}
	}
	return c
}

func judging(cmd *cobra.Command, registry *trial.Registry, clock clockwork.Clock, f *judgeFlags) error {
	if err := f.caseFlags.check(); err != nil {
		return err
	}
	if f.faults[1] > 0 && f.faults[0] == 0 {
		return fmt.Errorf("--restart %d brings back crashed processes, and no process crashes; --crash says how many may", f.faults[1])
	}
	c := f.read(cmd, registry)
	var now atomic.Pointer[judge.Attempt]
	c.Progress = func(a judge.Attempt) { now.Store(&a) }
	m := newMeter(cmd.ErrOrStderr(), clock, progressAuto)
	m.begin(func(elapsed time.Duration) (string, float64) {
		if a := now.Load(); a != nil {
			return view.JudgeProgress(*a, elapsed), -1
		}
		return "", -1
	})
	r, err := c.Run(orderly(cmd))
	m.close()
	if r == nil {
		return err
	}
	written, unwritten := f.write(r)
	if err := show(cmd, judgedRun(cmd.Context(), cmd.Root().Name(), registry, r, written), f.json); err != nil {
		return err
	}
	switch {
	case unwritten != nil:
		return exit{statusFailed, unwritten}
	case cmd.Context().Err() != nil:
		return interrupted(cmd.Context())
	case r.Verdict == judge.Refuted:
		return exit{statusFailed, fmt.Errorf("%s: %s", r.Failure.Check, r.Failure.Detail)}
	case r.Verdict == judge.Inconclusive:
		return exit{statusUndecided, errors.New(strings.ToLower(r.Sentences()[0]))}
	}
	return nil
}

// write writes the smallest run that fails into the file of --out, and returns the file, "" for none.
func (f *judgeFlags) write(r *judge.Report) (string, error) {
	if f.out == "" || r.Failure == nil || r.Failure.Result == nil {
		return "", nil
	}
	c := search.NewCase(r.Failure.Result, r.Failure.Shown(), f.note)
	return f.out, c.Write(f.out)
}

// WriteVerdict writes a report as bullring judge prints it.
func WriteVerdict(ctx context.Context, w io.Writer, registry *trial.Registry, r *judge.Report) error {
	const program = "bullring"
	return view.Write(w, judgedRun(ctx, program, registry, r, ""), false, view.Form{Columns: usualColumns})
}

// judgedRun is a report with the events of the smallest run that fails.
func judgedRun(ctx context.Context, program string, registry *trial.Registry, r *judge.Report, file string) view.Judgement {
	v := view.Judgement{Program: program, File: file, Report: r}
	if r.Failure == nil || !r.Failure.Replays {
		return v
	}
	s := r.Failure.Setting
	s.OutsideModel = true
	in, err := registry.Instance(s)
	if err != nil {
		return v
	}
	var text strings.Builder
	result := new(trial.Worker).Run(context.WithoutCancel(ctx), in, func(run *trial.Traced) netem.Tracer {
		trace := netem.TextTrace(&text, run.News)
		if r.Failure.Cycle > 0 {
			return view.MarkCycle(&text, trace, in.Steps()-r.Failure.Cycle)
		}
		return trace
	})
	if cmp.Or(result.Late(), result.Impossible()) == nil {
		v.Trace = text.String()
	}
	v.Of = in
	return v
}

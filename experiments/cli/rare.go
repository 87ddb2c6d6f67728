package cli

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jonboulle/clockwork"
	"github.com/spf13/cobra"

	"bullring/experiments/campaign/rare"
	"bullring/experiments/cli/internal/view"
	"bullring/experiments/trial"
)

// rareFlags are the flags of rare.
type rareFlags struct {
	settingFlags
	level, reach, check, levels  string
	method                       string
	effort, repetitions, workers uint64
	json                         bool
}

func rareCommand(registry *trial.Registry, clock clockwork.Clock) *cobra.Command {
	f := &rareFlags{level: string(trial.LevelTime), method: rare.Methods[0], effort: 500, repetitions: 20}
	cmd := &cobra.Command{
		Use:   "rare ALGORITHM",
		Short: "Estimate the probability of an event that plain runs do not meet, and name a run with it",
		Long: `Estimate the probability of a rare event over all seeds, with a 95 % interval, by
importance splitting: runs that have come to a level are run again from there with other
random numbers, those that come to the next level again, and so on.

--level is a number that rises along a run: time, draws, lost, crashes or messages. A field
of the processes, such as term of raft, stands for the largest of them. A number of their
states, such as 'max(term) - min(term)', is worked out after each step. The event is that
the level gets as high as --reach before the run ends, or that the run violates --check.
A pilot chooses the levels on the way unless --levels gives them: about a fifth of the
runs should come from one to the next. More runs a level (--effort) and more repetitions
make the interval narrower. --method restart splits each run that comes to a level into as
many parts, instead of keeping the number of runs.

A run that is split draws other coins, delays, losses, late timers, chances of faults and
motion from an event on. The seed decides what is drawn before a run: a random topology
or placement, random faults. A run with the event is printed as a command: its forks say
from which events on it draws other numbers.

The same command prints the same, for any number of --workers. If it is interrupted, the
repetitions so far count.

Exit status:
  0    there is an estimate
  1    an algorithm panicked, or something else failed
  2    the command or its input is wrong; nothing was run
  3    no run came to the event
  130  interrupted; the results known by then have been printed
`,
		Example: examples(registry,
			"bullring rare itairodeh --n 2 --level draws --reach 62",
			"bullring rare raft --n 5 --dead last --param base=10ms,width=5ms --level term --reach 6 --effort 200",
			"bullring rare lcr --n 3 --link 'loss 10%' --transport 'reliable(5ms,6)' --outside-model --check E2 --level lost"),
		Args: oneAlgorithm(registry),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.setting.Algorithm = algorithmOf(args)
			return estimate(cmd, registry, clock, f)
		},
		ValidArgsFunction: completeAlgorithm(registry),
	}
	f.register(cmd, registry)
	f.own.ofRuns(cmd)
	textFlag(cmd, &f.level, "level", "NUMBER", "what rises on the way to the event: time, draws, lost, crashes, messages, a field of processes, or a number of their states (default time)")
	textFlag(cmd, &f.reach, "reach", "X", "the event: the level gets as high as this, a number or a duration")
	textFlag(cmd, &f.check, "check", "NAME", "the event: this check is violated")
	textFlag(cmd, &f.levels, "levels", "X,...", "the levels on the way, or none for plain runs (default those that a pilot finds)")
	cmd.Flags().Var(choice{&f.method, rare.Methods}, "method", "how runs are split: effort keeps their number at each level, restart makes as many of each")
	countFlag(cmd, &f.effort, 2, math.MaxInt32, "effort", "runs a level; with restart those that begin")
	countFlag(cmd, &f.repetitions, 1, math.MaxUint16, "repetitions", "independent estimates, from which the interval follows")
	workersFlag(cmd, &f.workers)
	jsonFlag(cmd, &f.json)
	for _, name := range []string{"level", "reach", "check", "levels"} {
		completeFlag(cmd, name, cobra.NoFileCompletions)
	}
	return cmd
}

// question turns the flags into a question.
func (f *rareFlags) question(registry *trial.Registry) (*rare.Question, error) {
	s, err := f.read()
	if err != nil {
		return nil, err
	}
	q := &rare.Question{
		Registry: registry, Setting: s, Level: trial.Level(f.level), Check: f.check, Method: rare.Method(f.method),
		Effort: int(f.effort), Repetitions: int(f.repetitions), Workers: int(f.workers),
	}
	switch {
	case (f.reach == "") == (f.check == ""):
		return nil, errors.New("either --reach or --check says what the event is")
	case f.reach != "":
		if q.Reach, err = q.Level.Parse(f.reach); err != nil {
			return nil, fmt.Errorf("--reach: %w", err)
		}
	}
	switch f.levels {
	case "":
		return q, nil
	case "none":
		q.Levels = []int64{}
		return q, nil
	}
	for word := range strings.SplitSeq(f.levels, ",") {
		level, err := q.Level.Parse(strings.TrimSpace(word))
		if err != nil {
			return nil, fmt.Errorf("--levels: %w", err)
		}
		q.Levels = append(q.Levels, level)
	}
	rising := slices.IsSorted(q.Levels) && len(slices.Compact(slices.Clone(q.Levels))) == len(q.Levels)
	if last := q.Levels[len(q.Levels)-1]; !rising || q.Reach > 0 && last >= q.Reach {
		return nil, fmt.Errorf("--levels %s: levels rise, and the last one is below --reach", f.levels)
	}
	return q, nil
}

func estimate(cmd *cobra.Command, registry *trial.Registry, clock clockwork.Clock, f *rareFlags) error {
	q, err := f.question(registry)
	if err != nil {
		return err
	}
	in, err := registry.Instance(q.Setting)
	if err != nil {
		return err
	}
	var latest atomic.Pointer[string]
	var share atomic.Int64
	q.Progress = func(r *rare.Report) {
		text := view.RareProgress(r)
		latest.Store(&text)
		share.Store(int64(len(r.Repetitions)))
	}
	mode := progressAuto
	if terminal(cmd.ErrOrStderr()) == nil {
		mode = progressOff // the end says all that
	}
	m := newMeter(cmd.ErrOrStderr(), clock, mode)
	m.begin(func(time.Duration) (string, float64) {
		if text := latest.Load(); text != nil {
			return *text, float64(share.Load()) / float64(q.Repetitions)
		}
		return "", -1
	})
	r, err := q.Ask(orderly(cmd))
	m.close()
	if err != nil {
		return err
	}
	if err := show(cmd, view.Rare{Program: cmd.Root().Name(), Instance: in, Report: r}, f.json); err != nil {
		return err
	}
	switch {
	case cmd.Context().Err() != nil:
		return interrupted(cmd.Context())
	case r.Example == nil:
		return exit{statusUndecided, errors.New("no run came to the event")}
	}
	return nil
}

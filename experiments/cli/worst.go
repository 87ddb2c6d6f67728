package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/jonboulle/clockwork"
	"github.com/spf13/cobra"

	"bullring/experiments/cli/internal/view"
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
)

// worstFlags are the flags of worst.
type worstFlags struct {
	casesFlags
	metric string
	caseFlags
	json bool
}

// casesFlags say which cases of an algorithm there are, and how many are looked at.
type casesFlags struct {
	systemFlags
	over, timers                   string
	grain, budget, states, workers uint64
}

func worstCommand(registry *trial.Registry) *cobra.Command {
	f := &worstFlags{metric: search.Costs[0]}
	cmd := &cobra.Command{
		Use:   "worst ALGORITHM",
		Short: "Look for the costliest run of an algorithm",
		Long: `Look for the run of an algorithm that costs the most messages, bits, causal depth or
time, and compare its cost with theory. These can vary:

  ids         where the identities 1..n sit
  initiators  who starts: every set, with --initiators random:K every set of K
  schedule    the order of events

Without --over the first two vary, unless flags fix them. Nothing fails.

If there are no more cases than --budget, all are looked at. The costliest one is PROVEN
to be the worst of them or, if runs draw random numbers, is the worst FOUND for this
seed. With more cases a local search begins in several places and swaps identities and
initiators as long as the cost does not fall; the run that it has FOUND may not be the
worst. Runs are in lock-step rounds, in one order of events. Over schedules, every
order of events and every draw is explored as in bullring explore; if that takes more
than --max-states, some runs are drawn with random delays.

The run is printed with the command that repeats it. --out writes it into a file, a
case, for bullring replay; only there is a schedule kept. The same command prints the
same, for any number of --workers.

` + statuses,
		Example: examples(registry,
			"bullring worst lcr --n 6",
			"bullring worst changroberts --n 6 --initiators random:1",
			"bullring worst bully --n 6 --variant A --dead last --over initiators --initiators random:1",
			"bullring worst peterson --n 4 --metric depth --over ids,schedule --out deepest.json",
			"bullring worst lcr --n 12 --budget 20000 --json"),
		Args: oneAlgorithm(registry),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.setting.Algorithm = algorithmOf(args)
			return worst(cmd, registry, f)
		},
		ValidArgsFunction: completeAlgorithm(registry),
	}
	f.register(cmd, registry)
	return cmd
}

func (f *worstFlags) register(cmd *cobra.Command, registry *trial.Registry) {
	f.systemFlags.register(cmd, registry, defaultN)
	f.addOutsideModel(cmd)
	cmd.Flags().Var(choice{&f.metric, search.Costs}, "metric", "the cost to maximise")
	f.addCases(cmd)
	f.caseFlags.register(cmd, "write the run into a file")
	jsonFlag(cmd, &f.json)
}

// addCases adds the flags of the cases that there are in a system.
func (f *casesFlags) addCases(cmd *cobra.Command) {
	f.budget, f.states = search.DefaultHuntRuns, search.DefaultHuntStates
	flags := cmd.Flags()
	textFlag(cmd, &f.over, "over", strings.Join(search.Variables, ","), "what varies (default ids and initiators, unless flags fix them)")
	flags.Var(choice{&f.timers, exploredTimers}, "timers", "of schedules: free timers expire at any time; with bounded ones messages keep the bound on delay, and timers are on time (default bounded if the algorithm assumes a bound)")
	countFlag(cmd, &f.grain, 1, math.MaxUint8, "grain", "of schedules: steps of time in the bound on delay (default 1)")
	countFlag(cmd, &f.budget, 1, math.MaxInt32, "budget", "look at all cases if there are no more, else search in so many runs")
	countFlag(cmd, &f.states, 1, math.MaxUint32, "max-states", "look at every schedule if there are no more states, else draw some")
	countFlag(cmd, &f.workers, 1, 256, "workers", "processors to use (default all)")
	completeFlag(cmd, "over", completeWords(search.Variables...))
}

// read turns the flags into a hunt for the maximum of a metric.
func (f *casesFlags) read(metric string) search.Hunt {
	h := search.Hunt{
		Setting: f.systemFlags.read(), Metric: metric, Timers: f.timers, Grain: int(f.grain),
		Budget: f.budget, MaxStates: f.states, Workers: int(f.workers),
	}
	if f.over != "" {
		for word := range strings.SplitSeq(f.over, ",") {
			h.Over = append(h.Over, strings.TrimSpace(word))
		}
	}
	return h
}

func worst(cmd *cobra.Command, registry *trial.Registry, f *worstFlags) error {
	if err := f.caseFlags.check(); err != nil {
		return err
	}
	h := f.read(f.metric)
	p := newProgress(cmd.ErrOrStderr(), clockwork.NewRealClock(), &watch{mode: progressAuto})
	h.Progress = p.count
	w, err := search.FindWorst(orderly(cmd), registry, h)
	p.close()
	program := cmd.Root().Name()
	if endless, is := errors.AsType[*search.EndlessError](err); is {
		return exit{statusUndecided, fmt.Errorf("undecided: %w; again: %s", err, view.CommandLine(program, endless.Result.Instance))}
	}
	if w == nil {
		if cmd.Context().Err() != nil {
			return interrupted(cmd.Context())
		}
		return err
	}
	file := f.out
	var unwritten error
	if file != "" {
		if unwritten = search.NewCase(w.Result, "", f.note).Write(file); unwritten != nil {
			file = ""
		}
	}
	if err := show(cmd, view.Worst{Program: program, File: file, Worst: w}, f.json); err != nil {
		return err
	}
	if unwritten != nil {
		return exit{statusFailed, unwritten}
	}
	if cmd.Context().Err() != nil { // the result so far has been printed
		return interrupted(cmd.Context())
	}
	return judgement(context.WithoutCancel(cmd.Context()), w.Result)
}

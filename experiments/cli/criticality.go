package cli

import (
	"errors"
	"fmt"
	"slices"

	"github.com/jonboulle/clockwork"
	"github.com/spf13/cobra"

	"bullring/experiments/cli/internal/view"
	"bullring/experiments/show/reason"
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
	"bullring/netem"
)

// criticalityFlags are the flags of criticality.
type criticalityFlags struct {
	settingFlags
	strike string
	by     string
	all    bool
	json   bool
}

func criticalityCommand(registry *trial.Registry) *cobra.Command {
	f := &criticalityFlags{strike: search.Strikes[0]}
	cmd := &cobra.Command{
		Use:   "criticality " + subjectUse,
		Short: "Drop, delay, duplicate or repair each message in turn and report the effect",
		Long: `Run one trial, and then run it again for each of its messages with a fault: the message
is dropped, delayed or duplicated, or its sender crashes right after it. --strike crash
covers every point between two sends of a process, and the one before the first. The
effect of a fault is one of

  same          the same leader and followers, at the same time or sooner
  slower        the same leader and followers, later
  other leader  another leader, and who followed a leader follows it
  split         one leader, and who followed a leader does not follow it
  no leader
  two leaders   at rest, more than one process takes itself for the leader
  unfinished    the run did not come to rest

and beside it stand the checks that come out otherwise than without the fault: violated
where they held, or the other way round, or violated in another way.

--strike repair is for a run that violates a check. It repairs each message that was lost,
late, doubled, cut by a fault, or out of order, as why does, everything else equal. The
effect on the check is one of

  same       the violation is there, at the same time
  postponed  the violation is there, at another time
  other      this violation is gone, and the check is violated in another way
  worse      the check holds, and another one is violated that held
  holds      the check holds in the whole run

` + subjectHelp + `
Each fault is printed in the words of --fault, so that its run can be repeated,
explained and shrunk. A repair is printed so if its run with the plan alone is the same.

` + statuses,
		Example: examples(registry,
			"bullring criticality changroberts --n 5 --initiators 0",
			"bullring criticality bully --n 5 --initiators 0 --dead last --strike crash",
			"bullring criticality lcr --n 4 --strike delay --by 20ms --all",
			"bullring criticality lcr --n 5 --link 'loss 20%' --outside-model --strike repair"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := f.subject(cmd, registry, args, "strike", "by", "all", "json")
			if err == nil {
				err = withoutSchedule(cmd, s)
			}
			if err != nil {
				return err
			}
			return criticality(cmd, registry, s, f)
		},
		ValidArgsFunction: completeAlgorithm(registry),
	}
	f.register(cmd, registry)
	flags := cmd.Flags()
	flags.Var(choice{&f.strike, append(slices.Clone(search.Strikes), strikeRepair)}, "strike", "what happens to each message")
	textFlag(cmd, &f.by, "by", "duration", "the delay that --strike delay adds (default ten times the bound on delay)")
	flags.BoolVar(&f.all, "all", false, "list also the messages whose fault changes nothing")
	jsonFlag(cmd, &f.json)
	return cmd
}

// strikeRepair repairs each message to which something happened, in place of a strike.
const strikeRepair = "repair"

func criticality(cmd *cobra.Command, registry *trial.Registry, s trial.Setting, f *criticalityFlags) error {
	strike := search.Strike(slices.Index(search.Strikes, f.strike))
	switch {
	case f.by != "" && strike != search.Delay:
		return fmt.Errorf("--by %s is for --strike delay; given is --strike %s", f.by, f.strike)
	case f.strike == strikeRepair:
		return repairs(cmd, registry, s, f)
	}
	p := messagesDone(cmd)
	c, err := search.FindCritical(orderly(cmd), registry, s, strike, f.by, p.count)
	p.close()
	if c == nil || c.Baseline == nil {
		return err
	}
	if c.Baseline.End == netem.Interrupted || errors.Is(err, cmd.Context().Err()) && cmd.Context().Err() != nil {
		return interrupted(cmd.Context())
	}
	if misbehaves(err) || c.Baseline.Impossible() != nil {
		return err
	}
	if err != nil {
		return exit{statusUndecided, err}
	}
	return show(cmd, view.Criticality{Criticality: c, Effects: registry.Effects(), All: f.all}, f.json)
}

// repairs repairs the abnormal messages of a violated run.
func repairs(cmd *cobra.Command, registry *trial.Registry, s trial.Setting, f *criticalityFlags) error {
	in, err := registry.Instance(s)
	if err != nil {
		return err
	}
	p := messagesDone(cmd)
	r, err := reason.FindRepairs(cmd.Context(), registry, in, p.count)
	p.close()
	switch {
	case cmd.Context().Err() != nil:
		return interrupted(cmd.Context())
	case err != nil:
		return err
	case r.Real.Result.Failed != nil:
		return r.Real.Result.Failed
	case r.Violation == nil:
		return fmt.Errorf("--strike repair: no check is violated, so that there is nothing to repair; the outcome is %s", r.Real.Result.Outcome)
	}
	return show(cmd, view.Repairs{Repairs: r, All: f.all}, f.json)
}

// messagesDone shows on a terminal how many messages are done.
func messagesDone(cmd *cobra.Command) *progress {
	mode := progressAuto
	if terminal(cmd.ErrOrStderr()) == nil {
		mode = progressOff // it takes seconds, and logs need no line of that
	}
	return newProgress(cmd.ErrOrStderr(), clockwork.NewRealClock(), &watch{mode: mode})
}

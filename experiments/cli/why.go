package cli

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"bullring/experiments/cli/internal/view"
	"bullring/experiments/show/reason"
	"bullring/experiments/trial"
	"bullring/internal/counts"
)

// whyFlags are the flags of why.
type whyFlags struct {
	settingFlags
	instead int // the number of the reason of which the saved run is shown; 0 is none
	json    bool
}

func whyCommand(registry *trial.Registry) *cobra.Command {
	f := &whyFlags{}
	cmd := &cobra.Command{
		Use:   "why " + subjectUse,
		Short: "Explain a violated check by what would have saved the run",
		Long: `Run one trial, and look for what would have saved it: the run is repeated with single
things changed, everything else equal. A message that came late arrives in time, one
that was lost arrives, a fault never begins. If none of these helps, messages arrive in
another order, and processes draw other numbers. The check is the first violated one.

The first reason is printed in full, with the events in which the real run and the saved
run differ, up to the violation. Each reason can be tried: the last lines are the command
that shows its run. It is a plan if the run of that plan is the saved one up to the
violation. Else it is --instead K, which shows the saved run of reason K.

A message that the real run has, too, keeps its fate in the saved run. One that the real
run lacks is not lost there, and takes no longer than the bound on delays.

If no small change saves the run, and if every check holds, what is printed is the
causal past of the verdict. Each line is an event: its number, its time, what happened
at which process, and what that process then sent and decided. The arrow points to the
events from which it follows. A > marks the event that is explained, an x a message that
did not arrive.

` + subjectHelp + `
` + statuses,
		Example: examples(registry,
			"bullring why lcr --n 4 --fault 'drop 4th message' --outside-model",
			"bullring why bully --dead last --delay 'uniform(0,3ms)' --assume 1ms --outside-model",
			"bullring why bully --dead last --delay 'uniform(0,3ms)' --assume 1ms --outside-model --instead 1"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := f.subject(cmd, registry, args, "json", "instead")
			if err != nil {
				return err
			}
			return why(cmd, registry, args, s, f)
		},
		ValidArgsFunction: completeAlgorithm(registry),
	}
	f.register(cmd, registry)
	f.own.ofRuns(cmd)
	cmd.Flags().IntVar(&f.instead, "instead", 0, "show the run with the changes of reason K")
	jsonFlag(cmd, &f.json)
	return cmd
}

func why(cmd *cobra.Command, registry *trial.Registry, args []string, s trial.Setting, f *whyFlags) error {
	in, err := registry.Instance(s)
	if err != nil {
		return err
	}
	e := reason.Explain(orderly(cmd), registry, in)
	if cmd.Context().Err() != nil {
		return interrupted(cmd.Context())
	}
	if err := cmp.Or(e.Real.Result.Late(), e.Real.Result.Impossible()); err != nil {
		return err
	}
	if cmd.Flags().Changed("instead") {
		return f.showInstead(cmd, e)
	}
	v := view.Why{Because: view.Because{Explanation: e, Program: cmd.Root().Name(), Again: subjectCommand(cmd, "why", args...)}, Page: subjectCommand(cmd, "view", args...)}
	if flagsSet(cmd, registry, args) {
		v.Page, v.Again = view.PageLine(v.Program, in), view.WhyLine(v.Program, in)
	}
	return show(cmd, v, f.json)
}

// showInstead prints the run that a reason saves: its events and its result.
func (f *whyFlags) showInstead(cmd *cobra.Command, e *reason.Explanation) error {
	if f.instead < 1 {
		return fmt.Errorf("--instead %d: reasons are counted from 1", f.instead)
	}
	if f.instead > len(e.Reasons) {
		return fmt.Errorf("--instead %d: this run has %s", f.instead, counts.Several(len(e.Reasons), "reason"))
	}
	saved := e.Reasons[f.instead-1]
	trace := traceFlags{form: traceText}
	tracer, flush := trace.tracing(cmd, f.json)
	r := new(trial.Worker).Run(cmd.Context(), saved.Saved, tracer)
	if err := flush(); err != nil {
		return err
	}
	return show(cmd, view.Instead{Reason: saved, Result: r}, f.json)
}

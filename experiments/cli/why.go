package cli

import (
	"cmp"

	"github.com/spf13/cobra"

	"bullring/experiments/cli/internal/view"
	"bullring/experiments/show/history"
	"bullring/experiments/trial"
	"bullring/netem"
)

func whyCommand(registry *trial.Registry) *cobra.Command {
	f, asJSON := &settingFlags{}, false
	cmd := &cobra.Command{
		Use:   "why " + subjectUse,
		Short: "Explain the verdict of a run by the events that led to it",
		Long: `Run one trial again and print what its verdict follows from: the causal past of the
step that violates the check, or of the last steps of those that decided wrongly, with
the messages that did not arrive, and the faults. The verdict is the first violated
check, else the outcome.

` + subjectHelp + `
Each line is an event: its number, its time, what happened at which process, and what
that process then sent and decided. The arrow points to the events from which it
follows. A > marks the event that is explained, an x a message that did not arrive.

` + statuses,
		Example: examples(registry,
			"bullring why lcr --n 4 --fault 'drop 4th message' --outside-model",
			"bullring why bully --dead last --delay 'uniform(0,3ms)' --assume 1ms --outside-model"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := f.subject(cmd, registry, args, "json")
			if err != nil {
				return err
			}
			return why(cmd, registry, args, s, asJSON)
		},
		ValidArgsFunction: completeAlgorithm(registry),
	}
	f.register(cmd, registry)
	jsonFlag(cmd, &asJSON)
	return cmd
}

func why(cmd *cobra.Command, registry *trial.Registry, args []string, s trial.Setting, asJSON bool) error {
	in, err := registry.Instance(s)
	if err != nil {
		return err
	}
	h := history.Of(cmd.Context(), in)
	if h.Result.End == netem.Interrupted {
		return interrupted(cmd.Context())
	}
	if err := cmp.Or(h.Result.Late(), h.Result.Impossible()); err != nil {
		return err
	}
	page := pageCommand(cmd, args...)
	if flagsSet(cmd, registry, args) {
		page = view.PageLine(cmd.Root().Name(), in)
	}
	return show(cmd, view.Why{History: h, Page: page}, asJSON)
}

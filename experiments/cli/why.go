package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"bullring/experiments"
	"bullring/netem"
)

func whyCommand(registry *experiments.Registry) *cobra.Command {
	f := &settingFlags{}
	cmd := &cobra.Command{
		Use:   "why " + subjectUse,
		Short: "Explain the verdict of a run by what happened before it",
		Long: `Run one trial again and print the causal slice behind its verdict: the steps
without which it would not have come to it, the messages that did not arrive, and
the faults. What is explained is the first violated check, else the outcome.

` + subjectHelp + `
Each line is an event: its number, its instant, what happened where, what was
sent and decided in consequence, and behind the arrow the events from which it
follows. A > marks what is explained, an x a message that did not arrive.

` + statuses,
		Example: examples(registry,
			"bullring why lcr --n 4 --fault 'drop 4th message' --outside-model",
			"bullring why bully --n 4 --initiators 0 --dead last --delay 'uniform(0,3ms)' --assume-delay 1ms --outside-model"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := f.subject(cmd, registry, args)
			if err != nil {
				return err
			}
			return why(cmd, registry, s)
		},
		ValidArgsFunction: completeAlgorithm(registry),
	}
	f.register(cmd, registry)
	return cmd
}

func why(cmd *cobra.Command, registry *experiments.Registry, s experiments.Setting) error {
	in, err := registry.Instance(s)
	if err != nil {
		return err
	}
	e := experiments.Why(cmd.Context(), in)
	if e.Result.End == netem.Interrupted {
		return interrupted(cmd.Context())
	}
	if err := e.Result.Impossible(); err != nil {
		return err
	}
	return output(cmd, func(w io.Writer) error {
		if e.Result.Panicked() {
			fmt.Fprintln(w, e.Result.Failed)
		}
		return e.Write(w)
	})
}

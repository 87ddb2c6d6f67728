package cli

import (
	"io"

	"github.com/spf13/cobra"

	"bullring/experiments"
	"bullring/experiments/cli/internal/view"
)

func explainCommand(registry *experiments.Registry) *cobra.Command {
	return &cobra.Command{
		Use:   "explain ALGORITHM",
		Short: "Say what an algorithm does, assumes, promises and costs",
		Long: `Say what is known of an algorithm: where it comes from, what it assumes, its
variants and parameters, the checks and bounds that every run is held to, with what
counts and who starts, and how it was made: model, cost, invariants, and where it
deviates from its source.`,
		Example: examples(registry, "bullring explain lcr", "bullring explain bully"),
		Args:    oneAlgorithm(registry),
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := registry.Find(args[0])
			if err != nil {
				return err
			}
			return output(cmd, func(w io.Writer) error { return view.Explain(w, a) })
		},
		ValidArgsFunction: completeAlgorithm(registry),
	}
}

package cli

import (
	"io"

	"github.com/spf13/cobra"

	"bullring/experiments/cli/internal/view"
	"bullring/experiments/trial"
)

func explainCommand(registry *trial.Registry) *cobra.Command {
	return &cobra.Command{
		Use:   "explain ALGORITHM",
		Short: "Describe what an algorithm does, assumes, promises and costs",
		Long: `Describe an algorithm: its source, its assumptions, its variants and parameters, the
checks and bounds that apply to every run, with the convention of each bound, its
pseudocode, and its program: model, cost, invariants, and deviations from the source.`,
		Example: examples(registry, "bullring explain lcr", "bullring explain bully"),
		Args:    oneAlgorithm(registry),
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := registry.Find(args[0])
			if err != nil {
				return err
			}
			return printText(cmd, func(w io.Writer) error { return view.Explain(w, a) })
		},
		ValidArgsFunction: completeAlgorithm(registry),
	}
}

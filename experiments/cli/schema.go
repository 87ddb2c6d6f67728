package cli

import (
	"io"

	"github.com/spf13/cobra"

	"bullring/experiments"
	"bullring/experiments/results"
)

func schemaCommand(registry *experiments.Registry) *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the grammar of sweeps as JSON Schema, for editors",
		Long: `Print the grammar of sweeps as JSON Schema, draft 2020-12, with the names of algorithms,
variants and metrics. Editors use it to complete and check a sweep that begins with
this line:

  # yaml-language-server: $schema=sweep.schema.json

bullring may still refuse a sweep that fits the schema: a schema cannot say everything.

` + statuses,
		Example: "  bullring schema > sweep.schema.json",
		Args:    exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			schema, err := results.Schema(registry)
			if err != nil {
				return err
			}
			return output(cmd, func(w io.Writer) error {
				_, err := w.Write(schema)
				return err
			})
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
}

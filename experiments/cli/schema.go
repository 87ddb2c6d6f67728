package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"bullring/experiments/campaign/results"
	"bullring/experiments/show/page"
	"bullring/experiments/trial"
)

// schemas are the schemas that can be printed; the first is the default.
var schemas = []string{"sweep", "view"}

func schemaCommand(registry *trial.Registry) *cobra.Command {
	return &cobra.Command{
		Use:   "schema [sweep|view]",
		Short: "Print the grammar of sweeps as JSON Schema, for editors",
		Long: `Print the grammar of sweeps as JSON Schema, draft 2020-12, with the names of algorithms,
variants and metrics. Editors use it to complete and check a sweep that begins with
this line:

  # yaml-language-server: $schema=sweep.schema.json

bullring may still refuse a sweep that fits the schema: a schema cannot say everything.

With view it is the schema of the data that bullring view --data writes.

` + statuses,
		Example: "  bullring schema > sweep.schema.json\n  bullring schema view > view.schema.json",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 || len(args) == 1 && !slices.Contains(schemas, args[0]) {
				return fmt.Errorf("schema takes one of %s, or nothing; given is %q", strings.Join(schemas, ", "), args)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if slices.Equal(args, schemas[1:]) {
				return output(cmd, func(w io.Writer) error {
					_, err := io.WriteString(w, page.Schema)
					return err
				})
			}
			schema, err := results.Schema(registry)
			if err != nil {
				return err
			}
			return output(cmd, func(w io.Writer) error {
				_, err := w.Write(schema)
				return err
			})
		},
		ValidArgsFunction: first(completeWords(schemas...)),
	}
}

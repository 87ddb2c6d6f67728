package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"bullring/experiments/campaign/results"
	"bullring/experiments/cli/internal/view"
	"bullring/experiments/show/page"
	"bullring/experiments/trial"
)

// schemas are the schemas that can be printed; the first is the default.
func schemas() []string { return append([]string{"sweep", "view"}, view.Schemas()...) }

func schemaCommand(registry *trial.Registry) *cobra.Command {
	return &cobra.Command{
		Use:   "schema [sweep|view|trace|COMMAND]",
		Short: "Print the JSON Schema of sweeps, or of what a command prints as JSON",
		Long: `Print the grammar of sweeps as JSON Schema, draft 2020-12, with the names of algorithms,
variants and metrics. Editors use it to complete and check a sweep that begins with
this line:

  # yaml-language-server: $schema=sweep.schema.json

bullring may still refuse a sweep that fits the schema: a schema cannot say everything.

With view it is the schema of the data that bullring view --data writes. With the name of
a command it is that of what the command prints as JSON, and with trace that of a line of
what run --trace --json writes to standard error. Commands with a schema are ` + strings.Join(view.Schemas()[1:], ", ") + `.

` + statuses,
		Example: "  bullring schema > sweep.schema.json\n  bullring schema view > view.schema.json\n  bullring schema run > run.schema.json",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 || len(args) == 1 && !slices.Contains(schemas(), args[0]) {
				return fmt.Errorf("schema takes one of %s, or nothing; given is %q", strings.Join(schemas(), ", "), args)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return output(cmd, func(w io.Writer) error { return writeSchema(w, registry, append(args, schemas()[0])[0]) })
		},
		ValidArgsFunction: first(completeWords(schemas()...)),
	}
}

func writeSchema(w io.Writer, registry *trial.Registry, name string) error {
	switch name {
	case "sweep":
		schema, err := results.Schema(registry)
		if err == nil {
			_, err = w.Write(schema)
		}
		return err
	case "view":
		_, err := io.WriteString(w, page.Schema)
		return err
	}
	return view.WriteSchema(w, registry, name)
}

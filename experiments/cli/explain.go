package cli

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"bullring/experiments"
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
		Args: func(cmd *cobra.Command, args []string) error {
			return algorithm(cmd, registry, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := registry.Find(args[0])
			if err != nil {
				return err
			}
			return output(cmd, func(w io.Writer) error { return explain(w, a) })
		},
		ValidArgsFunction: completeAlgorithm(registry),
	}
}

func explain(w io.Writer, a *experiments.Algorithm) error {
	fmt.Fprintf(w, "%s: %s\n\n", a.Name, a.Title)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(name, format string, values ...any) {
		fmt.Fprintf(t, "%s\t%s\n", name, fmt.Sprintf(format, values...))
	}
	row("family", "%s", a.Family)
	row("source", "%s", a.Source)
	row("assumes", "%s", strings.Join(a.Assumes.Words(), ", "))
	row("cost", "%s", a.Cost)
	row("messages", "%s", strings.Join(a.Kinds, ", "))
	row("checks", "%s", strings.Join(a.Checks, ", "))
	for i, group := range a.Variants {
		row([]string{"variants", ""}[min(i, 1)], "%s (default %s)", strings.Join(group, " | "), group[0])
	}
	t.Flush()
	if len(a.Params) > 0 {
		fmt.Fprintln(w)
		fmt.Fprintln(t, "PARAMETER\tVALUES\tDEFAULT\tMEANING")
		for _, p := range a.Params {
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", p.Name, p.Form, p.Default, p.Meaning)
		}
		t.Flush()
	}
	if own := a.OwnMetrics(); len(own) > 0 {
		fmt.Fprintln(w)
		fmt.Fprintln(t, "METRIC\tMEANING")
		for _, m := range own {
			fmt.Fprintf(t, "%s\t%s\n", m.Name, m.Meaning)
		}
		t.Flush()
	}
	if len(a.Bounds) > 0 {
		fmt.Fprintln(w, "\nBOUNDS")
	}
	for _, b := range a.Bounds {
		fmt.Fprintf(w, "  %s: %s %v %s\n      %s\n", b.Name, b.Metric, b.Relation, b.Formula, b.Convention)
	}
	if a.Doc != "" {
		fmt.Fprintf(w, "\n%s\n", strings.TrimSpace(a.Doc))
	}
	return nil
}

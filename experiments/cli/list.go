package cli

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"bullring/experiments/cli/internal/view"
	"bullring/experiments/trial"
	"bullring/internal/suggest"
)

func listCommand(registry *trial.Registry) *cobra.Command {
	var asJSON bool
	var family string
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the algorithms",
		Long: `List the algorithms by family, with their topologies, what they tolerate, and their
cost. An entry that does not fit ends with three dots; bullring explain shows it in
full. --json prints the whole declarations: sources, kinds of messages, variants,
assumptions, and the bounds with formula and convention.`,
		Example: examples(registry, "bullring list", "bullring list --family election", "bullring list --json"),
		Args:    exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			all, families := ofFamily(registry, family)
			if len(all) == 0 && family != "" {
				return fmt.Errorf("--family %q%s", family, suggest.Among(family, families))
			}
			return show(cmd, view.Algorithms{Program: cmd.Root().Name(), All: all}, asJSON)
		},
		ValidArgsFunction: completeWords(),
	}
	textFlag(cmd, &family, "family", "FAMILY", "those of one family, such as election or mutex (default all)")
	_, families := ofFamily(registry, "")
	completeFlag(cmd, "family", completeWords(families...))
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array")
	return cmd
}

// ofFamily are the algorithms of a family, or all, and the families that there are.
func ofFamily(registry *trial.Registry, family string) (of []*trial.Algorithm, families []string) {
	for _, a := range registry.All() {
		if !slices.Contains(families, a.Family) {
			families = append(families, a.Family)
		}
		if family == "" || a.Family == family {
			of = append(of, a)
		}
	}
	return of, families
}

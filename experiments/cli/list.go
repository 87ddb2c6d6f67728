package cli

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"bullring/experiments/cli/internal/view"
	"bullring/experiments/trial"
	"bullring/experiments/trial/setting"
	"bullring/internal/suggest"
)

// listedBy are the conditions by which list selects.
var listedBy = []*setting.Condition{
	setting.Find("n"), setting.Find("topology"), setting.Find("fifo"), setting.Find("delay"), setting.Find("link"),
	setting.Find("transport"), setting.Find("detector"), setting.Find("fault"),
}

func listCommand(registry *trial.Registry) *cobra.Command {
	var asJSON bool
	var family string
	fits := &systemFlags{}
	cmd := &cobra.Command{
		Use:   "list [FAMILY]",
		Short: "List the algorithms",
		Long: `List the algorithms by family, with their cost. With a FAMILY, such as election or
mutex, list those of the family with their topologies and what they tolerate, too.

The flags of a system list the algorithms whose model allows a run of it. The others take
such a run with run --outside-model only, or not at all.

--json prints the whole declarations: sources, kinds of messages, variants, assumptions,
and the bounds with formula and convention.`,
		Example: listExamples(registry),
		Args: func(cmd *cobra.Command, args []string) error {
			if family != "" || len(args) == 0 {
				return arguments(cmd, args)
			}
			return arguments(cmd, args, "FAMILY")
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			given := "--family"
			if len(args) > 0 {
				given, family = "FAMILY", args[0]
			}
			all, families := ofFamily(registry, family)
			if len(all) == 0 && family != "" {
				return fmt.Errorf("%s %q%s", given, family, suggest.Among(family, families))
			}
			if asked(cmd) {
				var err error
				if all, err = fitting(registry, all, fits.read()); err != nil {
					return err
				}
			}
			return show(cmd, view.Algorithms{Program: cmd.Root().Name(), All: all}, asJSON)
		},
	}
	_, families := ofFamily(registry, "")
	cmd.ValidArgsFunction = first(completeWords(families...))
	textFlag(cmd, &family, "family", "FAMILY", "another way to say FAMILY")
	completeFlag(cmd, "family", completeWords(families...))
	fits.registerSome(cmd, registry, "Flags of a system", listedBy)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array")
	return cmd
}

// listExamples are examples that list something, whatever the registry has.
func listExamples(registry *trial.Registry) string {
	if !hasTour(registry) {
		return "  bullring list"
	}
	return "  bullring list\n  bullring list election\n  bullring list --topology ring --delay 'exp(1ms)'\n  bullring list election --fault 'at 1ms crash 2' --json"
}

// asked reports whether the command selects algorithms by a condition.
func asked(cmd *cobra.Command) bool {
	return slices.ContainsFunc(listedBy, func(c *setting.Condition) bool { return cmd.Flags().Changed(c.FlagName()) })
}

// fitting are the algorithms whose model allows a run of a setting. If there is none, the
// error is that of the first.
func fitting(registry *trial.Registry, all []*trial.Algorithm, s trial.Setting) (fit []*trial.Algorithm, err error) {
	for _, a := range all {
		s.Algorithm = a.Name
		_, refused := registry.Instance(s)
		if refused == nil {
			fit = append(fit, a)
		} else if err == nil {
			err = fmt.Errorf("no algorithm fits; %s: %w", a.Name, refused)
		}
	}
	if len(fit) > 0 {
		return fit, nil
	}
	return nil, err
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

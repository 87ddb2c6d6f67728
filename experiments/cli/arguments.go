package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"bullring/experiments/trial"
)

// exactly takes these arguments and no others.
func exactly(wanted ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error { return arguments(cmd, args, wanted...) }
}

// refuseEmpty makes a command refuse an argument that is empty. It usually comes from a shell
// variable that was not set.
func refuseEmpty(cmd *cobra.Command) {
	takes := cmd.Args
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if i := slices.IndexFunc(args, func(a string) bool { return strings.TrimSpace(a) == "" }); i >= 0 {
			return fmt.Errorf("argument %d of %s is empty", i+1, cmd.Name())
		}
		if takes == nil {
			return nil
		}
		return takes(cmd, args)
	}
}

// oneAlgorithm takes the name of an algorithm.
func oneAlgorithm(registry *trial.Registry) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) == 0 && nodeGiven(cmd):
			return nil
		case len(args) == 0:
			return fmt.Errorf("%s takes an algorithm; allowed are %s", cmd.Name(), strings.Join(registry.Names(), ", "))
		}
		return arguments(cmd, args, "ALGORITHM")
	}
}

// someDirs takes one folder or more.
func someDirs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("%s takes one DIR or more; given is none", cmd.Name())
	}
	return nil
}

// arguments refuses any number of arguments but that of the wanted ones.
func arguments(cmd *cobra.Command, args []string, wanted ...string) error {
	if len(args) == len(wanted) {
		return nil
	}
	takes := "no argument"
	if len(wanted) > 0 {
		takes = strings.Join(wanted, " and ") + " and no more"
	}
	hint := ""
	if len(args) > len(wanted) {
		hint = strayHint(cmd, args[len(args)-1])
	}
	command := strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
	return fmt.Errorf("%s takes %s; given is %s%s", command, takes, givenText(args), hint)
}

// givenText names the arguments in an error.
func givenText(args []string) string {
	if len(args) == 0 {
		return "nothing"
	}
	return fmt.Sprintf("%q", args)
}

// strayHint guesses why there is one argument too many.
func strayHint(cmd *cobra.Command, stray string) string {
	if stray == "true" || stray == "false" {
		return fmt.Sprintf("; a flag that is on or off takes its value after an equals sign, as in --fifo=%s", stray)
	}
	hint := ""
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if strings.HasSuffix(f.Value.String(), ",") {
			hint = fmt.Sprintf("; the list of --%s takes no spaces, or quotes around them", f.Name)
		}
	})
	return hint
}

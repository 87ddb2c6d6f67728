package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"bullring/experiments/trial"
	"bullring/netem"
)

// completion offers words when a shell completes one.
type completion = func(cmd *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective)

// completeWords offers the same words at every place.
func completeWords(words ...string) completion {
	return func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return words, cobra.ShellCompDirectiveNoFileComp
	}
}

// completeAlgorithm offers the names of the algorithms as the first argument, and those of families if a
// program is named.
func completeAlgorithm(registry *trial.Registry) completion {
	return first(func(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		var names []cobra.Completion
		all := registry.All()
		if nodeGiven(cmd) {
			all = slices.Concat(all, registry.Bare())
		}
		for _, a := range all {
			names = append(names, cobra.CompletionWithDesc(a.Name, a.Title))
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	})
}

// completeTopology offers the topologies of the algorithm on the line, or all
// topologies if there is none.
func completeTopology(registry *trial.Registry) completion {
	return func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		var topologies []string
		for _, f := range netem.Families {
			topologies = append(topologies, f.Example)
		}
		topologies = append(topologies, trial.GraphFile)
		if len(args) > 0 {
			if a, err := registry.Find(args[0]); err == nil {
				topologies = a.Topologies()
			}
		}
		return topologies, cobra.ShellCompDirectiveNoFileComp
	}
}

// completeVariant offers the words of the groups from which the list has no word
// yet.
func completeVariant(registry *trial.Registry) completion {
	return func(_ *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
		var words []cobra.Completion
		if len(args) == 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		a, err := registry.Find(args[0])
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		before := word[:strings.LastIndex(word, ",")+1]
		chosen := strings.Split(before, ",")
		for _, group := range a.Variants {
			if slices.ContainsFunc(group, func(w string) bool { return slices.Contains(chosen, w) }) {
				continue
			}
			for _, w := range group {
				words = append(words, before+w)
			}
		}
		return words, cobra.ShellCompDirectiveNoFileComp
	}
}

// completeSpec offers files with sweeps.
func completeSpec(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return []cobra.Completion{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt
}

// completeDir offers directories.
func completeDir(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// completePath offers files and directories.
func completePath(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveDefault
}

// first offers completions for the first argument alone.
func first(c completion) completion {
	return func(cmd *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return c(cmd, args, word)
	}
}

// completed is the value of a flag that has its own completions. They stay with the flag until
// a shell asks: cobra keeps what it is given in a global map for ever.
type completed struct {
	pflag.Value
	offer completion
}

// completeFlag gives a flag its own completions.
func completeFlag(cmd *cobra.Command, name string, c completion) {
	f := cmd.Flags().Lookup(name)
	f.Value = completed{f.Value, c}
}

// flagCompletions has a command line tell cobra the completions of its flags when a shell asks
// for some.
func flagCompletions(root *cobra.Command) {
	root.PersistentPreRun = func(cmd *cobra.Command, _ []string) {
		if cmd.Name() == cobra.ShellCompRequestCmd {
			visit(root, offerFlags)
		}
	}
}

// offerFlags tells cobra the completions of the flags of a command. Where a flag has none of its
// own, a choice offers its words and a folder directories; of a FILE the shell offers files.
func offerFlags(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		offer := cobra.NoFileCompletions
		switch v := f.Value.(type) {
		case completed:
			offer = v.offer
		case choice:
			offer = completeWords(v.allowed...)
		default:
			switch v.Type() {
			case "bool", "FILE":
				return
			case "DIR":
				offer = completeDir
			case "SPEC.yaml":
				offer = completeSpec
			}
		}
		if err := cmd.RegisterFlagCompletionFunc(f.Name, offer); err != nil {
			panic("cli: " + err.Error())
		}
	})
}

// completeParam offers the parameters of the algorithm on the line.
func completeParam(registry *trial.Registry) completion {
	return func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		var words []cobra.Completion
		if len(args) > 0 {
			if a, err := registry.Find(args[0]); err == nil {
				for _, p := range a.Params {
					words = append(words, cobra.CompletionWithDesc(p.Name+"="+p.Default, p.Meaning))
				}
			}
		}
		return words, cobra.ShellCompDirectiveNoFileComp
	}
}

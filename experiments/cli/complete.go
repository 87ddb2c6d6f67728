package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"bullring/experiments"
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

// completeAlgorithm offers the names of the algorithms as the first argument.
func completeAlgorithm(registry *experiments.Registry) completion {
	return first(func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		var names []cobra.Completion
		for _, a := range registry.All() {
			names = append(names, cobra.CompletionWithDesc(a.Name, a.Title))
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	})
}

// completeTopology offers the topologies of the algorithm on the line, or all
// topologies if there is none.
func completeTopology(registry *experiments.Registry) completion {
	return func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		var topologies []string
		for _, f := range netem.Families {
			topologies = append(topologies, f.Example)
		}
		topologies = append(topologies, experiments.GraphFile)
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
func completeVariant(registry *experiments.Registry) completion {
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

// completeFlags completes the flags of a command that have no completion of their own. A
// choice offers its words and a folder directories; of a FILE the shell offers files.
func completeFlags(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if _, done := cmd.GetFlagCompletionFunc(f.Name); done || f.Value.Type() == "bool" {
			return
		}
		words, isChoice := f.Value.(choice)
		switch form := f.Value.Type(); {
		case isChoice:
			completeFlag(cmd, f.Name, completeWords(words.allowed...))
		case form == "DIR":
			completeFlag(cmd, f.Name, completeDir)
		case form == "SPEC.yaml":
			completeFlag(cmd, f.Name, completeSpec)
		case form != "FILE":
			completeFlag(cmd, f.Name, cobra.NoFileCompletions)
		}
	})
}

// completeFlag panics if there is no such flag: a mistake in this package.
func completeFlag(cmd *cobra.Command, name string, c completion) {
	if err := cmd.RegisterFlagCompletionFunc(name, c); err != nil {
		panic("cli: " + err.Error())
	}
}

// completeParam offers the parameters of the algorithm on the line.
func completeParam(registry *experiments.Registry) completion {
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

package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"bullring/experiments"
	"bullring/netem"
)

// completion is what cobra asks when a shell completes a word.
type completion = func(cmd *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective)

// completeWords offers always the same words.
func completeWords(words ...string) completion {
	return func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return words, cobra.ShellCompDirectiveNoFileComp
	}
}

// completeAlgorithm offers the names of the algorithms, for the first
// argument.
func completeAlgorithm(registry *experiments.Registry) completion {
	return func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		var names []cobra.Completion
		if len(args) == 0 {
			for _, a := range registry.All() {
				names = append(names, cobra.CompletionWithDesc(a.Name, a.Title))
			}
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}

// completeTopology offers the topologies of the algorithm that stands on the
// line, or all.
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

// completeVariant offers the words of the groups that the list so far leaves
// open.
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

// completeFile offers the files with these extensions, for the first argument.
func completeFile(extensions ...string) completion {
	return func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return extensions, cobra.ShellCompDirectiveFilterFileExt
	}
}

// completeDir offers directories, for the first argument.
func completeDir(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return nil, cobra.ShellCompDirectiveFilterDirs
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

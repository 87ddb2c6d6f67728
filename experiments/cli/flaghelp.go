package cli

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"bullring/internal/suggest"
)

// flagGroup is the annotation of a flag with the heading under which the help has it.
const flagGroup = "bullring_group"

// flagsUnder calls add, and puts the flags that it adds under a heading of the help. The
// flags of the command are not sorted.
func flagsUnder(cmd *cobra.Command, heading string, add func()) {
	before := 0
	cmd.Flags().VisitAll(func(*pflag.Flag) { before++ })
	add()
	group := []string{heading}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if before--; before >= 0 || f.Annotations[flagGroup] != nil {
			return
		}
		if f.Annotations == nil {
			f.Annotations = map[string][]string{}
		}
		f.Annotations[flagGroup] = group
	})
}

// flagWidth is the width of the help of flags.
const flagWidth = 100

// usage prints how a command is called, as cobra does, but with the flags under headings. A
// template would be shorter, and the program larger by a quarter: with text/template the
// linker keeps every exported method.
func usage(cmd *cobra.Command) error {
	var b strings.Builder
	b.WriteString("Usage:")
	if cmd.Runnable() {
		b.WriteString("\n  " + cmd.UseLine())
	}
	if cmd.HasAvailableSubCommands() {
		b.WriteString("\n  " + cmd.CommandPath() + " [command]")
	}
	if cmd.HasExample() {
		b.WriteString("\n\nExamples:\n" + cmd.Example)
	}
	if cmd.HasAvailableSubCommands() {
		b.WriteString("\n\nAvailable Commands:")
	}
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() || c.Name() == "help" {
			fmt.Fprintf(&b, "\n  %-*s %s", c.NamePadding(), c.Name(), c.Short)
		}
	}
	if cmd.HasAvailableLocalFlags() {
		b.WriteString("\n\n" + strings.TrimRightFunc(groupedFlags(cmd.LocalFlags()), unicode.IsSpace))
	}
	if cmd.HasAvailableInheritedFlags() {
		b.WriteString("\n\nGlobal Flags:\n" + strings.TrimRightFunc(cmd.InheritedFlags().FlagUsages(), unicode.IsSpace))
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\n\nUse %q for more information about a command.", cmd.CommandPath()+" [command] --help")
	}
	_, err := fmt.Fprintln(cmd.OutOrStderr(), b.String())
	return err
}

// groupedFlags is the help of the flags of a command under their headings, in the order in
// which they were added.
func groupedFlags(flags *pflag.FlagSet) string {
	var headings []string
	groups := map[string]*pflag.FlagSet{}
	flags.VisitAll(func(f *pflag.Flag) {
		heading := "Flags"
		if g := f.Annotations[flagGroup]; g != nil {
			heading = g[0]
		}
		if groups[heading] == nil {
			headings = append(headings, heading)
			groups[heading] = pflag.NewFlagSet(heading, pflag.ContinueOnError)
			groups[heading].SortFlags = false
		}
		groups[heading].AddFlag(f)
	})
	var b strings.Builder
	for i, heading := range headings {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "%s:\n%s", heading, groups[heading].FlagUsagesWrapped(flagWidth))
	}
	return b.String()
}

// formerly are the names of flags in earlier versions. Commands in papers have them.
var formerly = map[string]string{"assume-delay": "assume", "mode": "link-mode"}

// flagName is the name that a flag has now.
func flagName(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	if now, ok := formerly[name]; ok {
		name = now
	}
	return pflag.NormalizedName(name)
}

// flagError words an error of a flag: what was given, and what is allowed.
func flagError(cmd *cobra.Command, err error) error {
	help := fmt.Sprintf("; %s --help lists the flags", cmd.CommandPath())
	if e, ok := errors.AsType[*pflag.NotExistError](err); ok {
		return unknownFlag(cmd, e, help)
	}
	if e, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		reason := e.Unwrap()
		if e.GetFlag().Value.Type() == "bool" {
			reason = errors.New("allowed are true and false")
		}
		return fmt.Errorf("--%s %q: %w", e.GetFlag().Name, e.GetValue(), reason)
	}
	if e, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		name, _ := pflag.UnquoteUsage(e.GetFlag())
		return fmt.Errorf("--%s needs a value: --%s %s%s", e.GetFlag().Name, e.GetFlag().Name, name, help)
	}
	return fmt.Errorf("%w%s", err, help)
}

func unknownFlag(cmd *cobra.Command, e *pflag.NotExistError, help string) error {
	if s := e.GetSpecifiedShortnames(); s != "" {
		return fmt.Errorf("unknown flag %q%s", "-"+s, help)
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	given := "--" + e.GetSpecifiedName()
	return fmt.Errorf("unknown flag %q%s%s", given, suggest.DidYouMean(given, names), help)
}

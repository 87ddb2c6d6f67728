package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"bullring/experiments/cli/internal/view"
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

// help prints what a command does and how it is called.
func help(cmd *cobra.Command, _ []string) {
	err := printText(cmd, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s\n\n%s\n", view.Paragraphs(cmp.Or(cmd.Long, cmd.Short)), usageText(cmd))
		return err
	})
	if err != nil {
		cmd.PrintErrln(err)
	}
}

// usage prints how a command is called.
func usage(cmd *cobra.Command) error {
	out := cmd.OutOrStderr()
	return formOf(out).Print(out, func(w io.Writer) error {
		_, err := fmt.Fprintln(w, usageText(cmd))
		return err
	})
}

// usageText is how a command is called, as cobra says it, but with the flags under headings. A
// template would be shorter, and the program larger by a quarter: with text/template the
// linker keeps every exported method.
func usageText(cmd *cobra.Command) string {
	var b strings.Builder
	b.WriteString("Usage:")
	if cmd.Runnable() {
		b.WriteString("\n  " + view.Command(cmd.UseLine()))
	}
	if cmd.HasAvailableSubCommands() {
		b.WriteString("\n  " + cmd.CommandPath() + " [command]")
	}
	if cmd.HasExample() {
		b.WriteString("\n\nExamples:")
		for line := range strings.SplitSeq(cmd.Example, "\n") {
			b.WriteString("\n  " + view.Command(strings.TrimPrefix(line, "  ")))
		}
	}
	b.WriteString(commandsText(cmd))
	if cmd.HasAvailableLocalFlags() {
		b.WriteString("\n\n" + strings.TrimRightFunc(groupedFlags(cmd.LocalFlags(), formOf(cmd.OutOrStdout()).Columns), unicode.IsSpace))
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\n\nUse %q for more information about a command.", cmd.CommandPath()+" [command] --help")
	}
	return b.String()
}

// commandsText lists the commands below a command, by group.
func commandsText(cmd *cobra.Command) string {
	var b strings.Builder
	for _, g := range append(cmd.Groups(), &cobra.Group{Title: "Commands:"}) {
		heading := "\n\n" + g.Title
		for _, c := range cmd.Commands() {
			if c.GroupID == g.ID && (c.IsAvailableCommand() || c.Name() == "help") {
				fmt.Fprintf(&b, "%s\n  %-*s  %s", heading, c.NamePadding(), c.Name(), c.Short)
				heading = ""
			}
		}
	}
	return b.String()
}

// groupedFlags is the help of the flags of a command under their headings, in the order in
// which they were added, in so many columns.
func groupedFlags(flags *pflag.FlagSet, columns int) string {
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
		if f.DefValue == "[]" { // of a flag that may be repeated; pflag does not take it for nothing
			f.DefValue = ""
		}
		groups[heading].AddFlag(f)
	})
	var b strings.Builder
	for i, heading := range headings {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "%s:\n%s", heading, groups[heading].FlagUsagesWrapped(columns))
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

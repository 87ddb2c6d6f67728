// Package cli is the command line over a registry of algorithms. A program of
// one line gives every subcommand to a registry of somebody else's:
//
//	func main() { os.Exit(cli.Main(registry)) }
//
// There is no logic of experiments here: the subcommands read flags, call
// package experiments, and print.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"unicode"

	"github.com/jonboulle/clockwork"
	"github.com/spf13/cobra"

	"bullring/experiments"
	"bullring/internal/build"
	"bullring/internal/suggest"
	"bullring/netem"
	"bullring/netem/explore"
)

// The exit statuses. Whoever scripts runs can tell a wrong result from a wrong
// command, and "it did not finish" from "it was right".
const (
	statusFailed      = 1
	statusUsage       = 2
	statusUndecided   = 3
	statusInterrupted = 128 + int(syscall.SIGINT) // what a shell reports of a program ended so
)

const statuses = `Exit status:
  0    it went well
  1    a run broke a proven bound or, inside the algorithm's model, a check; or the
       algorithm panicked, or is not deterministic; or something else failed
  2    the command or its input is wrong; nothing was run
  3    nothing can be said of a run: it ended at --max-events or --max-time, or with
       its schedule, or a crash went unnoticed
  4    parts of a sweep are missing (merge, status), or a shard has more to do
  130  interrupted; what was known by then has been printed`

// exit is an error with an exit status of its own. Any other error means that
// the input was wrong.
type exit struct {
	status int
	error
}

func (e exit) Unwrap() error { return e.error }

// Main runs the command line of the process over the registry and returns the
// exit status.
func Main(registry *experiments.Registry) int {
	root := named(newCommand(registry, clockwork.NewRealClock()), programName(os.Args[0]))
	return execute(withSignals(root.Name()), root)
}

// programName is the name of a program by the path under which it was called.
func programName(path string) string {
	return strings.TrimSuffix(filepath.Base(path), ".exe")
}

// named gives the command line the name of the program in which it is, so that what it
// prints can be typed.
func named(root *cobra.Command, name string) *cobra.Command {
	prefix := root.Name() + " "
	root.Use = name
	visit(root, func(c *cobra.Command) {
		c.Example = strings.ReplaceAll("\n"+c.Example, "\n  "+prefix, "\n  "+name+" ")[1:]
	})
	return root
}

// visit calls f for a command and all below it.
func visit(cmd *cobra.Command, f func(*cobra.Command)) {
	f(cmd)
	for _, c := range cmd.Commands() {
		visit(c, f)
	}
}

// execute runs a command, tells what went wrong, and returns the exit status.
func execute(ctx context.Context, root *cobra.Command) int {
	err := root.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	fmt.Fprintf(root.ErrOrStderr(), "%s: %s\n", root.Name(), printable(err.Error()))
	status := statusUsage
	if e, ok := errors.AsType[exit](err); ok {
		status = e.status
	} else if misbehaves(err) {
		status = statusFailed
	}
	if p, ok := errors.AsType[*experiments.PanicError](err); ok {
		for _, frame := range p.Frames {
			fmt.Fprintf(root.ErrOrStderr(), "  in %s\n", printable(frame))
		}
	}
	return status
}

// misbehaves reports whether an error is that of an algorithm's program, and not of the
// command.
func misbehaves(err error) bool {
	_, panics := errors.AsType[*experiments.PanicError](err)
	_, unsteady := errors.AsType[*explore.NotDeterministicError](err)
	_, improper := errors.AsType[*experiments.ConductError](err)
	return panics || unsteady || improper
}

// printable makes an error fit for a terminal. It replaces what a terminal
// would act upon, such as an escape in the name of a file, and cuts lines that
// nobody would read: an error about a list of a hundred thousand identities
// tells both the list and what is wrong with it.
func printable(text string) string {
	const longest, head, tail = 1200, 400, 600 // bytes
	text = strings.Map(func(r rune) rune {
		if r != '\n' && !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if len(line) > longest {
			lines[i] = strings.ToValidUTF8(line[:head], "") + " ... " + strings.ToValidUTF8(line[len(line)-tail:], "")
		}
	}
	return strings.Join(lines, "\n")
}

// newCommand returns the command line over the registry. Errors are returned, not
// printed.
func newCommand(registry *experiments.Registry, clock clockwork.Clock) *cobra.Command {
	root := &cobra.Command{
		Use:   "bullring",
		Short: "Emulate distributed algorithms and set their cost beside the theory",
		Long: `Emulate distributed algorithms, message by message in virtual time, and set what
they cost beside what theory says.

` + statuses,
		Example: examples(registry,
			"bullring list",
			"bullring run lcr --n 8 --placement decreasing"),
		Version:       fmt.Sprintf("%v, epoch %d, %s", build.ThisProgram(), netem.Epoch, runtime.Version()),
		Args:          knownCommand,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetFlagErrorFunc(flagError)
	root.SetGlobalNormalizationFunc(flagName)
	root.SetUsageTemplate(strings.Replace(root.UsageTemplate(), "Flags:\n{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}",
		"{{groupedFlags .LocalFlags | trimTrailingWhitespaces}}", 1))
	root.AddCommand(
		listCommand(registry),
		explainCommand(registry),
		runCommand(registry),
		exploreCommand(registry),
		checkCommand(registry),
		sweepCommand(registry, clock),
		mergeCommand(registry, clock),
		statusCommand(registry, clock),
		slurmCommand(registry),
		plotCommand(registry),
		schemaCommand(registry),
		replayCommand(registry),
		verifyCommand(registry, clock),
		linkCommand(),
		whyCommand(registry),
		criticalityCommand(registry),
		shrinkCommand(registry),
		worstCommand(registry),
	)
	addCobraCommands(root)
	visit(root, completeFlags)
	return root
}

// addCobraCommands has cobra add its commands now, to give them examples and
// to have them refuse what they do not know.
func addCobraCommands(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "help":
			c.Example = "  bullring help run"
			c.Args = func(_ *cobra.Command, args []string) error {
				found, rest, err := root.Find(args)
				if err != nil {
					return err
				}
				return knownCommand(found, rest)
			}
		case "completion":
			c.Example = "  bullring completion bash"
			c.Args = knownCommand
			c.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
			for _, shell := range c.Commands() {
				shell.Example = "  bullring completion " + shell.Name()
				shell.Args = func(cmd *cobra.Command, args []string) error { return arguments(cmd, args) }
				shell.RunE = completionScript
			}
		}
	}
}

// completionScript prints a shell's script to where the command prints; cobra's
// own would go to where it printed when it was made.
func completionScript(cmd *cobra.Command, _ []string) error {
	plain, err := cmd.Flags().GetBool("no-descriptions")
	if err != nil {
		return err
	}
	root := cmd.Root()
	return output(cmd, func(w io.Writer) error {
		switch shell := cmd.Name(); {
		case shell == "bash":
			return root.GenBashCompletionV2(w, !plain)
		case shell == "fish":
			return root.GenFishCompletion(w, !plain)
		case shell == "zsh" && plain:
			return root.GenZshCompletionNoDesc(w)
		case shell == "zsh":
			return root.GenZshCompletion(w)
		case plain:
			return root.GenPowerShellCompletion(w)
		default:
			return root.GenPowerShellCompletionWithDesc(w)
		}
	})
}

// knownCommand refuses the arguments that are left when no command of that name
// was found.
func knownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() || c.Name() == "help" {
			names = append(names, c.Name())
		}
	}
	if len(names) == 0 {
		return arguments(cmd, args)
	}
	return fmt.Errorf("unknown command %q%s", args[0], suggest.Among(args[0], names))
}

// examples keeps the example commands that work over this registry: whoever
// brings an algorithm may have left out the ones that the examples run.
func examples(registry *experiments.Registry, commands ...string) string {
	var lines []string
	for _, c := range commands {
		words := strings.Fields(c)
		if slices.Contains([]string{"run", "explain", "explore", "check", "why", "criticality", "shrink", "worst"}, words[1]) {
			if _, err := registry.Find(words[2]); err != nil {
				continue
			}
		}
		lines = append(lines, "  "+c)
	}
	if names := registry.Names(); len(lines) == 0 && len(names) > 0 {
		words := strings.Fields(commands[0])
		lines = []string{"  bullring " + words[1] + " " + names[0]}
	}
	return strings.Join(lines, "\n")
}

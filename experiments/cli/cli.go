// Package cli is the command line over a registry of algorithms. A program of one line
// has every subcommand for a registry of its own:
//
//	func main() { os.Exit(cli.Main(registry)) }
//
// Each file holds one subcommand. It reads the flags, calls the package that does the
// work, and has package view print the result. Experiments have no logic here.
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

	"github.com/jonboulle/clockwork"
	"github.com/spf13/cobra"

	"bullring/experiments/trial"
	"bullring/internal/build"
	"bullring/internal/suggest"
	"bullring/netem"
	"bullring/netem/explore"
)

// The exit statuses. A script can tell a wrong result from a wrong command, and an
// unfinished run from a correct one.
const (
	statusFailed      = 1
	statusUsage       = 2
	statusUndecided   = 3
	statusInterrupted = 128 + int(syscall.SIGINT) // as a shell reports it
)

const statuses = `Exit status:
  0    success
  1    a run broke a proven bound or, inside the algorithm's model, violated a
       check; the algorithm panicked or is not deterministic; or something else
       failed
  2    the command or its input is wrong; nothing was run
  3    inconclusive: a run ended at a limit or with its schedule, a crash went
       unnoticed, or a program did not answer in time
  4    parts or trials of a sweep are missing (merge, status), or a shard has more
       to do
  130  interrupted; the results known by then have been printed`

// exit is an error with an exit status. An error without one means that the input was
// wrong.
type exit struct {
	status int
	error
}

func (e exit) Unwrap() error { return e.error }

// Main runs the command line of the process over the registry and returns the
// exit status.
func Main(registry *trial.Registry) int {
	root := named(newCommand(registry, clockwork.NewRealClock()), programName(os.Args[0]))
	return execute(withSignals(root.Name(), grace), root)
}

// programName is the name of a program that was called by this path.
func programName(path string) string {
	return strings.TrimSuffix(filepath.Base(path), ".exe")
}

// named gives the command line the name of its program, so that the commands in its help
// can be typed.
func named(root *cobra.Command, name string) *cobra.Command {
	prefix := root.Name() + " "
	root.Use = name
	visit(root, func(c *cobra.Command) {
		c.Example = strings.ReplaceAll("\n"+c.Example, "\n  "+prefix, "\n  "+name+" ")[1:]
	})
	return root
}

// visit calls f for a command and for the commands below it.
func visit(cmd *cobra.Command, f func(*cobra.Command)) {
	f(cmd)
	for _, c := range cmd.Commands() {
		visit(c, f)
	}
}

// execute runs a command, prints its error, and returns the exit status.
func execute(ctx context.Context, root *cobra.Command) int {
	out := &escaper{beneath: root.OutOrStdout(), colours: hasColours(root.OutOrStdout())}
	errs := &escaper{beneath: root.ErrOrStderr()}
	defer out.flush()
	defer errs.flush()
	root.SetOut(out)
	root.SetErr(errs)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	form := formOf(root.ErrOrStderr())
	fmt.Fprintln(root.ErrOrStderr(), form.Wrapped(root.Name()+": "+shortened(err.Error())))
	status := statusUsage
	if trial.IsLate(err) {
		status = statusUndecided
	} else if e, ok := errors.AsType[exit](err); ok {
		status = e.status
	} else if misbehaves(err) {
		status = statusFailed
	}
	if p, ok := errors.AsType[*trial.PanicError](err); ok {
		for _, frame := range p.Frames {
			fmt.Fprintln(root.ErrOrStderr(), form.Wrapped("in "+shortened(frame)))
		}
	}
	return status
}

// misbehaves reports whether an algorithm's program is to blame for an error, and not the
// command.
func misbehaves(err error) bool {
	_, panics := errors.AsType[*trial.PanicError](err)
	_, unsteady := errors.AsType[*explore.NotDeterministicError](err)
	_, improper := errors.AsType[*trial.ConductError](err)
	_, wrong := errors.AsType[*trial.Misbehaviour](err)
	return panics || unsteady || improper || wrong
}

// shortened cuts long lines of an error in the middle: an error about a list of a hundred
// thousand identities begins with the list and ends with what is wrong with it.
func shortened(text string) string {
	const longest, head, tail = 1200, 400, 600 // bytes
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if len(line) > longest {
			lines[i] = strings.ToValidUTF8(line[:head], "") + " ... " + strings.ToValidUTF8(line[len(line)-tail:], "")
		}
	}
	return strings.Join(lines, "\n")
}

// newCommand returns the command line over the registry. Its commands return errors and
// do not print them.
func newCommand(registry *trial.Registry, clock clockwork.Clock) *cobra.Command {
	registry, nodes := withNodes(registry)
	root := &cobra.Command{
		Use:   "bullring",
		Short: "Emulate distributed algorithms and compare their cost with theory",
		Long: `Emulate distributed algorithms message by message in virtual time, and compare their
measured cost with theory.

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
	root.SetUsageFunc(usage)
	root.SetHelpFunc(help)
	for _, g := range groups(registry, clock) {
		root.AddGroup(&cobra.Group{ID: g.wish, Title: g.wish + ":"})
		for _, c := range g.commands {
			c.GroupID = g.wish
			root.AddCommand(c)
		}
	}
	addCobraCommands(root)
	visit(root, func(c *cobra.Command) { hostNodes(c, nodes) })
	visit(root, refuseEmpty)
	flagCompletions(root)
	return root
}

// group is the commands that do what a user wants.
type group struct {
	wish     string
	commands []*cobra.Command
}

func groups(registry *trial.Registry, clock clockwork.Clock) []group {
	learn := []*cobra.Command{listCommand(registry), explainCommand(registry)}
	if hasTour(registry) {
		learn = append([]*cobra.Command{tourCommand(registry)}, learn...)
	}
	return []group{
		{"Find out what there is", learn},
		{"Run an algorithm", []*cobra.Command{runCommand(registry), liveCommand(registry), nodeCommand(registry), linkCommand()}},
		{"Look at a run", []*cobra.Command{whyCommand(registry), viewCommand(registry), diagramCommand(registry), criticalityCommand(registry), exportCommand(registry)}},
		{"Search among runs", []*cobra.Command{judgeCommand(registry, clock), exploreCommand(registry), huntCommand(registry, clock), shrinkCommand(registry), worstCommand(registry), conjectureCommand(registry), rareCommand(registry, clock), checkCommand(registry)}},
		{"Measure and draw", []*cobra.Command{
			sweepCommand(registry, clock), statusCommand(registry, clock), mergeCommand(registry, clock), slurmCommand(registry),
			plotCommand(registry), reportCommand(registry), schemaCommand(registry),
		}},
		{"Teach", []*cobra.Command{gradeCommand(registry, clock)}},
		{"Repeat and compare", []*cobra.Command{replayCommand(registry), verifyCommand(registry, clock)}},
		{about, []*cobra.Command{versionCommand()}},
	}
}

// about is the group of the commands about the program itself.
const about = "About the program"

// addCobraCommands has cobra add its own commands now, gives them examples, and makes them
// refuse unknown arguments.
func addCobraCommands(root *cobra.Command) {
	root.SetHelpCommandGroupID(about)
	root.SetCompletionCommandGroupID(about)
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

// completionScript prints the script of a shell to the output of the command. Cobra's own
// function would print to the output that the command had when it was made.
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

// knownCommand refuses the arguments that are left if they name no command.
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

// examples keeps the example commands whose algorithms the registry has. A registry of
// another module may lack them; then the first command is shown with an algorithm of it.
func examples(registry *trial.Registry, commands ...string) string {
	var lines []string
	for _, c := range commands {
		words := strings.Fields(c)
		if slices.Contains([]string{"run", "live", "explain", "explore", "judge", "check", "hunt", "why", "view", "diagram", "criticality", "shrink", "worst", "conjecture", "rare", "export"}, words[1]) {
			if _, err := registry.Find(words[2]); err != nil {
				continue
			}
		}
		lines = append(lines, "  "+c)
	}
	if names := registry.Names(); len(lines) == 0 && len(names) > 0 {
		words := strings.Fields(commands[0])
		words[2] = names[0]
		lines = []string{"  " + strings.Join(words, " ")}
	}
	return strings.Join(lines, "\n")
}

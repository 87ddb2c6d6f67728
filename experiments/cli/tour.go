package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"bullring/docs"
	"bullring/experiments/cli/internal/tour"
	"bullring/experiments/cli/internal/view"
	"bullring/experiments/trial"
	"bullring/internal/build"
	"bullring/internal/regular"
	"bullring/internal/wholefile"
)

// tourFlags are the flags of tour.
type tourFlags struct{ dir, out string }

// hasTour reports whether the program has the algorithms of the tour.
func hasTour(registry *trial.Registry) bool {
	return isAlgorithm(registry, "lcr") && isAlgorithm(registry, "bully")
}

func tourCommand(registry *trial.Registry) *cobra.Command {
	f := &tourFlags{dir: "bullring-tour"}
	cmd := &cobra.Command{
		Use:   "tour",
		Short: "Show in ten minutes what the program does",
		Long: `Show what the program does: a run and its cost, a run that goes wrong, the reason, the
smallest run that goes wrong in the same way, a proof, and the way to your own
algorithm. On a terminal each command waits for Enter and then runs. Elsewhere all
commands run one after another.

The commands write their pictures and pages into the folder of --dir. With -o the tour
becomes one page for a browser, with the pictures in it. docs/tour.md is the same tour.

` + statuses,
		Example: examples(registry, "bullring tour", "bullring tour -o tour.html"),
		Args:    func(cmd *cobra.Command, args []string) error { return arguments(cmd, args) },
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.out != "" {
				return f.page(cmd)
			}
			return f.guide(cmd)
		},
	}
	textFlag(cmd, &f.dir, "dir", "DIR", "where the commands write their files")
	cmd.Flags().VarP(text(&f.out, "FILE"), "out", "o", "write the tour as one page for a browser; a tour that is there is replaced")
	return cmd
}

// guide shows the tour on the terminal.
func (f *tourFlags) guide(cmd *cobra.Command) error {
	if err := os.MkdirAll(f.dir, 0o777); err != nil {
		return err
	}
	out, ask := cmd.OutOrStdout(), newAsker(cmd.InOrStdin())
	tell := func(format string, values ...any) {
		formOf(out).Print(out, func(w io.Writer) error {
			_, err := fmt.Fprintf(w, format, values...)
			return err
		})
	}
	for i, s := range tour.Stations(docs.Tour) {
		tell("\n%d. %s\n%s\n", i+1, s.Title, strings.Repeat("-", len(s.Title)+3))
		for _, p := range s.Parts {
			switch p.Kind {
			case tour.Prose:
				tell("\n%s\n", tour.Plain(p.Text))
			case tour.Code:
				fmt.Fprintf(out, "\n%s", p.Text)
			case tour.Picture:
				tell("\nThe picture is %s: %s.\n", filepath.Join(f.dir, p.File), tour.Plain(p.Text))
			case tour.Command:
				tell("\n$ %s\n", view.Command(p.Text))
				if on, err := ask.on(cmd.Context(), out); err != nil || !on {
					return err
				}
				if err := take(cmd, p.Text, f.dir, out, cmd.ErrOrStderr()); err != nil {
					return err
				}
			}
		}
	}
	_, err := fmt.Fprintf(out, "\nThe files of the tour are in the folder %s\n", f.dir)
	return err
}

// page writes the tour as a page.
func (f *tourFlags) page(cmd *cobra.Command) error {
	if err := wholefile.CheckOutput(f.out, "a tour that bullring wrote", func() error { return isTour(f.out) }); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "bullring-tour-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	stations := tour.Stations(docs.Tour)
	taken := tour.Taken{Version: build.ThisProgram().String(), Outputs: map[string]string{}, Files: map[string][]byte{}}
	for _, s := range stations {
		for _, p := range s.Parts {
			switch p.Kind {
			case tour.Command:
				var printed bytes.Buffer
				if err := take(cmd, p.Text, dir, &printed, io.Discard); err != nil {
					return err
				}
				taken.Outputs[p.Text] = printed.String()
			case tour.Picture:
				if taken.Files[p.File], err = regular.ReadInput(filepath.Join(dir, p.File)); err != nil {
					return err
				}
			}
		}
	}
	var page bytes.Buffer
	if err := taken.Write(&page, stations); err != nil {
		return err
	}
	if _, err := wholefile.Write(f.out, page.Bytes()); err != nil {
		return exit{statusFailed, err}
	}
	_, err = fmt.Fprintln(cmd.OutOrStdout(), "written to", f.out)
	return err
}

// isTour returns an error unless a file is a page of the tour.
func isTour(path string) error {
	text, err := regular.ReadInput(path)
	if err == nil && !bytes.Contains(text, []byte(tour.Generator)) {
		err = errors.New("it is no tour")
	}
	return err
}

// take runs a command of the tour with this program, in a folder. A command that finds a
// mistake in a run has an exit status for that, and ends no tour.
func take(cmd *cobra.Command, command, dir string, out, complaints io.Writer) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	step := exec.CommandContext(cmd.Context(), self, tour.Words(command)[1:]...)
	step.Dir, step.Stdout, step.Stderr = dir, out, complaints
	step.Env = append(os.Environ(), fmt.Sprintf("COLUMNS=%d", formOf(out).Columns)) // it has no terminal of its own
	err = step.Run()
	if cmd.Context().Err() != nil {
		return interrupted(cmd.Context())
	}
	if failed, ok := errors.AsType[*exec.ExitError](err); ok && failed.ExitCode() > 0 && failed.ExitCode() != statusUsage {
		return nil
	}
	if err != nil {
		return exit{statusFailed, fmt.Errorf("%s: %w", command, err)}
	}
	return nil
}

// asker asks before each command whether the tour goes on.
type asker struct{ lines chan string } // nil without a terminal

func newAsker(in io.Reader) *asker {
	f, ok := in.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return &asker{}
	}
	a := &asker{make(chan string)}
	go func() {
		defer close(a.lines)
		for s := bufio.NewScanner(f); s.Scan(); {
			a.lines <- s.Text()
		}
	}()
	return a
}

// on reports whether the tour goes on. On a terminal it waits for a line.
func (a *asker) on(ctx context.Context, out io.Writer) (bool, error) {
	if a.lines == nil {
		return true, nil
	}
	fmt.Fprint(out, "[Enter runs it, q ends the tour] ")
	select {
	case line, more := <-a.lines:
		return more && strings.TrimSpace(line) != "q", nil
	case <-ctx.Done():
		return false, interrupted(ctx)
	}
}

package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"bullring/experiments/campaign/figures"
	"bullring/experiments/campaign/sweep"
	"bullring/experiments/trial"
)

func plotCommand(registry *trial.Registry) *cobra.Command {
	file := ""
	cmd := &cobra.Command{
		Use:   "plot DIR",
		Short: "Draw the figures and tables of a sweep again",
		Long: `Draw the figures of a sweep again from its results: every figure as PNG, SVG and PDF,
and the plotted numbers as CSV; and its tables for LaTeX, in Markdown and as CSV. The same
results give the same bytes.

--spec takes the labels, titles, comparisons, figures and tables from an edited sweep, which
has to ask for the same trials. All files of DIR are then written again from its rows, and
nothing is run. bullring sweep does the same, with the edited file and the same folder.

` + statuses,
		Example: "  bullring plot out/demo\n  bullring plot out/demo --spec edited.yaml",
		Args:    exactly("DIR"),
		RunE: func(cmd *cobra.Command, args []string) error {
			paths, err := draw(registry, args[0], file)
			if err != nil {
				return err
			}
			if len(paths) == 0 {
				return fmt.Errorf("the sweep in %s declares neither figures nor tables: there is nothing to draw", args[0])
			}
			warnOfKept(new(watch).logger(cmd.ErrOrStderr()), args[0])
			return output(cmd, func(w io.Writer) error {
				_, err := fmt.Fprintln(w, strings.Join(paths, "\n"))
				return err
			})
		},
		ValidArgsFunction: first(completeDir),
	}
	textFlag(cmd, &file, "spec", "SPEC.yaml", "draw the figures and tables of this edited sweep; its trials have to be those of DIR")
	return cmd
}

// draw draws the figures of a folder: its own, or those of an edited sweep.
func draw(registry *trial.Registry, dir, file string) ([]string, error) {
	if file == "" {
		return figures.Draw(registry, dir)
	}
	sw, err := readSweep(registry, file, dir)
	if err != nil {
		return nil, err
	}
	return sweep.Redraw(sw, figures.DrawHere)
}

package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"bullring/experiments"
)

func plotCommand(registry *experiments.Registry) *cobra.Command {
	return &cobra.Command{
		Use:   "plot DIR",
		Short: "Draw the figures of a sweep again",
		Long: `Draw the figures of a sweep again, from its results: every figure as PNG, SVG
and PDF, and the plotted numbers as CSV. The same results give the same bytes.

` + statuses,
		Example: "  bullring plot out/demo",
		Args:    func(cmd *cobra.Command, args []string) error { return arguments(cmd, args, "DIR") },
		RunE: func(cmd *cobra.Command, args []string) error {
			figures, err := experiments.Draw(registry, args[0])
			if err != nil {
				return err
			}
			if len(figures) == 0 {
				return fmt.Errorf("the sweep in %s declares no figures: there is nothing to draw", args[0])
			}
			return output(cmd, func(w io.Writer) error {
				_, err := fmt.Fprintln(w, strings.Join(figures, "\n"))
				return err
			})
		},
		ValidArgsFunction: completeDir,
	}
}

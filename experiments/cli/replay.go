package cli

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"bullring/experiments"
	"bullring/netem"
)

func replayCommand(registry *experiments.Registry) *cobra.Command {
	var trace bool
	cmd := &cobra.Command{
		Use:   "replay DIR ROW",
		Short: "Run a row of a sweep's results again and compare",
		Long: `Run the trial of one row of a sweep's results again, show it as run does, and
compare it with the row, column by column. Rows of results.csv count from 1, as
its column row says. That a row does not repeat is an error that names the first
difference.

` + statuses,
		Example: "  bullring replay out/demo 3\n  bullring replay out/demo 1 --trace",
		Args:    func(cmd *cobra.Command, args []string) error { return arguments(cmd, args, "DIR", "ROW") },
		RunE: func(cmd *cobra.Command, args []string) error {
			row, err := strconv.Atoi(args[1])
			if err != nil || row < 1 {
				return fmt.Errorf("row %q: ROW takes a whole number from 1", args[1])
			}
			return replay(cmd, registry, args[0], row, trace)
		},
		ValidArgsFunction: completeDir,
	}
	cmd.Flags().BoolVar(&trace, "trace", false, "print every event first")
	return cmd
}

func replay(cmd *cobra.Command, registry *experiments.Registry, dir string, row int, trace bool) error {
	tracer, flush := traceTo(nil)
	if trace {
		tracer, flush = traceTo(cmd.OutOrStdout())
	}
	r, err := experiments.Replay(cmd.Context(), registry, dir, row, tracer)
	if r == nil {
		return err // there is no such row
	}
	if flushErr := flush(); flushErr != nil {
		return exit{statusFailed, fmt.Errorf("writing the trace: %w", flushErr)}
	}
	if outputErr := output(cmd, func(w io.Writer) error {
		if writeErr := writeReport(w, cmd.Root().Name(), r); writeErr != nil {
			return writeErr
		}
		if err != nil {
			return nil
		}
		_, writeErr := fmt.Fprintf(w, "This is what row %d of %s says.\n", row, dir)
		return writeErr
	}); outputErr != nil {
		return outputErr
	}
	if r.End == netem.Interrupted {
		return interrupted(cmd.Context())
	}
	if err != nil {
		return exit{statusFailed, errors.Join(err, r.BrokenBound())}
	}
	return judgement(cmd.Context(), r)
}

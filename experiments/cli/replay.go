package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"bullring/experiments/campaign/spec"
	"bullring/experiments/campaign/verify"
	"bullring/experiments/cli/internal/view"
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
	"bullring/netem"
)

func replayCommand(registry *trial.Registry) *cobra.Command {
	var trace traceFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "replay DIR ROW | FILE",
		Short: "Run a recorded trial again and compare it with the record",
		Long: `Run the trial of one row of a sweep's results again, print it as run does, and compare
it with the row, column by column. Rows of results.csv count from 1, as in its column
row. If the row does not repeat, the error names the first difference. A FILE is a case,
such as bullring shrink writes; its run is compared with what the case records.

` + statuses,
		Example: "  bullring replay out/demo 3\n  bullring replay out/demo 1 --trace\n  bullring replay small.json",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := trace.check(args, asJSON); err != nil {
				return err
			}
			again, said, err := recorded(cmd, registry, args)
			if err != nil {
				return err
			}
			of, err := rareOf(cmd, registry, args)
			if err != nil {
				return err
			}
			return replay(cmd, args, again, said, of, &trace, asJSON)
		},
		ValidArgsFunction: first(completeDir),
	}
	trace.register(cmd)
	jsonFlag(cmd, &asJSON)
	return cmd
}

// rerun runs something recorded once more and compares.
type rerun func(trial.TraceFunc) (*trial.Result, error)

// recorded returns the run that the arguments of replay name, and its name in print.
func recorded(cmd *cobra.Command, registry *trial.Registry, args []string) (run rerun, name string, err error) {
	at, err := placeOf(cmd, args)
	if err != nil {
		return nil, "", err
	}
	if at.row > 0 {
		return func(trace trial.TraceFunc) (*trial.Result, error) {
			return verify.Replay(orderly(cmd), registry, at.path, at.row, trace)
		}, fmt.Sprintf("row %d of %s", at.row, at.path), nil
	}
	c, err := search.ReadCase(at.path)
	return func(trace trial.TraceFunc) (*trial.Result, error) {
		return c.Replay(orderly(cmd), registry, trace)
	}, at.path, err
}

// rareOf is the estimate of a trial. The arguments name the trial.
func rareOf(cmd *cobra.Command, registry *trial.Registry, args []string) (spec.Rare, error) {
	at, err := placeOf(cmd, args)
	if err != nil || at.row == 0 {
		return spec.Rare{}, err
	}
	return verify.RowRare(registry, at.path, at.row)
}

func replay(cmd *cobra.Command, args []string, run rerun, said string, of spec.Rare, trace *traceFlags, asJSON bool) error {
	tracer, flush := trace.tracing(cmd, asJSON)
	r, err := run(tracer)
	if r == nil || r.Impossible() != nil && (r.Instance.Steps() == 0 || r.Fingerprint == 0) {
		return err // there is no such row, or its program did not start
	}
	if flushErr := flush(); flushErr != nil {
		return flushErr
	}
	again := view.Replayed{Run: view.Run{Program: cmd.Root().Name(), Result: r, Page: subjectCommand(cmd, "view", args...)}, Record: said, Difference: err, Rare: of}
	if outputErr := show(cmd, again, asJSON); outputErr != nil {
		return outputErr
	}
	if r.End == netem.Interrupted {
		return interrupted(cmd.Context())
	}
	if err != nil {
		return exit{statusFailed, errors.Join(err, r.BrokenBound())}
	}
	if r.Instance.Steps() > 0 {
		return nil // it ends with its schedule, as recorded
	}
	return judgement(cmd.Context(), r)
}

package cli

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"bullring/experiments"
	"bullring/experiments/cli/internal/view"
	"bullring/experiments/search"
	"bullring/experiments/verify"
	"bullring/netem"
)

func replayCommand(registry *experiments.Registry) *cobra.Command {
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
			return replay(cmd, args, again, said, &trace, asJSON)
		},
		ValidArgsFunction: first(completeDir),
	}
	trace.register(cmd)
	jsonFlag(cmd, &asJSON)
	return cmd
}

// rerun runs something recorded once more and compares.
type rerun func(experiments.TraceFunc) (*experiments.Result, error)

// recorded returns the run that the arguments of replay name, and its name in print.
func recorded(cmd *cobra.Command, registry *experiments.Registry, args []string) (run rerun, name string, err error) {
	switch len(args) {
	case 1:
		if info, err := os.Stat(args[0]); err == nil && info.IsDir() {
			return nil, "", fmt.Errorf("replay takes DIR and ROW, or the FILE of a case; %s is a directory, and the ROW is missing", args[0])
		}
		c, err := search.ReadCase(args[0])
		return func(trace experiments.TraceFunc) (*experiments.Result, error) {
			return c.Replay(orderly(cmd), registry, trace)
		}, args[0], err
	case 2:
		row, err := strconv.Atoi(args[1])
		if err != nil || row < 1 {
			return nil, "", fmt.Errorf("row %q: ROW takes a whole number from 1", args[1])
		}
		return func(trace experiments.TraceFunc) (*experiments.Result, error) {
			return verify.Replay(orderly(cmd), registry, args[0], row, trace)
		}, fmt.Sprintf("row %d of %s", row, args[0]), nil
	}
	return nil, "", arguments(cmd, args, "DIR", "ROW")
}

func replay(cmd *cobra.Command, args []string, run rerun, said string, trace *traceFlags, asJSON bool) error {
	tracer, flush := trace.tracing(cmd, asJSON)
	r, err := run(tracer)
	if r == nil {
		return err // there is no such row
	}
	if flushErr := flush(); flushErr != nil {
		return flushErr
	}
	again := view.Replayed{Run: view.Run{Program: cmd.Root().Name(), Result: r, Page: pageCommand(cmd, args...)}, Record: said, Difference: err}
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

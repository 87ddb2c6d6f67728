package cli

import (
	"slices"

	"github.com/spf13/cobra"

	"bullring/experiments/cli/internal/view"
	"bullring/experiments/show/reason"
	"bullring/experiments/trial"
	"bullring/protocols"
)

// because looks briefly for the reason why a run violates a check: that of this name, or else the
// first. again is the command that explains the run, "" if that takes a file and there is none. It
// returns nil if no check is violated, and if a signal has come: then there is no time.
func because(cmd *cobra.Command, registry *trial.Registry, r *trial.Result, check, again string) *view.Because {
	violated := func(c protocols.Check) bool { return c.Verdict == protocols.Violated }
	if r.Panicked() || !slices.ContainsFunc(r.Checks, violated) || cmd.Context().Err() != nil {
		return nil
	}
	e := reason.Brief.Of(check).ExplainResult(cmd.Context(), registry, r)
	if e.Violation == nil || cmd.Context().Err() != nil {
		return nil
	}
	return &view.Because{Explanation: e, Program: cmd.Root().Name(), Again: again}
}

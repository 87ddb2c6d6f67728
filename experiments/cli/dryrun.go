package cli

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/cobra"

	"bullring/experiments/campaign/sweep"
	"bullring/experiments/cli/internal/view"
)

// probeTime is about how long the probe of a dry run takes at most.
const probeTime = 3 * time.Second

// dryRun prints what a sweep would do.
func dryRun(cmd *cobra.Command, sw *sweep.Sweep) error {
	e, err := sw.Estimate(cmd.Context(), probeTime)
	if cmd.Context().Err() != nil {
		return interrupted(cmd.Context())
	}
	if err != nil {
		return err
	}
	_, err = os.Stat(sw.Dir)
	exists := !errors.Is(err, fs.ErrNotExist)
	if err := printText(cmd, func(w io.Writer) error { return view.Estimate(w, sw, e, exists) }); err != nil {
		return err
	}
	return e.Refused
}

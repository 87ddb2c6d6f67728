package cli

import (
	"errors"

	"github.com/jonboulle/clockwork"
	"github.com/spf13/cobra"

	"bullring/experiments/campaign/sweep"
	"bullring/experiments/trial"
)

// statusMissing says that shards are missing. A script can run them and try again.
const statusMissing = 4

func mergeCommand(registry *trial.Registry, clock clockwork.Clock) *cobra.Command {
	f, drop := &outputFlags{}, false
	cmd := &cobra.Command{
		Use:   "merge DIR...",
		Short: "Join the shards of a sweep",
		Long: `Join the parts of a sweep that bullring sweep --shard ran, on any machines, and draw its
figures.
The folder is the one that one machine would have written, to the byte. Each DIR holds
parts; the file of a part will do, too. Missing parts are printed as --array=3,17, for
Slurm. A part that is there twice, or of another sweep, is an error that names it.
Nothing is run, and the parts stay where they are.

` + statuses,
		Example:           "  bullring merge out/parts -o out/demo",
		Args:              someDirs,
		RunE:              func(cmd *cobra.Command, args []string) error { return merge(cmd, registry, clock, args, f, drop) },
		ValidArgsFunction: completePath,
	}
	f.declare(cmd, "folder for the results (default the first DIR)")
	cmd.Flags().BoolVar(&drop, "drop", false, "lose the trials in the folder that the sweep of the parts does not have")
	return cmd
}

func merge(cmd *cobra.Command, registry *trial.Registry, clock clockwork.Clock, paths []string, f *outputFlags, drop bool) error {
	j := &sweep.Join{Registry: registry, Paths: paths, Dir: f.dir, Drop: drop, Workers: int(f.workers), Clock: clock}
	sw, err := j.Sweep()
	if _, missing := errors.AsType[*sweep.MissingError](err); missing {
		return exit{statusMissing, err}
	}
	if err != nil {
		return err
	}
	return carryOut(cmd, sw, f)
}

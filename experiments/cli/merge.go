package cli

import (
	"errors"

	"github.com/jonboulle/clockwork"
	"github.com/spf13/cobra"

	"bullring/experiments"
	"bullring/experiments/sweep"
)

// statusMissing says that shards are lacking: a script can run those and try again.
const statusMissing = 4

func mergeCommand(registry *experiments.Registry, clock clockwork.Clock) *cobra.Command {
	f := &outputFlags{}
	cmd := &cobra.Command{
		Use:   "merge DIR...",
		Short: "Join the shards of a sweep",
		Long: `Join the parts of a sweep that ran with --shard, on any machines, to the folder
that one machine would have written, to the byte, and draw its figures. The
folders hold the parts; files of parts are taken too. Parts that are missing are
told as --array=3,17, as Slurm takes it; those that are there twice, or of
another sweep, are named. Nothing is run, and the parts stay where they are.

` + statuses + `
  4    parts are missing`,
		Example:           "  bullring merge out/parts -o out/demo",
		Args:              someDirs,
		RunE:              func(cmd *cobra.Command, args []string) error { return merge(cmd, registry, clock, args, f) },
		ValidArgsFunction: completePath,
	}
	f.declare(cmd, "folder for the results (default the first DIR)")
	return cmd
}

func merge(cmd *cobra.Command, registry *experiments.Registry, clock clockwork.Clock, paths []string, f *outputFlags) error {
	j := &sweep.Join{Registry: registry, Paths: paths, Dir: f.dir, Workers: int(f.workers), Clock: clock}
	sw, err := j.Sweep()
	if _, missing := errors.AsType[*sweep.MissingError](err); missing {
		return exit{statusMissing, err}
	}
	if err != nil {
		return err
	}
	return carryOut(cmd, sw, f)
}

package cli

import (
	"errors"
	"strings"

	"github.com/jonboulle/clockwork"
	"github.com/spf13/cobra"

	"bullring/experiments"
	"bullring/experiments/cli/internal/view"
	"bullring/experiments/sweep"
)

func statusCommand(registry *experiments.Registry, clock clockwork.Clock) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "status DIR...",
		Short: "Show the progress of a sweep",
		Long: `Show the progress of a sweep from its folder: how many trials are done, which shards are
complete, which are missing (as --array=3,17, for Slurm), whether a process writes
there now, and what is damaged. Of complete results it names the files that are missing
or have another size; bullring verify reads them, too. Shards of one sweep in several
folders count together, and the file of a shard will do. Others may write meanwhile.

A shard is complete; under way if a process writes it; stopped if none does; and begun
where the file system has no locks that tell.

Exit status:
  0  the sweep is complete; bullring merge can join its shards
  2  the command or its input is wrong, or there is no sweep
  4  something is missing or not complete, or complete results are damaged`,
		Example: "  bullring status out/demo",
		Args:    someDirs,
		RunE: func(cmd *cobra.Command, args []string) error {
			all, err := sweep.StatusOf(registry, args)
			if err != nil {
				return err
			}
			if err := show(cmd, view.Status{Sweeps: all, Now: clock.Now()}, asJSON); err != nil {
				return err
			}
			return incomplete(all)
		},
		ValidArgsFunction: completePath,
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array, an object a sweep")
	return cmd
}

// incomplete returns an error that names the sweeps that are not complete.
func incomplete(all []*sweep.Status) error {
	var names []string
	for _, s := range all {
		if !s.Complete {
			names = append(names, strings.Join(s.Paths, " "))
		}
	}
	if names == nil {
		return nil
	}
	return exit{statusMissing, errors.New("not complete: " + strings.Join(names, ", "))}
}

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
		Short: "Tell how far a sweep is",
		Long: `Tell how far a sweep is, as its folder shows: how many trials are done, of how
many, which shards are complete, which are missing, as --array=3,17, as Slurm
takes it, whether a process writes there now, and what is damaged; of complete results,
files that are missing or of another size (bullring verify looks into them).
Shards of one sweep in several folders count together; files of shards are taken too. It may
be asked while others write.

A shard is complete, under way if a process writes it, stopped if none does, and
begun where the file system has no locks that tell.

Exit status:
  0  all of it is complete: bullring merge can join shards
  2  the command or its input is wrong, or there is nothing of a sweep
  4  something is missing, not complete or, of complete results, damaged`,
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

// incomplete is the error of sweeps that are not complete.
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

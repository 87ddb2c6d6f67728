package cli

import (
	"errors"
	"strings"
	"time"

	"github.com/jonboulle/clockwork"
	"github.com/spf13/cobra"

	"bullring/experiments/campaign/sweep"
	"bullring/experiments/cli/internal/view"
	"bullring/experiments/trial"
)

func statusCommand(registry *trial.Registry, clock clockwork.Clock) *cobra.Command {
	var asJSON bool
	file, every := "", time.Duration(0)
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

--html writes a page for a browser, too. --every writes it again after such a time,
until the sweep is complete or a signal comes; a browser reads it again as often.

Exit status:
  0  the sweep is complete; bullring merge can join its shards
  2  the command or its input is wrong, or there is no sweep
  4  something is missing or not complete, or complete results are damaged`,
		Example: "  bullring status out/demo\n  bullring status out/demo --html out/status.html",
		Args:    someDirs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if every > 0 && file == "" {
				return errors.New("--every is about the page of --html, and there is none")
			}
			if file != "" {
				if err := writeStatus(cmd, clock, pageOf{registry, file, false}, args, every); err != nil {
					return err
				}
			}
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
	cmd.Flags().SortFlags = false
	textFlag(cmd, &file, "html", "FILE", "write a page, too, into this file")
	cmd.Flags().Var(parsed[time.Duration]{&every, "DURATION", parseEvery, time.Duration.String}, "every", "write the page again after such a time")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array, an object a sweep")
	return cmd
}

// parseEvery reads a time between two pages, in whole seconds.
func parseEvery(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d < time.Second || d%time.Second != 0 {
		return 0, errors.New("it takes whole seconds, such as 10s or 2m")
	}
	return d, nil
}

// writeStatus writes the page, and again after such a time until the sweeps are complete or
// the command is interrupted. The last page is not to be read again.
func writeStatus(cmd *cobra.Command, clock clockwork.Clock, p pageOf, paths []string, every time.Duration) error {
	if err := p.check(); err != nil {
		return err
	}
	orderly(cmd)
	for every > 0 && cmd.Context().Err() == nil {
		all, err := sweep.StatusOf(p.registry, paths)
		if err != nil {
			return err
		}
		if incomplete(all) == nil {
			break
		}
		if _, err := p.write(paths, int(every.Seconds())); err != nil {
			return err
		}
		select {
		case <-cmd.Context().Done():
		case <-clock.After(every):
		}
	}
	_, err := p.write(paths, 0)
	return err
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

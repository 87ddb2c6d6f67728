package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/jonboulle/clockwork"
	"github.com/spf13/cobra"

	"bullring/experiments"
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
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("status takes one DIR or more; given is none")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			all, err := sweep.StatusOf(registry, args)
			if err != nil {
				return err
			}
			if err := output(cmd, func(w io.Writer) error {
				if asJSON {
					return writeJSON(w, all)
				}
				return writeStatus(w, all, clock.Now())
			}); err != nil {
				return err
			}
			return incomplete(all)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveDefault
		},
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

func writeStatus(w io.Writer, all []*sweep.Status, now time.Time) error {
	for i, s := range all {
		if i > 0 {
			fmt.Fprintln(w)
		}
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintf(t, "sweep\t%s, in %s\n", cmp.Or(s.Title, "nobody can tell which"), strings.Join(s.Paths, ", "))
		fmt.Fprintf(t, "state\t%s\n", s.State)
		fmt.Fprintf(t, "trials\t%s\n", doneText(s))
		if s.Of > 0 {
			fmt.Fprintf(t, "shards\t%s\n", shardsText(s))
		}
		if s.Missing != "" {
			fmt.Fprintf(t, "missing\t--array=%s\n", s.Missing)
		}
		if !s.Start.IsZero() {
			fmt.Fprintf(t, "last attempt\tbegan %s, version %s, epoch %d\n", s.Start.Format(time.DateTime+" UTC"), s.Version, s.Epoch)
		}
		fmt.Fprintf(t, "last written\t%s, %s ago\n", s.Written.Format(time.DateTime+" UTC"), max(0, now.Sub(s.Written)).Truncate(time.Second))
		for _, d := range s.Damage {
			fmt.Fprintf(t, "damage\t%s\n", d)
		}
		if err := t.Flush(); err != nil {
			return err
		}
		if err := writeShards(w, s); err != nil {
			return err
		}
	}
	return nil
}

// doneText is how many trials there are, of how many.
func doneText(s *sweep.Status) string {
	switch {
	case s.Fixed || s.Trials == 0:
		return fmt.Sprintf("%s of %s (%d%%)", grouped(uint64(s.Done)), grouped(uint64(s.Trials)), s.Done*100/max(s.Trials, 1))
	default:
		return fmt.Sprintf("%s, of %s at most", grouped(uint64(s.Done)), grouped(uint64(s.Trials)))
	}
}

// shardsText is how many shards are in which state.
func shardsText(s *sweep.Status) string {
	counts := map[sweep.State]int{}
	seen := map[int]bool{}
	for _, p := range s.Shards {
		if !seen[p.Index] {
			counts[p.State]++
		}
		seen[p.Index] = true
	}
	counts[sweep.Missing] = s.Of - len(seen)
	text := fmt.Sprintf("%d of %d complete", counts[sweep.Complete], s.Of)
	for _, state := range []sweep.State{sweep.UnderWay, sweep.Stopped, sweep.Begun, sweep.Missing} {
		if counts[state] > 0 {
			text += fmt.Sprintf(", %d %s", counts[state], state)
		}
	}
	return text
}

// writeShards lists the shards of which there is something, if they are few.
func writeShards(w io.Writer, s *sweep.Status) error {
	const few = 20
	if s.Of == 0 || s.Of > few {
		return nil
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "\nSHARD\tSTATE\tTRIALS\tFILE")
	for _, p := range s.Shards {
		fmt.Fprintf(t, "%d\t%s\t%s of %s\t%s\n", p.Index, p.State, grouped(uint64(p.Done)), grouped(uint64(p.Trials)), p.Path)
	}
	return t.Flush()
}

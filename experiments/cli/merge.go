package cli

import (
	"errors"
	"fmt"
	"slices"

	"github.com/jonboulle/clockwork"
	"github.com/spf13/cobra"

	"bullring/experiments/campaign/figures"
	"bullring/experiments/campaign/sweep"
	"bullring/experiments/trial"
)

// statusMissing says that shards or trials are missing. A script can run them and try again.
const statusMissing = 4

// mergeFlags are the flags of merge.
type mergeFlags struct {
	outputFlags
	spec string
	drop bool
}

func mergeCommand(registry *trial.Registry, clock clockwork.Clock) *cobra.Command {
	f := &mergeFlags{}
	cmd := &cobra.Command{
		Use:   "merge DIR...",
		Short: "Join the shards of a sweep, or folders of results",
		Long: `Join the parts of a sweep that bullring sweep --shard ran, on any machines, and draw its
figures.
The folder is the one that one machine would have written, to the byte. Each DIR holds
parts; the file of a part will do, too. Missing parts are printed as --array=3,17, for
Slurm. A part that is there twice, or of another sweep, is an error that names it.
Nothing is run, and the parts stay where they are.

If each DIR holds results, their sweeps are joined into that of all their trials: more
replicates, other values of an axis, another algorithm. The sweep of the union is that of
--spec or, without it, that of the first DIR whose sweep has the trials of all others.
A trial that several of them have must have the same row in each; the first that differs
is an error. If some trials of the union are in no DIR, they are named, the folder keeps
the others, and bullring sweep runs what is missing there.

` + statuses,
		Example: "  bullring merge out/parts -o out/demo\n" +
			"  bullring merge out/demo out/again -o out/both",
		Args:              someDirs,
		RunE:              func(cmd *cobra.Command, args []string) error { return merge(cmd, registry, clock, args, f) },
		ValidArgsFunction: completePath,
	}
	f.declare(cmd, "folder for the results (default the first DIR, if it holds shards)")
	textFlag(cmd, &f.spec, "spec", "SPEC.yaml", "of DIRs with results: the sweep that has the trials of all of them")
	cmd.Flags().BoolVar(&f.drop, "drop", false, "lose trials that the sweep does not have: those in the folder or, of a union, in any DIR")
	return cmd
}

func merge(cmd *cobra.Command, registry *trial.Registry, clock clockwork.Clock, paths []string, f *mergeFlags) error {
	union, err := areResults(paths, f.spec != "")
	if err != nil {
		return err
	}
	of := mergeShards
	if union {
		of = mergeResults
	}
	sw, err := of(registry, paths, f)
	if err == nil {
		sw.Drop, sw.Workers, sw.Clock = f.drop, int(f.workers), clock
		err = carryOut(cmd, sw, &f.outputFlags)
	}
	_, shards := errors.AsType[*sweep.MissingError](err)
	_, trials := errors.AsType[*sweep.LackingError](err)
	if shards || trials {
		return exit{statusMissing, err}
	}
	return err
}

// areResults reports whether folders of results are to be joined, and not shards. Where
// shards were joined in their own folder it holds both.
func areResults(paths []string, spec bool) (bool, error) {
	without := slices.IndexFunc(paths, func(path string) bool { return !sweep.HoldsResults(path) })
	switch {
	case without < 0 && (len(paths) > 1 || spec):
		return true, nil
	case spec:
		return false, fmt.Errorf("%s holds no results of a sweep, and --spec goes with such; if it holds shards, merge them first", paths[without])
	}
	for _, path := range paths {
		if without >= 0 && sweep.HoldsResults(path) && !sweep.HoldsShards(path) {
			return false, fmt.Errorf("%s holds results, and %s does not; if that one holds shards, merge them first", path, paths[without])
		}
	}
	return false, nil
}

// mergeShards returns the sweep that the shards are of.
func mergeShards(registry *trial.Registry, paths []string, f *mergeFlags) (*sweep.Sweep, error) {
	return (&sweep.Join{Registry: registry, Paths: paths, Dir: f.dir}).Sweep()
}

// mergeResults returns the sweep of the union.
func mergeResults(registry *trial.Registry, paths []string, f *mergeFlags) (*sweep.Sweep, error) {
	if f.dir == "" {
		return nil, errors.New("folders of results are joined into a folder that --out DIR gives; it may be one of them")
	}
	u := &sweep.Union{Registry: registry, Paths: paths, Dir: f.dir}
	if f.spec != "" {
		sw, err := readSweep(registry, f.spec, f.dir)
		if err != nil {
			return nil, err
		}
		u.Source = &sw.Source
	}
	sw, err := u.Sweep()
	if err == nil {
		sw.Rehearse = figures.Rehearse
	}
	return sw, err
}

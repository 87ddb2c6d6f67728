package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"bullring/experiments/cli/internal/view"
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
	"bullring/internal/suggest"
)

// shrinkFlags are the flags of shrink.
type shrinkFlags struct {
	settingFlags
	fails string
	caseFlags
	json bool
}

func shrinkCommand(registry *trial.Registry) *cobra.Command {
	f := &shrinkFlags{}
	first := "ALGORITHM"
	if names := registry.Names(); len(names) > 0 {
		first = names[0]
	}
	cmd := &cobra.Command{
		Use:   "shrink " + subjectUse,
		Short: "Look for the smallest run that still fails",
		Long: `Run one trial that fails, and look for the simplest one that still fails in the same
way: fewer processes, fewer faults at rounder times, plain links, a constant delay, one
initiator, small identities. Faults, places and losses that were drawn become explicit
where the run then still fails, and up to 256 losses; a random delay keeps its seed. A
schedule, such as that of a recorded live run, loses the steps that the failure does not
need. Below the run stands what would have saved it, as bullring why finds it.

` + subjectHelp + `
--out writes the run into a file, a case. bullring replay runs it again and compares.
In experiments/catalog/testdata/cases it is a golden test.

` + statuses,
		Example: examples(registry,
			"bullring shrink bully --n 6 --initiators 0 --dead last --delay 'uniform(0,3ms)' --assume 1ms",
			"bullring shrink lcr --n 12 --placement random --link 'loss 10%' --fails E2",
			"bullring shrink "+first+" --fault 'drop every message' --fault 'at 3ms drop every message' -o small.json"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := f.subject(cmd, registry, args, "fails", "out", "note", "json")
			if err != nil {
				return err
			}
			return shrink(cmd, registry, s, f)
		},
		ValidArgsFunction: completeAlgorithm(registry),
	}
	f.settingFlags.register(cmd, registry)
	f.own.ofRuns(cmd)
	textFlag(cmd, &f.fails, "fails", "FAILURE", "the failure to keep: the name of a check, incorrect, bound, or an outcome (default the failure of the run)")
	f.caseFlags.register(cmd, "write the run into a file")
	jsonFlag(cmd, &f.json)
	completeFlag(cmd, "fails", completeWords("E1", "E2", string(search.Incorrect), string(search.Bound)))
	return cmd
}

func shrink(cmd *cobra.Command, registry *trial.Registry, s trial.Setting, f *shrinkFlags) error {
	if err := f.caseFlags.check(); err != nil {
		return err
	}
	outside := s
	outside.OutsideModel = true
	if in, err := registry.Instance(outside); err == nil && f.fails != "" {
		if err := knownFailure(in, f.fails); err != nil {
			return err
		}
	}
	found, err := search.Shrink(orderly(cmd), registry, s, search.Failure(f.fails), nil)
	switch {
	case errors.Is(err, search.ErrSound):
		return exit{statusFailed, fmt.Errorf("%w: there is nothing to shrink", err)}
	case found == nil && cmd.Context().Err() != nil:
		return interrupted(cmd.Context())
	case found == nil:
		return err
	}
	shown := view.Shrunk{Program: cmd.Root().Name(), File: f.out, Found: found}
	shown.Because = because(cmd, registry, found.Result, string(found.Failure), shown.Why())
	if err := show(cmd, shown, f.json); err != nil {
		return err
	}
	if err := f.write(cmd, shown); err != nil {
		return err
	}
	if cmd.Context().Err() != nil { // the result so far has been printed
		return interrupted(cmd.Context())
	}
	return nil
}

// write writes the run into the file of --out, if any, and says so.
func (f *shrinkFlags) write(cmd *cobra.Command, shown view.Shrunk) error {
	if f.out == "" {
		return nil
	}
	if err := search.NewCase(shown.Found.Result, shown.Found.Failure, f.note).Write(f.out); err != nil {
		return exit{statusFailed, err}
	}
	if f.json {
		return nil
	}
	return printText(cmd, shown.Written)
}

func knownFailure(in *trial.Instance, failure string) error {
	known := search.Failures(in)
	if slices.Contains(known, failure) {
		return nil
	}
	return fmt.Errorf("--fails %q%s; allowed are %s", failure, suggest.DidYouMean(failure, known), strings.Join(known, ", "))
}

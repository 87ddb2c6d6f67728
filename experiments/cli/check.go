package cli

import (
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"bullring/experiments/cli/internal/view"
	"bullring/experiments/trial"
)

// defaultTrials is the default number of trials of check.
const defaultTrials = 10

// checkFlags are the flags of check.
type checkFlags struct {
	settingFlags
	trials uint64
	json   bool
}

// checkLimit is the default number of events after which check ends a run.
const checkLimit = 100_000

func checkCommand(registry *trial.Registry) *cobra.Command {
	f := &checkFlags{}
	cmd := &cobra.Command{
		Use:   "check ALGORITHM",
		Short: "Check that an algorithm's program keeps the rules of a process",
		Long: `Run some trials of an algorithm, each three times, and watch every call of a handler.
The program of an algorithm has to be deterministic: in the same run each call does
the same, and does not depend on the clock, the order of maps, random numbers of its
own or global variables. Neither the sender nor a receiver changes a message after it
was sent. A handler changes no process but its own. A Node is not used after its
handler has returned.

A broken rule is reported with the handler, the process and the message. The flags are
those of run; the trials have successive seeds. A sweep checks the first 1,024 events
of a trial of each variant in the same way, and explore checks that a handler does the same in
the same state. To find nothing is no proof: check does not see memory that is only
read, goroutines (use the race detector of Go), and mistakes that did not show in these
trials.

` + statuses,
		Example: examples(registry,
			"bullring check lcr",
			"bullring check bully --n 5 --initiators 0 --fault 'at 2ms crash 4' --delay 'uniform(0,1ms)'"),
		Args: oneAlgorithm(registry),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.setting.Algorithm = algorithmOf(args)
			s, err := f.read()
			if err != nil {
				return err
			}
			return check(cmd, registry, s, f)
		},
		ValidArgsFunction: completeAlgorithm(registry),
	}
	f.register(cmd, registry)
	f.setting.MaxEvents, f.trials = checkLimit, defaultTrials
	cmd.Flags().Lookup("max-events").DefValue = fmt.Sprint(checkLimit)
	countFlag(cmd, &f.trials, 1, math.MaxInt32, "trials", "how many trials to run; the first finding ends the check")
	jsonFlag(cmd, &f.json)
	return cmd
}

func check(cmd *cobra.Command, registry *trial.Registry, s trial.Setting, f *checkFlags) error {
	c, err := trial.CheckConduct(cmd.Context(), registry, s, int(f.trials))
	switch {
	case cmd.Context().Err() != nil:
		return interrupted(cmd.Context())
	case err != nil:
		return err
	}
	if err := show(cmd, view.Conduct{Conduct: c}, f.json); err != nil {
		return err
	}
	if len(c.Findings) > 0 {
		return &c.Findings[0]
	}
	return nil
}

package cli

import (
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"bullring/experiments"
	"bullring/experiments/cli/internal/view"
)

// defaultTrials is how many trials check runs.
const defaultTrials = 10

// checkFlags is what check was given.
type checkFlags struct {
	settingFlags
	trials uint64
	json   bool
}

// checkLimit is after how many events check ends a run, unless told otherwise.
const checkLimit = 100_000

func checkCommand(registry *experiments.Registry) *cobra.Command {
	f := &checkFlags{}
	cmd := &cobra.Command{
		Use:   "check ALGORITHM",
		Short: "Check that the program of an algorithm keeps the rules of a process",
		Long: `Run some trials of an algorithm, each three times, and watch every call of a
handler. The program of an algorithm has to be deterministic: in the same run each
call does the same, whatever the clock, the order of maps, random numbers of its own
or global variables say. A message does not change once it is sent, neither by its
sender nor by a receiver; a handler changes no process but its own; and a Node is not
used after its handler has returned.

What breaks a rule is told with the handler, the process and the message. The flags
are those of run; trials have the seed and those that follow. A sweep checks the
same of the first 1,024 events of its first trial, and explore that every handler
does the same in the same state. That nothing is found is no proof: memory that is
only read, goroutines (use the race detector of Go), and what did not show in these
trials are not seen.

` + statuses,
		Example: examples(registry,
			"bullring check lcr",
			"bullring check bully --n 5 --initiators 0 --fault 'at 2ms crash 4' --delay 'uniform(0,1ms)'"),
		Args: oneAlgorithm(registry),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.setting.Algorithm = args[0]
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
	countFlag(cmd, &f.trials, 1, math.MaxInt32, "trials", "how many trials to run, until something is found")
	jsonFlag(cmd, &f.json)
	return cmd
}

func check(cmd *cobra.Command, registry *experiments.Registry, s experiments.Setting, f *checkFlags) error {
	c, err := experiments.CheckConduct(cmd.Context(), registry, s, int(f.trials))
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

package cli

import (
	"fmt"
	"io"
	"math"

	"github.com/spf13/cobra"

	"bullring/experiments"
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
		Args: func(cmd *cobra.Command, args []string) error { return algorithm(cmd, registry, args) },
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
	cmd.Flags().BoolVar(&f.json, "json", false, "print one JSON object")
	completeFlag(cmd, "trials", cobra.NoFileCompletions)
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
	if err := output(cmd, func(w io.Writer) error {
		if f.json {
			return writeJSON(w, newConductReport(c))
		}
		return writeConduct(w, c)
	}); err != nil {
		return err
	}
	if len(c.Findings) > 0 {
		return &c.Findings[0]
	}
	return nil
}

// writeConduct prints what came of a check for people.
func writeConduct(w io.Writer, c *experiments.Conduct) error {
	in := c.Instance
	fmt.Fprintf(w, "%s: %s\n%s\n\n", titled(in), in.Algorithm.Title, scene(in))
	if len(c.Findings) == 0 {
		fmt.Fprintf(w, "NOTHING FOUND in %s, seeds from %d on, of three runs each, with %s of handlers.\n",
			several(c.Trials, "trial"), in.Setting.Seed, several(c.Calls, "call"))
	}
	for i := range c.Findings {
		f := &c.Findings[i]
		fmt.Fprintf(w, "%s (seed %d)\n  %s\n", f.Rule, f.Seed, f.Text)
	}
	if c.Cut {
		fmt.Fprintln(w, "Not all calls were compared: runs were long, or cut off at --max-events.")
	}
	return nil
}

// conductReport is what came of a check as JSON.
type conductReport struct {
	Algorithm string           `json:"algorithm"`
	Variant   string           `json:"variant"`
	N         int              `json:"n"`
	Trials    int              `json:"trials"`
	Calls     int              `json:"calls"`
	Cut       bool             `json:"cut"`
	Findings  []conductFinding `json:"findings"`
}

type conductFinding struct {
	Rule string `json:"rule"`
	Seed uint64 `json:"seed"`
	Text string `json:"text"`
}

func newConductReport(c *experiments.Conduct) conductReport {
	s := &c.Instance.Setting
	r := conductReport{Algorithm: s.Algorithm, Variant: s.Variant, N: c.Instance.N, Trials: c.Trials, Calls: c.Calls, Cut: c.Cut, Findings: []conductFinding{}}
	for _, f := range c.Findings {
		r.Findings = append(r.Findings, conductFinding{string(f.Rule), f.Seed, f.Text})
	}
	return r
}

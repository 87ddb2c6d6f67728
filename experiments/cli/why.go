package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"bullring/experiments"
	"bullring/experiments/search"
	"bullring/netem"
)

func whyCommand(registry *experiments.Registry) *cobra.Command {
	f, asJSON := &settingFlags{}, false
	cmd := &cobra.Command{
		Use:   "why " + subjectUse,
		Short: "Explain the verdict of a run by what happened before it",
		Long: `Run one trial again and print the causal slice behind its verdict: the steps
without which it would not have come to it, the messages that did not arrive, and
the faults. What is explained is the first violated check, else the outcome.

` + subjectHelp + `
Each line is an event: its number, its instant, what happened where, what was
sent and decided in consequence, and behind the arrow the events from which it
follows. A > marks what is explained, an x a message that did not arrive.

` + statuses,
		Example: examples(registry,
			"bullring why lcr --n 4 --fault 'drop 4th message' --outside-model",
			"bullring why bully --dead last --delay 'uniform(0,3ms)' --assume 1ms --outside-model"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := f.subject(cmd, registry, args, "json")
			if err != nil {
				return err
			}
			return why(cmd, registry, s, asJSON)
		},
		ValidArgsFunction: completeAlgorithm(registry),
	}
	f.register(cmd, registry)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// whyReport is an explanation as JSON.
type whyReport struct {
	What    string        `json:"what"`
	Outcome string        `json:"outcome"`
	Failed  *string       `json:"failed"` // how a handler panicked
	Records int           `json:"records"`
	Steps   []causeReport `json:"steps"`
}

// causeReport is a record with its number and those that it follows from.
type causeReport struct {
	Record int   `json:"record"`
	After  []int `json:"after"`
	Target bool  `json:"target"`
	Absent bool  `json:"absent"`
	recordReport
}

func newWhyReport(e *search.Explanation) whyReport {
	report := whyReport{
		What: e.What, Outcome: string(e.Result.Outcome), Failed: errorText(e.Result.Failed), Records: e.Total, Steps: []causeReport{},
	}
	for _, c := range e.Steps {
		report.Steps = append(report.Steps, causeReport{c.Number, orEmpty(c.After), c.Target, c.Absent, newRecordReport(c.Record, c.News)})
	}
	return report
}

func why(cmd *cobra.Command, registry *experiments.Registry, s experiments.Setting, asJSON bool) error {
	in, err := registry.Instance(s)
	if err != nil {
		return err
	}
	e := search.Why(cmd.Context(), in)
	if e.Result.End == netem.Interrupted {
		return interrupted(cmd.Context())
	}
	if err := e.Result.Impossible(); err != nil {
		return err
	}
	return output(cmd, func(w io.Writer) error {
		if asJSON {
			return writeJSON(w, newWhyReport(e))
		}
		if e.Result.Panicked() {
			fmt.Fprintln(w, e.Result.Failed)
		}
		return e.Write(w)
	})
}

package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"bullring/experiments/cli/internal/view"
	"bullring/experiments/trial"
	"bullring/internal/counts"
	"bullring/netem"
)

// The forms of a trace.
const (
	traceText  = "text"
	traceLanes = "lanes"
)

// traceFlags say whether and how a command prints the events of its run.
type traceFlags struct {
	form  string // "" is no trace
	plain bool
}

func (f *traceFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Var(choice{&f.form, []string{traceText, traceLanes}}, "trace",
		"print every event first, a line each, with --json as JSON on standard error; --trace=lanes draws them, from top to bottom")
	flags.Lookup("trace").NoOptDefVal = traceText
	flags.BoolVar(&f.plain, "plain", false, "draw lanes in ASCII")
}

// check refuses flags that contradict each other, and --trace lanes without the =, which would
// be a form and an argument.
func (f *traceFlags) check(args []string, asJSON bool) error {
	switch {
	case f.form == traceText && slices.Contains(args, traceLanes):
		return errors.New("write --trace=lanes, with a =")
	case f.form == traceLanes && asJSON:
		return errors.New("--trace=lanes is a drawing; --trace and --json together print the events as JSON")
	case f.form != traceLanes && f.plain:
		return errors.New("--plain goes with --trace=lanes")
	}
	return nil
}

// tracing returns a maker of tracers, nil without a trace, and a function that flushes the
// trace. If the result is JSON, so is the trace: an object a line, on standard error.
func (f *traceFlags) tracing(cmd *cobra.Command, asJSON bool) (trial.TraceFunc, func() error) {
	if f.form == "" {
		return nil, func() error { return nil }
	}
	w := cmd.OutOrStdout()
	if asJSON {
		w = cmd.ErrOrStderr()
	}
	buffered := bufio.NewWriterSize(w, 1<<16)
	var refused error
	trace := func(run *trial.Traced) netem.Tracer {
		switch {
		case asJSON:
			return view.JSONTrace(buffered, run.News)
		case f.form == traceText:
			return netem.TextTrace(buffered, run.News)
		}
		columns, err := laneColumns(w, run.Instance.N)
		if err != nil {
			refused = err
			return nil
		}
		return view.NewLanes(buffered, run.Instance, columns, f.plain, run.News)
	}
	flush := func() error {
		if refused != nil {
			return refused
		}
		if f.form == traceLanes {
			buffered.WriteString("\n")
		}
		if err := buffered.Flush(); err != nil {
			return exit{statusFailed, fmt.Errorf("writing the trace: %w", err)}
		}
		return nil
	}
	return trace, flush
}

// mostLanes is the largest number of lanes that is drawn.
const mostLanes = 200

// laneColumns is the number of columns for the lanes of n processes: those of all text or, where
// there is no terminal, more if the lanes need them.
func laneColumns(w io.Writer, n int) (int, error) {
	need := view.LanesColumns(n)
	columns := formOf(w).Columns
	if terminal(w) == nil {
		columns = max(columns, need)
	}
	switch {
	case n > mostLanes:
		return 0, fmt.Errorf("--trace=lanes draws %d processes at most; the run has %s; --trace prints a line an event", mostLanes, counts.Grouped(n))
	case need > columns:
		return 0, fmt.Errorf("--trace=lanes needs %d columns for %d processes, and this terminal has %d; with | less -S behind the command they fit; --trace prints a line an event", need, n, columns)
	}
	return columns, nil
}

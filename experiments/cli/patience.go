package cli

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/jonboulle/clockwork"
	"github.com/spf13/cobra"

	"bullring/experiments/trial"
	"bullring/internal/counts"
	"bullring/netem"
	"bullring/protocols"
)

// leastPatience is the smallest default of --max-events of run.
const leastPatience = 10_000_000

// patience is the default of --max-events of run. A run that needs more events either has a cost
// above the squares and cubes of the literature, or never ends.
func patience(in *trial.Instance) uint64 {
	const perStep = 10 // events for each process and link, as often as there are processes
	n := uint64(in.N)
	if perStep*n*n > trial.DefaultMaxEvents {
		return trial.DefaultMaxEvents
	}
	size := n
	for p := range in.N {
		size += uint64(in.Topology.Degree(protocols.ID(p)))
	}
	return min(trial.DefaultMaxEvents, max(leastPatience, perStep*n*size))
}

// patient gives a run the limit of a person who waits for it, unless the command line has one, and
// tells the person how far the run is. The function that it returns is called after the run:
// a limit that made no difference is forgotten.
func patient(cmd *cobra.Command, in *trial.Instance) (after func(*trial.Result)) {
	if w := cmd.ErrOrStderr(); terminal(w) != nil {
		in.Pulse = pulse(w, cmd.Root().Name(), clockwork.NewRealClock(), in.Algorithm.Kinds)
	}
	if cmd.Flags().Changed("max-events") || in.Steps() > 0 {
		return func(*trial.Result) {}
	}
	before := in.Setting.MaxEvents
	in.Setting.MaxEvents = min(before, patience(in))
	return func(r *trial.Result) {
		if r.End != netem.OutOfEvents {
			in.Setting.MaxEvents = before
		}
	}
}

// firstPulse is the time after which a person wonders.
const firstPulse = 3 * time.Second

// pulse returns what writes how far a run is: first after firstPulse, and then whenever the run
// has taken twice as long.
func pulse(w io.Writer, program string, clock clockwork.Clock, kinds []string) func(netem.Pulse) {
	began, next := clock.Now(), firstPulse
	return func(p netem.Pulse) {
		took := clock.Since(began)
		if took < next {
			return
		}
		next = 2 * took
		var sent []string
		for kind, count := range p.Sent {
			if kind < len(kinds) && count > 0 {
				sent = append(sent, kinds[kind]+" "+counts.Grouped(count))
			}
		}
		fmt.Fprintf(w, "%s: %v: %s events, %v of virtual time; %s and %s are pending; sent: %s; Ctrl-C ends the run\n", program,
			took.Round(time.Second), counts.Grouped(p.Events), p.Now, counts.Several(max(p.UnderWay, 0), "message"), counts.Several(p.Timers, "timer"), strings.Join(sent, ", "))
	}
}

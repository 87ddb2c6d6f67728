package reason

import (
	"context"
	"errors"
	"fmt"
	"time"

	"bullring/experiments/show/history"
	"bullring/experiments/trial"
	"bullring/internal/counts"
)

// Effort bounds a search for reasons. It counts runs and events, so that a search finds the same
// on every machine; that among the runs of programs ends by time, too.
type Effort struct {
	runs     int           // the most that a search makes
	events   uint64        // of all these runs
	fewest   int           // runs that a search may make however long they are
	programs int           // runs if each of them starts programs
	time     time.Duration // after which a search among the runs of programs ends
	check    string        // that is explained; "" is the first that does not hold
}

// Full is the effort of a command that is about reasons. Brief is that of one whose own result
// comes first, and of a page of a run. It takes seconds at most.
var (
	Full  = Effort{runs: 4_000, events: 200_000_000, fewest: 100, programs: 200, time: time.Minute}
	Brief = Effort{runs: 1_000, events: 2_000_000}
)

// measuring is how many more runs it may take to measure what has been found.
const measuring = 2_000

// enoughRuns is the number of runs for which a brief search has to have room, else it does not
// begin.
const enoughRuns = 100

// Explain runs an instance and looks for what would have saved it. A cancelled context ends the
// search: then the explanation has what was found so far.
func Explain(ctx context.Context, registry *trial.Registry, in *trial.Instance) *Explanation {
	return Full.Explain(ctx, registry, in)
}

// Of is the same effort for a check, if that does not hold.
func (f Effort) Of(check string) Effort {
	f.check = check
	return f
}

// allowance is the number of runs that a search may make, given the events of one.
func (f Effort) allowance(one uint64) int {
	return int(min(uint64(f.runs), max(uint64(f.fewest), f.events/max(1, one))))
}

// ExplainResult is Explain for a run that has been made. If a search for its reason takes more than
// this effort, it is not begun, and the explanation says so.
func (f Effort) ExplainResult(ctx context.Context, registry *trial.Registry, r *trial.Result) *Explanation {
	if unable := f.refuses(r); unable != "" {
		v := violationOf(&history.History{Result: r})
		return &Explanation{Violation: v.orOf(&history.History{Result: r}, f.check), Unable: unable}
	}
	return f.Explain(ctx, registry, r.Instance)
}

// refuses says why a search with this effort is not begun for a run, "" if it is.
func (f Effort) refuses(r *trial.Result) string {
	switch {
	case r.Instance.InPrograms() && f.programs == 0:
		return "the processes are programs, and a search starts them many times"
	case f.fewest == 0 && f.allowance(r.Counters.Events) < enoughRuns:
		return fmt.Sprintf("the run has %s events, and a search repeats them many times", counts.Grouped(r.Counters.Events))
	}
	return ""
}

// bound bounds the search among the runs of an instance. The function that it returns has to be
// called when the search is over.
func (f Effort) bound(r *replays) context.CancelFunc {
	if r.most = f.allowance(r.real.Result.Counters.Events); !r.in.InPrograms() {
		return func() {}
	}
	r.most = f.programs
	var end context.CancelFunc
	r.time, end = context.WithTimeout(r.ctx, f.time)
	return end
}

// repeats returns why nothing follows from a run with changes: without changes it is not the real
// one. Only programs can do something else again.
func (r *replays) repeats() error {
	if !r.in.InPrograms() {
		return nil
	}
	again := r.worker.Run(r.ctx, r.changed(nil), nil)
	if again.Failed == nil && again.Fingerprint != r.real.Result.Fingerprint {
		return errors.New("the programs did not do the same again, so that nothing follows from a run with changes")
	}
	return again.Failed
}

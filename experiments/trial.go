package experiments

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"bullring/des"
	"bullring/faults"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/detector"
	"bullring/protocols/election"
)

// Result is what a trial measured.
type Result struct {
	Instance *Instance
	End      netem.End
	Outcome  Outcome
	Counters netem.Counters

	// Time is when the run came to rest: the last message arrived, or a process did what
	// its family is about for the last time.
	Time des.Time

	// Correct: the run came to rest as it should.
	Correct bool
	// Judge has judged the run, and knows what else its family measures. It is nil if a
	// handler panicked in a run that follows no schedule.
	Judge Judge

	// Kinds names the kinds of messages, in the order of the counters: those of the
	// algorithm and, behind them, those of what stood between it and the network.
	Kinds []string
	// Overhead is the number of messages that were not the algorithm's but of
	// that, or of the application that the algorithm is about; they are in the counters
	// too. Apart are their kinds.
	Overhead uint64
	Apart    []bool
	// Detection is how good the failure detector was, nil for the perfect one.
	Detection *detector.Quality

	// Failed says why the run has no end of its own: a handler panicked, or a schedule
	// could not be followed.
	Failed error

	Checks      []protocols.Check
	Bounds      []BoundResult
	Fingerprint uint64
	Trail       string // see netem.Network.Trail; empty of a run that follows a schedule
}

// Outcome is how a run came out, in a word of its family.
type Outcome string

// Unfinished is the outcome, in every family, of a run that ended at a limit.
const Unfinished Outcome = "unfinished"

// BoundResult is a bound with its value for an instance and the ratio of what
// was measured to it.
type BoundResult struct {
	*Bound
	Value    float64
	Measured float64
	Ratio    float64 // Measured / Value; 1 if both are 0
	Broken   bool    // the relation is proven, and does not hold
}

// BrokenBoundError says that a run broke a proven bound.
type BrokenBoundError struct {
	Algorithm string
	Bound     BoundResult
}

func (e *BrokenBoundError) Error() string {
	return fmt.Sprintf("%s breaks a proven bound: %s are %v, but %s says %s %v (%s; %s)", e.Algorithm, e.Bound.Metric,
		e.Bound.Measured, e.Bound.Name, e.Bound.Relation, e.Bound.Value, e.Bound.Formula, e.Bound.Convention)
}

// BrokenBound returns an error for the first proven bound that the run broke.
func (r *Result) BrokenBound() error {
	for _, b := range r.Bounds {
		if b.Broken {
			return &BrokenBoundError{r.Instance.Algorithm.Name, b}
		}
	}
	return nil
}

// Verdict is the verdict of the check of that name, Undecided without it.
func (r *Result) Verdict(name string) protocols.Verdict {
	for _, c := range r.Checks {
		if c.Name == name {
			return c.Verdict
		}
	}
	return protocols.Undecided
}

// Unit is what times are divided by: the constant delay, and then ok is true,
// else a second, or a step of a schedule without time.
func (in *Instance) Unit() (unit time.Duration, ok bool) {
	if in.Script != nil && in.Script.timers == FreeTimers {
		return time.Nanosecond, false // there is no time: instants number the steps
	}
	unit, longest, bounded := in.Delay.Bounds()
	ok = bounded && unit == longest && unit > 0 && in.Delta == 0
	for _, l := range in.Lines {
		least, most, bounded := in.lineOf(l).Bounds()
		ok = ok && bounded && least == unit && most == unit
	}
	if !ok || in.Script != nil {
		return time.Second, false
	}
	return unit, true
}

// Units is an instant in units of Unit.
func (in *Instance) Units(t des.Time) float64 {
	unit, _ := in.Unit()
	return float64(t) / float64(unit)
}

// Rounds is the number of lock-step rounds until the run came to rest; what is
// sent in round r arrives in round r+1, and round 1 is the instant 0. ok is
// false if the delay is not constant, and there are no rounds.
func (r *Result) Rounds() (rounds int64, ok bool) {
	unit, ok := r.Instance.Unit()
	if !ok {
		return 0, false
	}
	return int64(r.Time)/int64(unit) + 1, true
}

// Seeded is what of an instance its seed decides and no field of the setting shows; ""
// is nothing. It is not what processes draw in a run.
func (in *Instance) Seeded() string {
	var what []string
	if f, named := familyOf(in.Setting.Topology); named && f.Random {
		what = append(what, "topology")
	}
	if in.Algorithm.Seeded != nil {
		if own := in.Algorithm.Seeded(in); own != "" {
			what = append(what, own)
		}
	}
	return strings.Join(what, " and the ")
}

// Metric is a measured value by name. ok is false where the run has none.
func (r *Result) Metric(name string) (v float64, ok bool) {
	c := &r.Counters
	switch name {
	case "messages":
		return float64(c.Messages() - r.Overhead), true
	case "overhead":
		return float64(r.Overhead), true
	case "delivered":
		return float64(c.Delivered - c.Service), true
	case "to_dead":
		return float64(c.ToDead), true
	case "bits":
		return float64(c.Bits), true
	case "max_sent":
		return float64(c.MaxSent()), true
	case "causal_depth":
		return float64(c.CausalDepth), true
	case "rounds":
		rounds, ok := r.Rounds()
		return float64(rounds), ok
	case "time":
		return r.Instance.Units(r.Time), true
	}
	return r.faultMetric(name)
}

// faultMetric is a measured value of what went wrong, or of the family's own, by
// name.
func (r *Result) faultMetric(name string) (v float64, ok bool) {
	c := &r.Counters
	switch name {
	case "correct":
		if r.Correct {
			v = 1
		}
		return v, true // what did not finish was not right
	case "lost":
		return float64(c.Lost), true
	case "cut":
		return float64(c.Cut), true
	case "corrupted":
		return float64(c.Corrupted + c.Altered), true
	case "duplicated":
		return float64(c.Duplicated), true
	case "reordered":
		return float64(c.Reordered), true
	}
	if v, ok := r.judged(name); ok {
		return v, ok
	}
	q := r.Detection
	if q == nil {
		return 0, slices.Contains(r.Instance.zeros, name)
	}
	switch name {
	case "detection_time":
		return q.DetectionMean.Seconds(), q.Detected > 0
	case "mistake_rate":
		return q.MistakeRate, true
	case "mistake_time":
		return q.MistakeMean.Seconds(), q.Mistakes > 0
	}
	return 0, slices.Contains(r.Instance.zeros, name)
}

// judged is a value that the Judge has measured, by name; times are in units.
func (r *Result) judged(name string) (v float64, ok bool) {
	if r.Judge == nil {
		return 0, false
	}
	v, ok = r.Judge.Measure(name)
	if ok && r.Instance.Algorithm.IsTime(name) {
		unit, _ := r.Instance.Unit()
		v /= float64(unit)
	}
	return v, ok
}

// Moments are what a run lists for reports, in order; nil if it lists nothing.
func (r *Result) Moments() (title string, moments []Moment) {
	if j, lists := r.Judge.(Lister); lists {
		return j.Moments()
	}
	return "", nil
}

// Leader is the identity of the one leader at the end of the run; ok is false if there is
// none.
func (r *Result) Leader() (id election.Identity, ok bool) {
	if j, leading := r.Judge.(Leading); leading {
		return j.Leader()
	}
	return 0, false
}

// judge compares what was measured with the algorithm's bounds. They hold
// inside the model and for runs that came to rest or, of an endless family, to where
// all was seen.
func (r *Result) judge() {
	in := r.Instance
	late := slices.ContainsFunc(in.Drawn, func(f faults.Fault) bool { return f.Kind == faults.Start })
	if len(in.Outside) > 0 || r.End != netem.Quiescent && r.End != netem.Stopped {
		return
	}
	for i := range in.Algorithm.Bounds {
		b := &in.Algorithm.Bounds[i]
		if late && !b.Again {
			continue
		}
		value, applies := b.Value(in)
		measured, ok := r.Metric(b.Metric)
		if !applies || !ok || !in.bears(b.Metric) {
			continue
		}
		result := BoundResult{Bound: b, Value: value, Measured: measured, Ratio: 1}
		if value != measured {
			result.Ratio = measured / value
		}
		switch b.Relation {
		case Exactly:
			result.Broken = measured != value
		case AtMost:
			result.Broken = measured > value
		case AtLeast:
			result.Broken = measured < value
		}
		r.Bounds = append(r.Bounds, result)
	}
}

// bears reports whether bounds on a metric can be compared. They are of the
// algorithm on links that do nothing but delay: where something else is below it,
// its messages are still its own, but the rest counts that of others too, and time
// goes by otherwise.
func (in *Instance) bears(metric string) bool {
	switch {
	case metric == "messages":
		return true
	case in.Algorithm.IsTime(metric):
		return in.Transport == nil && len(in.Lines) == 0
	}
	return in.Transport == nil && in.Detector == nil
}

// TraceFunc makes the tracer of a trial. decision says what a process has
// decided if that is news.
type TraceFunc func(decision func(protocols.ID) string) netem.Tracer

// runner runs trials of one algorithm, one after another.
type runner interface {
	run(ctx context.Context, in *Instance, trace TraceFunc) *Result
}

// Worker runs trials one after another, in memory that it keeps. It is used by
// one goroutine.
type Worker struct {
	runners map[*Algorithm]runner
}

// Run runs a trial. A cancelled context ends it early: see Result.End. If the algorithm
// panics, Result.Failed says so. trace may be nil.
func (w *Worker) Run(ctx context.Context, in *Instance, trace TraceFunc) *Result {
	if w.runners == nil {
		w.runners = map[*Algorithm]runner{}
	}
	result := w.attempt(ctx, in, trace)
	failed, panicked := errors.AsType[*PanicError](result.Failed)
	if !panicked || failed.Step > 0 || failed.Where != "" || trace != nil {
		return result
	}
	// Which step is at hand is known in a run with a trace alone: what every message would
	// pay for. So the run is made again.
	if again := w.attempt(ctx, in, unheardTrace); again.Panicked() {
		return again
	}
	failed.Once = true
	return result
}

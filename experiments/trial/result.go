package trial

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"bullring/des"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/detector"
	"bullring/protocols/election"
)

// Result is the result of a trial.
type Result struct {
	Instance *Instance
	End      netem.End
	Outcome  Outcome
	Counters netem.Counters

	// Time is when the run came to rest: when the last message arrived, or the judge saw
	// the last change that its family measures.
	Time des.Time

	// Correct: the run came to rest as it should.
	Correct bool
	// Judge judged the run, and has the metrics of the family. It is nil if a handler
	// panicked in a run without a schedule, and if a program was late.
	Judge Judge

	// Lied is what the Byzantine processes sent. Counters has the messages of the others.
	Lied Lied

	// Kinds names the kinds of messages, in the order of the counters: first those of the
	// algorithm, then those of the transformers below it.
	Kinds []string
	// Overhead is the number of messages of transformers, and of the application that the
	// algorithm observes. The counters include them. Apart marks their kinds.
	Overhead uint64
	Apart    []bool
	// Detection is the quality of the failure detector, nil for the perfect one.
	Detection *detector.Quality

	// Failed is a PanicError or a LateError, or says which step of the schedule was impossible, or which run
	// of an estimate failed.
	Failed error

	Checks      []protocols.Check
	Bounds      []BoundResult
	Fingerprint uint64
	Trail       string     // see netem.Network.Trail; empty for a run that follows a schedule
	Loop        netem.Loop // zero unless End is netem.Repeating
}

// Outcome is the outcome of a run, in a word of its family.
type Outcome string

// Unfinished is the outcome of a run that ended at a limit. Every family has it.
const Unfinished Outcome = "unfinished"

// Inconclusive is the outcome of a run in which a program did not answer in time. A slow
// machine can be the reason, so the run has no values and no verdicts.
const Inconclusive Outcome = "inconclusive"

// newResult returns the result of a run, with the verdict of its judge.
func newResult(in *Instance, watch *watch, end netem.End, c netem.Counters, m protocols.Message, fingerprint uint64) *Result {
	c, lied := watch.lies.honest(c)
	r := measured(in, end, c, m, fingerprint)
	r.Lied = lied
	if v := &watch.view; v.monitor != nil {
		q := v.monitor.Quality(v.elapsed())
		r.Detection = &q
	}
	watch.conclude(r)
	return r
}

// measured returns the result of a run without the verdict of a judge.
func measured(in *Instance, end netem.End, c netem.Counters, m protocols.Message, fingerprint uint64) *Result {
	r := &Result{
		Instance: in, End: end, Outcome: Unfinished, Counters: c, Fingerprint: fingerprint,
		Time: c.LastMessage, Kinds: m.Kinds(),
	}
	r.Apart = make([]bool, len(c.Sent))
	if o, ok := m.(protocols.Overhead); ok {
		for kind, sent := range c.Sent {
			if o.Overhead(kind) {
				r.Overhead += sent
				r.Apart[kind] = true
			}
		}
	}
	if slices.Contains(r.Kinds, "") {
		r.dropNameless()
	}
	return r
}

// dropNameless drops the kinds without a name. They are room for kinds that a run finds as
// they come: see package foreign.
func (r *Result) dropNameless() {
	all, sent, apart := r.Kinds, r.Counters.Sent, r.Apart
	r.Kinds, r.Counters.Sent, r.Apart = nil, nil, nil
	for kind, name := range all {
		if name != "" {
			r.Kinds, r.Counters.Sent, r.Apart = append(r.Kinds, name), append(r.Counters.Sent, sent[kind]), append(r.Apart, apart[kind])
		}
	}
}

// unjudged returns the result of a run that failed in a handler. The judge may have been told
// half of the last step, so it does not judge the run.
func unjudged(net network, in *Instance, failed error) *Result {
	r := measured(in, netem.Panicked, net.Counters(), net.Sample(), net.Fingerprint())
	r.Trail = net.Trail()
	r.fail(failed)
	return r
}

// fail records that the run failed in a handler. A run that is inconclusive loses its verdicts.
func (r *Result) fail(failed error) {
	r.Failed = failed
	if IsLate(failed) {
		*r = Result{Instance: r.Instance, End: netem.Unanswered, Outcome: Inconclusive, Counters: r.Counters, Fingerprint: r.Fingerprint,
			Trail: r.Trail, Time: r.Time, Kinds: r.Kinds, Overhead: r.Overhead, Apart: r.Apart, Failed: failed}
	}
}

// Late returns the [LateError] of a run that is inconclusive, and nil for other runs.
func (r *Result) Late() error {
	if IsLate(r.Failed) {
		return r.Failed
	}
	return nil
}

// Panicked reports whether a handler panicked.
func (r *Result) Panicked() bool {
	_, panicked := errors.AsType[*PanicError](r.Failed)
	return panicked
}

// Impossible returns why the schedule could not be followed. It is nil if a handler
// panicked or a program was late.
func (r *Result) Impossible() error {
	if r.Panicked() || r.Late() != nil {
		return nil
	}
	return r.Failed
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

// Verdict returns the verdict of the check of that name, or Undecided if there is none.
func (r *Result) Verdict(name string) protocols.Verdict {
	for _, c := range r.Checks {
		if c.Name == name {
			return c.Verdict
		}
	}
	return protocols.Undecided
}

// Rounds is the number of lock-step rounds until the run came to rest. Round 1 is the
// instant 0; a message sent in round r arrives in round r+1. ok is false if the delay is
// not constant: then there are no rounds.
func (r *Result) Rounds() (rounds int64, ok bool) {
	unit, ok := r.Instance.Unit()
	if !ok {
		return 0, false
	}
	return int64(r.Time)/int64(unit) + 1, true
}

// Metric returns a measured value by name. ok is false if the run has none.
func (r *Result) Metric(name string) (v float64, ok bool) {
	if kind, sent := strings.CutPrefix(name, SentPrefix); sent {
		return r.sent(kind)
	}
	return r.measure(r.Instance.Algorithm.measured[name], name)
}

// Value returns the value of a metric of any algorithm. ok is false if the run has none. It
// finds the metric sooner than Metric does: most stand at the same place in all algorithms.
func (r *Result) Value(m *Metric) (v float64, ok bool) {
	if own := r.Instance.Algorithm.Metrics; int(m.place) < len(own) && own[m.place].Name == m.Name {
		return r.measure(&own[m.place], m.Name)
	}
	return r.Metric(m.Name)
}

// measure returns the value of a metric of the algorithm, which is nil if it has none of this name.
func (r *Result) measure(m *Metric, name string) (v float64, ok bool) {
	if r.Outcome == Inconclusive {
		return 0, false
	}
	if m != nil && m.Measure != nil {
		if v, ok := m.Measure(r); ok {
			return v, true
		}
	}
	return 0, slices.Contains(r.Instance.zeros, name)
}

// Moments returns the moments that the Judge lists for reports, in order.
func (r *Result) Moments() (title string, moments []Moment) {
	if j, lists := r.Judge.(Lister); lists {
		return j.Moments()
	}
	return "", nil
}

// Leader returns the identity of the one leader at the end of the run. ok is false if there
// is none.
func (r *Result) Leader() (id election.Identity, ok bool) {
	if j, leading := r.Judge.(Leading); leading {
		return j.Leader()
	}
	return 0, false
}

// PartsFrom says at which event the run parts from one with another fingerprint, given the
// trail of that run.
func (r *Result) PartsFrom(trail string) string {
	const digits = 2 // of a checkpoint
	all := min(len(r.Trail), len(trail)) / digits
	i := 0
	for i < all && r.Trail[digits*i:digits*(i+1)] == trail[digits*i:digits*(i+1)] {
		i++
	}
	agreed := uint64(0)
	if i > 0 {
		agreed = netem.Checkpoint(i - 1)
	}
	switch next := netem.Checkpoint(i); {
	case i == all: // one of the runs has ended by then
		return fmt.Sprintf("the runs part after event %d", agreed)
	case next == agreed+1:
		return fmt.Sprintf("the runs part at event %d", next)
	default:
		return fmt.Sprintf("the runs part between event %d and %d", agreed+1, next)
	}
}

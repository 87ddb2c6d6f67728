package lab

import (
	"cmp"
	"context"
	"strings"
	"time"

	"bullring/experiments/trial"
	"bullring/netem/live"
)

// Trial is a live run with its verdict.
type Trial struct {
	Instance  *trial.Instance // that ran live
	Options   Options
	Recording *live.Recording
	Replay    trial.Setting // that repeats it
	// Result is that of the replay. It is nil if there is none, and then Wrong says why.
	Result *trial.Result
	Wrong  error // see Agree
}

// Try runs an instance live and judges the recording by replaying it. A cancelled context ends
// the run, and what was recorded is still judged. trace, if not nil, gets the events of the
// replay.
// The error says why the run could not begin.
func Try(ctx context.Context, r *trial.Registry, in *trial.Instance, o Options, trace trial.TraceFunc) (*Trial, error) {
	rec, after, err := run(ctx, r, in, o)
	if err != nil {
		return nil, err
	}
	t := &Trial{Instance: in, Options: o, Recording: rec, Replay: Replay(in, rec)}
	ctx = context.WithoutCancel(ctx)
	if in.Algorithm.IsEndless() {
		t.cut(ctx, r)
	}
	if t.Result, err = play(ctx, r, t.Replay, trace); err == nil {
		err = Agree(rec, t.Result)
	}
	t.Wrong = cmp.Or(ended(rec, after), err)
	return t, nil
}

// ended is what is wrong with a program after its last event. One that does not answer then makes
// the end of the run undecided.
func ended(rec *live.Recording, after error) error {
	if text := lateness(after); text != "" {
		rec.End, rec.Stuck = live.Late, []string{text}
		return nil
	}
	return after
}

// cut ends the schedule where the judge has seen enough of a run that never comes to rest.
func (t *Trial) cut(ctx context.Context, r *trial.Registry) {
	if result, err := play(ctx, r, t.Replay, nil); err == nil && result.Failed == nil {
		taken := t.Replay.Schedule.Lines()[:1+result.Counters.Events]
		t.Replay.Schedule = trial.Schedule(strings.Join(taken, "\n"))
	}
}

func play(ctx context.Context, r *trial.Registry, s trial.Setting, trace trial.TraceFunc) (*trial.Result, error) {
	in, err := r.Instance(s)
	if err != nil {
		return nil, &DisagreementError{err.Error()}
	}
	return new(trial.Worker).Run(ctx, in, trace), nil
}

// Quantile is a latency that a fraction p of the messages did not exceed. It is 0 if no message
// arrived.
func Quantile(ascending []time.Duration, p float64) time.Duration {
	if len(ascending) == 0 {
		return 0
	}
	return ascending[min(int(p*float64(len(ascending))), len(ascending)-1)]
}

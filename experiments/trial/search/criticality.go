package search

import (
	"context"
	"fmt"
	"slices"
	"time"

	"bullring/des"
	"bullring/experiments/trial"
	"bullring/faults"
	"bullring/netem"
	"bullring/protocols"
)

// Strike is a fault that hits one message of a run.
type Strike uint8

// The strikes.
const (
	Drop      Strike = iota // the message is lost
	Delay                   // it takes longer
	Duplicate               // it arrives twice
	Crash                   // its sender crashes right after sending it
)

// Strikes are the names of the strikes.
var Strikes = []string{"drop", "delay", "duplicate", "crash"}

// String names the strike.
func (s Strike) String() string { return Strikes[s] }

// Criticality is the effect of a strike on each message of a run.
type Criticality struct {
	Baseline *trial.Result // without a strike
	Strike   Strike
	Messages int            // of the baseline
	Cases    []CriticalCase // by message, in the order of the sends
}

// CriticalCase is the run in which one message was struck.
type CriticalCase struct {
	Number  uint64            `json:"number"` // of the message, from 1; if a process crashes before its first send, of that
	At      string            `json:"at"`     // when it was sent
	From    protocols.ID      `json:"from"`
	To      protocols.ID      `json:"to"`
	Message string            `json:"message"`
	Effect  trial.Effect      `json:"effect"`
	Checks  []protocols.Check `json:"checks"` // that came out otherwise than in the baseline
	Fault   string            `json:"fault"`  // added to the plan; the run repeats with it
	Result  *trial.Result     `json:"-"`
}

// strikeDelay is the default delay of a struck message, in assumed bounds on delay.
const strikeDelay = 10

// FindCritical runs a setting once without a strike, and once for each message with that
// message struck. by is the delay of Delay, such as 3ms; "" is ten assumed bounds. progress,
// if not nil, is called with the number of messages that are done.
func FindCritical(ctx context.Context, r *trial.Registry, s trial.Setting, strike Strike, by string, progress func(done, all int)) (*Criticality, error) {
	in, err := r.Instance(s)
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(in.Plan, func(f faults.Fault) bool { return f.Kind == faults.Carry }); i >= 0 {
		return nil, fmt.Errorf("fault %q: a message that is carried cannot be struck; leave this fault out", in.Plan[i])
	}
	var worker trial.Worker
	log := &sendLog{perSender: map[protocols.ID]uint64{}}
	c := &Criticality{Strike: strike}
	c.Baseline = worker.Run(ctx, in, func(*trial.Traced) netem.Tracer { return log })
	if c.Baseline.Failed != nil {
		return c, c.Baseline.Failed
	}
	if c.Baseline.End != netem.Quiescent {
		return c, fmt.Errorf("the run without a strike did not come to rest (%v): there is nothing to compare with", c.Baseline.End)
	}
	later := min(strikeDelay*in.Assumed, des.MaxDuration)
	if err := trial.ReadDuration("delay of a message", by, &later); err != nil {
		return nil, err
	}
	if later == 0 {
		return nil, fmt.Errorf("delay of a message %q: it has to be above 0s", by)
	}
	if progress == nil {
		progress = func(int, int) {}
	}
	c.Messages = len(log.sends)
	for i, sent := range log.sends {
		progress(i, c.Messages)
		for _, fault := range sent.faults(strike, later) {
			if err := c.add(ctx, r, &worker, sent, fault); err != nil {
				return c, err
			}
		}
	}
	progress(c.Messages, c.Messages)
	return c, nil
}

// add runs the baseline once more with a fault, which strikes a message.
func (c *Criticality) add(ctx context.Context, r *trial.Registry, worker *trial.Worker, struck send, fault faults.Fault) error {
	s := c.Baseline.Instance.Setting
	s.OutsideModel = true
	s.MaxEvents = min(s.MaxEvents, 100*c.Baseline.Counters.Events+10_000)
	if s.Fault != "" {
		s.Fault += "; "
	}
	s.Fault += fault.String()
	in, err := r.Instance(s)
	if err != nil {
		return err
	}
	result := worker.Run(ctx, in, nil)
	if result.End == netem.Interrupted {
		return context.Cause(ctx)
	}
	if err := result.Late(); err != nil {
		return err
	}
	c.Cases = append(c.Cases, CriticalCase{
		Number: struck.number, At: struck.at, From: struck.from, To: struck.to, Message: struck.message,
		Fault: fault.String(), Effect: effectOf(c.Baseline, result), Checks: otherwise(c.Baseline, result), Result: result,
	})
	return nil
}

// effectOf compares a run with the baseline.
func effectOf(base, r *trial.Result) trial.Effect {
	comparer, compares := r.Judge.(trial.Comparer)
	switch {
	case r.Panicked():
		return trial.Breaks
	case r.Outcome == trial.Unfinished:
		return trial.Endless
	case compares:
		return comparer.Compare(base.Judge)
	case r.Outcome != base.Outcome:
		return trial.OtherOutcome
	case r.Time > base.Time:
		return trial.Slower
	}
	return trial.Same
}

// otherwise returns the checks of a run that came out otherwise than in the baseline: with another
// verdict, or violated in another way. Nothing is known of a check that is undecided.
func otherwise(base, r *trial.Result) []protocols.Check {
	checks := []protocols.Check{}
	for _, is := range r.Checks {
		for _, was := range base.Checks {
			same := is.Verdict == was.Verdict && trial.Sentence(is.Detail) == trial.Sentence(was.Detail)
			if is.Name == was.Name && is.Verdict != protocols.Undecided && !same {
				checks = append(checks, is)
			}
		}
	}
	return checks
}

// sendLog is a tracer that keeps the messages of a run.
type sendLog struct {
	sends     []send
	perSender map[protocols.ID]uint64
}

// send is a message that was sent.
type send struct {
	number   uint64
	nth      uint64 // of its sender
	at       string
	from, to protocols.ID
	message  string
}

// Record implements netem.Tracer.
func (l *sendLog) Record(r netem.Record) {
	for _, s := range r.Sent {
		l.perSender[r.Who]++
		l.sends = append(l.sends, send{s.Number, l.perSender[r.Who], r.At.String(), r.Who, s.To, fmt.Sprint(s.Message)})
	}
}

// faults returns the faults of a strike. A process can crash after each of its sends, and
// before the first.
func (s send) faults(strike Strike, by time.Duration) []faults.Fault {
	f := faults.Fault{Kind: faults.Drop, Count: s.number, From: faults.Anyone, To: faults.Anyone}
	switch strike {
	case Delay:
		f.Kind, f.By = faults.Delay, by
	case Duplicate:
		f.Kind = faults.Duplicate
	case Crash:
		f = faults.Fault{Kind: faults.Crash, Process: s.from, Amid: true, Count: s.nth}
		if s.nth == 1 {
			before := f
			before.Count = 0
			return []faults.Fault{before, f}
		}
	}
	return []faults.Fault{f}
}

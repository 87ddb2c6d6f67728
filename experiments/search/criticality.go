package search

import (
	"context"
	"fmt"
	"time"

	"bullring/des"
	"bullring/experiments"
	"bullring/faults"
	"bullring/netem"
	"bullring/protocols"
)

// Strike is what is done to a message of a run.
type Strike uint8

// The strikes.
const (
	Drop      Strike = iota // it is lost
	Delay                   // it takes longer
	Duplicate               // it arrives twice
	Crash                   // its sender crashes right after sending it
)

// Strikes are their names.
var Strikes = []string{"drop", "delay", "duplicate", "crash"}

// String names the strike.
func (s Strike) String() string { return Strikes[s] }

// Criticality is what became of a run when each of its messages was struck in
// turn.
type Criticality struct {
	Baseline *experiments.Result
	Strike   Strike
	Messages int            // of the baseline
	Cases    []CriticalCase // by message, in the order of the sends
}

// CriticalCase is the run in which one message was struck.
type CriticalCase struct {
	Number   uint64 // of the message, from 1; that before which a process crashes that sends nothing
	At       string // when it was sent
	From, To protocols.ID
	Message  string
	Fault    string // what was added to the plan: with it the run repeats
	Effect   experiments.Effect
	Result   *experiments.Result
}

// strikeDelay is by how many delays a message is delayed, unless told otherwise.
const strikeDelay = 10

// FindCritical runs a setting once as it is, and once for each of its messages
// with that message struck. by is the delay, such as 3ms, "" for ten assumed bounds;
// progress, if not nil, is told how far it is.
func FindCritical(ctx context.Context, r *experiments.Registry, s experiments.Setting, strike Strike, by string, progress func(done, all int)) (*Criticality, error) {
	in, err := r.Instance(s)
	if err != nil {
		return nil, err
	}
	var worker experiments.Worker
	log := &sendLog{perSender: map[protocols.ID]uint64{}}
	c := &Criticality{Strike: strike}
	c.Baseline = worker.Run(ctx, in, func(func(protocols.ID) string) netem.Tracer { return log })
	if c.Baseline.Panicked() {
		return c, c.Baseline.Failed
	}
	if c.Baseline.End != netem.Quiescent {
		return c, fmt.Errorf("the run without a strike did not come to rest (%v): there is nothing to compare with", c.Baseline.End)
	}
	later := min(strikeDelay*in.Assumed, des.MaxDuration)
	if err := experiments.ReadDuration("delay of a message", by, &later); err != nil {
		return nil, err
	}
	if later == 0 {
		return nil, fmt.Errorf("delay of a message %q: it has to be above 0s", by)
	}
	s = in.Setting
	s.OutsideModel = true
	s.MaxEvents = min(s.MaxEvents, 100*c.Baseline.Counters.Events+10_000)
	c.Messages = len(log.sends)
	for i, sent := range log.sends {
		if progress != nil {
			progress(i, len(log.sends))
		}
		for _, fault := range sent.faults(strike, later) {
			struck := s
			struck.Fault = joinFaults(s.Fault, fault.String())
			instance, err := r.Instance(struck)
			if err != nil {
				return c, err
			}
			result := worker.Run(ctx, instance, nil)
			if result.End == netem.Interrupted {
				return c, context.Cause(ctx)
			}
			c.Cases = append(c.Cases, CriticalCase{
				Number: sent.number, At: sent.at, From: sent.from, To: sent.to, Message: sent.message,
				Fault: fault.String(), Effect: effectOf(c.Baseline, result), Result: result,
			})
		}
	}
	if progress != nil {
		progress(len(log.sends), len(log.sends))
	}
	return c, nil
}

func joinFaults(plan, fault string) string {
	if plan == "" {
		return fault
	}
	return plan + "; " + fault
}

// effectOf compares a run with the one without the strike.
func effectOf(base, r *experiments.Result) experiments.Effect {
	comparer, compares := r.Judge.(experiments.Comparer)
	switch {
	case r.Panicked():
		return experiments.Breaks
	case r.Outcome == experiments.Unfinished:
		return experiments.Endless
	case compares:
		return comparer.Compare(base.Judge)
	case r.Outcome != base.Outcome:
		return experiments.OtherOutcome
	case r.Time > base.Time:
		return experiments.Slower
	}
	return experiments.Same
}

// sendLog is a tracer that keeps which messages were sent.
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

// faults are the strike in the words of plans. A process can crash behind each
// of its sends, and before the first.
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

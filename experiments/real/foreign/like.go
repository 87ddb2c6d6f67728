package foreign

import (
	"context"
	"fmt"
	"strings"

	"bullring/experiments/trial"
	"bullring/netem"
)

// Comparison compares the run of a program with another run of the same setting: of the
// algorithm of the registry, or of the program once more.
//
// Two events are the same if they happen at the same time, to the same process, with a message
// of the same kind from the same sender or the same timer, and if the process then sends
// messages of the same kinds to the same processes, in the same order. The contents of messages
// are compared only if both runs are of the program: an algorithm writes them in its own way.
type Comparison struct {
	With        string // what the program is compared with, as it is printed
	Itself      bool   // that is the program
	Events      uint64 // that are the same
	Fingerprint uint64 // of both runs
	Cut         bool   // a run failed or was interrupted, and they had not parted
	// Parted: the runs differ. Common is the last event before, "" if there is none; First and
	// Other are the events that differ, in the run of the program and in the other one, "" if
	// that run ends before.
	Parted               bool
	Common, First, Other string

	events <-chan event // of the other run
	end    context.CancelFunc
	done   chan struct{}
	other  *trial.Result // of the other run, once it is done
}

// CompareLike begins the comparison of a run of the program with a run of its algorithm.
func CompareLike(ctx context.Context, registry *trial.Registry, in *trial.Instance) (*Comparison, error) {
	s := in.Setting
	s.Node, s.OutsideModel = "", true
	other, err := registry.Instance(s)
	if err != nil {
		return nil, err
	}
	return compare(ctx, other, other.Algorithm.Name, false), nil
}

// CompareTwice begins the comparison of two runs of the program.
func CompareTwice(ctx context.Context, in *trial.Instance) *Comparison {
	return compare(ctx, in, "a second run of it", true)
}

func compare(ctx context.Context, other *trial.Instance, with string, itself bool) *Comparison {
	ctx, cancel := context.WithCancel(ctx)
	events := make(chan event, 1)
	c := &Comparison{With: with, Itself: itself, events: events, end: cancel, done: make(chan struct{})}
	go func() {
		defer close(c.done)
		defer close(events)
		var worker trial.Worker
		c.other = worker.Run(ctx, other, func(run *trial.Traced) netem.Tracer {
			return tracer(func(r netem.Record) {
				select {
				case events <- c.event(r, run):
				case <-ctx.Done():
				}
			})
		})
	}()
	return c
}

// event is an event of a run, as it is compared and as it is printed.
type event struct{ key, line string }

func (c *Comparison) event(r netem.Record, run *trial.Traced) event {
	e := event{line: r.Text(run.News(r.Who))}
	if e.key = e.line; !c.Itself {
		e.key = keyOf(r)
	}
	return e
}

// tracer is a function as a tracer.
type tracer func(netem.Record)

// Record implements [netem.Tracer].
func (t tracer) Record(r netem.Record) { t(r) }

// Tracer compares the events of the program's run.
func (c *Comparison) Tracer(run *trial.Traced) netem.Tracer {
	return tracer(func(r netem.Record) {
		if c.Parted || r.Panics {
			return
		}
		first := c.event(r, run)
		other, more := <-c.events
		switch {
		case more && other.key == first.key:
			c.Events++
			c.Common = first.line
		case !more && c.cut(): // it says nothing about the program's event
		default:
			c.part(first.line, other.line)
		}
	})
}

func (c *Comparison) part(first, other string) {
	c.Parted, c.First, c.Other = true, first, other
	c.end()
}

// Finish ends the comparison when the program's run has ended.
func (c *Comparison) Finish(r *trial.Result) {
	c.Cut = !c.Parted && (r.Failed != nil || r.End == netem.Interrupted)
	if other, more := <-c.events; more && !c.Parted && !c.Cut {
		c.part("", other.line)
	}
	c.end()
	<-c.done
	c.Cut = c.Cut || !c.Parted && c.cut()
	if !c.Parted {
		c.Fingerprint = r.Fingerprint
	}
}

// cut reports whether the other run was interrupted, or its program was late. The events of
// that run have ended.
func (c *Comparison) cut() bool {
	<-c.done
	return c.other.Late() != nil || c.other.End == netem.Interrupted
}

// Error is nil if the runs agree.
func (c *Comparison) Error() error {
	switch {
	case !c.Parted:
		return c.other.Late()
	case c.Itself:
		return fmt.Errorf("the program is not deterministic: event %d differs", c.Events+1)
	}
	return fmt.Errorf("the program parts from %s at event %d", c.With, c.Events+1)
}

// keyOf is an event without the contents of messages.
func keyOf(r netem.Record) string {
	var b strings.Builder
	fmt.Fprint(&b, int64(r.At), r.What, " ", r.Who, r.From, r.Timer, kindOf(r.Message), r.Note)
	for _, s := range r.Sent {
		fmt.Fprint(&b, ";", s.To, kindOf(s.Message))
	}
	return b.String()
}

// kindOf is the kind of a message, -1 without one.
func kindOf(message any) int {
	if m, ok := message.(interface{ Kind() int }); ok {
		return m.Kind()
	}
	return -1
}

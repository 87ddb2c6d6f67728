package foreign

import (
	"context"
	"fmt"
	"strings"

	"bullring/experiments"
	"bullring/netem"
)

// Comparison compares the run of a program with the run of the algorithm of the registry, in
// the same setting. Two events are the same if they happen at the same time, to the same
// process, with a message of the same kind from the same sender or the same timer, and if the
// process then sends messages of the same kinds to the same processes, in the same order. The
// contents of messages are not compared: the two write them in different ways.
type Comparison struct {
	Algorithm   string
	Events      uint64 // that are the same
	Fingerprint uint64 // of the algorithm's run, if it was followed to its end
	// Common is the last event that is the same, "" if there is none. Theirs and Ours are the
	// first that differ: of the program, and of the algorithm; "" if that run ends before.
	Common, Theirs, Ours string
	Parted               bool

	events <-chan event // of the algorithm's run
	end    context.CancelFunc
	result *experiments.Result
	done   chan struct{}
}

// event is an event of a run, as it is compared and as it is printed.
type event struct{ key, line string }

// Compare begins a comparison of the run of an instance. Its Tracer traces that run.
func Compare(ctx context.Context, registry *experiments.Registry, in *experiments.Instance) (*Comparison, error) {
	s := in.Setting
	s.Node, s.OutsideModel = "", true
	like, err := registry.Instance(s)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	events := make(chan event, 1)
	c := &Comparison{Algorithm: like.Algorithm.Name, events: events, end: cancel, done: make(chan struct{})}
	go func() {
		defer close(c.done)
		defer close(events)
		var worker experiments.Worker
		c.result = worker.Run(ctx, like, func(run *experiments.Traced) netem.Tracer {
			return tracer(func(r netem.Record) {
				select {
				case events <- event{keyOf(r), r.Text(run.News(r.Who))}:
				case <-ctx.Done():
				}
			})
		})
	}()
	return c, nil
}

// tracer is a function as a tracer.
type tracer func(netem.Record)

// Record implements [netem.Tracer].
func (t tracer) Record(r netem.Record) { t(r) }

// Tracer compares the events of the program's run.
func (c *Comparison) Tracer(run *experiments.Traced) netem.Tracer {
	return tracer(func(r netem.Record) {
		if c.Parted {
			return
		}
		theirs := event{keyOf(r), r.Text(run.News(r.Who))}
		ours, more := <-c.events
		if more && ours.key == theirs.key {
			c.Events++
			c.Common = theirs.line
			return
		}
		c.part(theirs.line, ours.line)
	})
}

func (c *Comparison) part(theirs, ours string) {
	c.Parted, c.Theirs, c.Ours = true, theirs, ours
	c.end()
}

// Finish ends the comparison when the program's run has ended.
func (c *Comparison) Finish(r *experiments.Result) {
	defer c.end()
	if ours, more := <-c.events; more && !c.Parted && r.Failed == nil {
		c.part("", ours.line)
	}
	c.end()
	for range c.events {
	}
	<-c.done
	if !c.Parted {
		c.Fingerprint = c.result.Fingerprint
	}
}

// Error is nil if the runs agree.
func (c *Comparison) Error() error {
	if !c.Parted {
		return nil
	}
	return fmt.Errorf("the program parts from %s at event %d", c.Algorithm, c.Events+1)
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

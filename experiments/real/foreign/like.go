package foreign

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"bullring/des"
	"bullring/experiments/trial"
	"bullring/netem"
	"bullring/protocols"
)

// Comparison compares the run of a program with another run of the same setting: of the
// algorithm of the registry, or of the program once more.
//
// With an algorithm it compares what processes do, from the first event to the last: an act is an
// event in which a process sends or says something. Two acts are the same if they happen at the
// same time, to the same process, if it then says the same to the judge, and sends messages of the
// same kinds to the same processes, in the same order. What woke the process is its own business,
// so timers are compared only on request. The contents of messages are compared only if both runs
// are of the program: an algorithm writes them in its own way.
type Comparison struct {
	With        string // what the program is compared with, as it is printed
	Itself      bool   // that is the program
	Timers      bool   // with an algorithm: all events are compared, with their timers and senders
	Events      uint64 // that are the same
	Fingerprint uint64 // of both runs; 0 if they have different ones
	Cut         bool   // a run failed or was interrupted, and they had not parted
	// Parted: the runs differ. Common has the last events before, at most three, each as both runs
	// print it. Program and Other begin with the events that differ, of the run of the program and
	// of the other one, at most three each. A list is shorter if its run ends there.
	Parted         bool
	Common         []Pair
	Program, Other []string

	mine   *acts
	events <-chan event // of the other run
	end    context.CancelFunc
	done   chan struct{}
	other  *trial.Result // of the other run, once it is done
}

// Pair is an event of the run of a program, and the same one of the other run.
type Pair struct{ Program, Other string }

// around is how many events a comparison shows before those that differ, and from them on.
const around = 3

// CompareLike begins the comparison of a run of the program with a run of its algorithm.
func CompareLike(ctx context.Context, registry *trial.Registry, in *trial.Instance, timers bool) (*Comparison, error) {
	s := in.Setting
	s.Node, s.OutsideModel = "", true
	other, err := registry.Instance(s)
	if err != nil {
		return nil, err
	}
	return compare(ctx, other, &Comparison{With: other.Algorithm.Name, Timers: timers}), nil
}

// CompareTwice begins the comparison of two runs of the program.
func CompareTwice(ctx context.Context, in *trial.Instance) *Comparison {
	return compare(ctx, in, &Comparison{With: "a second run of it", Itself: true})
}

func compare(ctx context.Context, other *trial.Instance, c *Comparison) *Comparison {
	ctx, cancel := context.WithCancel(ctx)
	events := make(chan event, 1)
	c.events, c.end, c.done = events, cancel, make(chan struct{})
	c.mine = &acts{Comparison: c, act: c.compare}
	go func() {
		defer close(c.done)
		defer close(events)
		others := &acts{Comparison: c, act: func(e event) {
			select {
			case events <- e:
			case <-ctx.Done():
			}
		}}
		c.other = new(trial.Worker).Run(ctx, other, others.tracer)
		others.flush()
	}()
	return c
}

// event is an event of a run, as it is compared and as it is printed.
type event struct {
	who       protocols.ID
	key, line string
}

// acts takes from the events of a run those that are compared, in an order that does not depend
// on other events: what processes do at one instant goes by their addresses.
type acts struct {
	*Comparison
	act     func(event)
	at      des.Time
	instant []event // at that time, so far
}

func (a *acts) tracer(run *trial.Traced) netem.Tracer {
	return tracer(func(r netem.Record) {
		news := run.News(r.Who)
		e := event{who: r.Who, line: r.Text(news)}
		switch {
		case a.Itself:
			e.key = e.line
		case a.Timers:
			e.key = keyOf(r, news)
		case len(r.Sent) > 0 || news != "":
			e.key = deedOf(r, news)
		default:
			return
		}
		if a.Itself || a.Timers {
			a.act(e)
			return
		}
		if r.At != a.at {
			a.flush()
			a.at = r.At
		}
		a.instant = append(a.instant, e)
	})
}

// flush hands on what was done at the last instant.
func (a *acts) flush() {
	slices.SortStableFunc(a.instant, func(e, f event) int { return cmp.Compare(e.who, f.who) })
	for _, e := range a.instant {
		a.act(e)
	}
	a.instant = a.instant[:0]
}

// tracer is a function as a tracer.
type tracer func(netem.Record)

// Record implements [netem.Tracer].
func (t tracer) Record(r netem.Record) {
	if !r.Panics {
		t(r)
	}
}

// Tracer compares the events of the program's run.
func (c *Comparison) Tracer(run *trial.Traced) netem.Tracer { return c.mine.tracer(run) }

// compare compares the next event of the program's run.
func (c *Comparison) compare(first event) {
	if c.Parted {
		if len(c.Program) < around {
			c.Program = append(c.Program, first.line)
		}
		return
	}
	other, more := <-c.events
	switch {
	case more && other.key == first.key:
		c.Events++
		if len(c.Common) == around {
			c.Common = c.Common[1:]
		}
		c.Common = append(c.Common, Pair{first.line, other.line})
	case !more && c.cut(): // it says nothing about the program's event
	default:
		c.Program = []string{first.line}
		c.part(other, more)
	}
}

// part ends the other run, whose next event, if there are more, differs.
func (c *Comparison) part(other event, more bool) {
	c.Parted = true
	for ; more && len(c.Other) < around; other, more = <-c.events {
		c.Other = append(c.Other, other.line)
	}
	c.end()
}

// Finish ends the comparison when the program's run has ended.
func (c *Comparison) Finish(r *trial.Result) {
	c.mine.flush()
	c.Cut = !c.Parted && (r.Failed != nil || r.End == netem.Interrupted)
	if !c.Parted && !c.Cut {
		if other, more := <-c.events; more {
			c.part(other, more)
		}
	}
	c.end()
	<-c.done
	c.Cut = c.Cut || !c.Parted && c.cut()
	if !c.Parted && r.Fingerprint == c.other.Fingerprint {
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
	return fmt.Errorf("the program parts from %s at %s %d", c.With, c.Unit(), c.Events+1)
}

// Unit is what is compared: each event, or each act.
func (c *Comparison) Unit() string {
	if c.Itself || c.Timers {
		return "event"
	}
	return "act"
}

// keyOf is an event without the contents of messages: what woke the process, and what it does.
func keyOf(r netem.Record, news string) string {
	return fmt.Sprint(r.What, " ", r.From, r.Timer, kindOf(r.Message), r.Note) + deedOf(r, news)
}

// deedOf is what a process does in an event, without the contents of messages.
func deedOf(r netem.Record, news string) string {
	var b strings.Builder
	fmt.Fprint(&b, int64(r.At), " ", r.Who, " ", news)
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

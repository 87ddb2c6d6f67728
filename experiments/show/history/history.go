package history

import (
	"context"
	"math"
	"slices"

	"bullring/experiments/trial"
	"bullring/internal/value"
	"bullring/netem"
	"bullring/protocols"
)

// History is a run with its events.
type History struct {
	Result *trial.Result
	Events []Event // in the order of the run
	// What is the verdict that [History.Slice] explains: the first violated check, else the first
	// that does not hold and is not promised, else the outcome. Targets are the numbers of the events that it is about.
	What    string
	Targets []int
	// AtOnce: a single step, the target, broke the check.
	AtOnce bool
	// Bands are the conditions in which processes were, those of the algorithm before trial.Down.
	Bands []Band
	// Gone are the links of the topology that are not there at the beginning, ascending.
	Gone []netem.Link
	// Dropped is the number of events after those in Events: the run had more than a
	// [Recording] keeps. Then there is no verdict to explain.
	Dropped int
}

// Event is a record of a run with its causes.
type Event struct {
	netem.Record
	Order  int    // number of the event in the run, from 1
	After  []int  // the numbers of its direct causes
	News   string // what the process decided in this step
	Absent bool   // a message that was not handled
	Took   int    // of a message that was lost with its link: the number of the event in which the link went down; else 0
	// Changed are the fields of the process that this step changed, or all of them at the
	// first step of the process; only of a history with states.
	Changed []value.Field
	Broken  []string // the checks that are violated from here on
}

// Of runs an instance and returns its history.
func Of(ctx context.Context, in *trial.Instance) *History {
	return record(ctx, in, NewRecording(in, math.MaxInt))
}

// WithStates is Of with the states of the processes, which take several times as long.
func WithStates(ctx context.Context, in *trial.Instance) *History {
	return record(ctx, in, NewRecording(in, math.MaxInt).WithStates())
}

func record(ctx context.Context, in *trial.Instance, l *Recording) *History {
	return l.History(new(trial.Worker).Run(ctx, in, l.Tracer))
}

// Recording is a tracer that keeps the records of one run with their causes.
type Recording struct {
	h       *History
	most    int // events that are kept
	run     *trial.Traced
	last    map[protocols.ID]int // number of the last event of each process
	changes []int                // numbers of the events with News
	sent    map[uint64]int       // number of the event in which a message was sent
	broken  []string             // the checks that are violated so far
	bands   *bands
	links   links
	states  *states // nil without states
	step    int     // number of the last step of a process
	n       int
}

// NewRecording returns a recording of a run that somebody else makes. It keeps the first
// events, as many as most says.
func NewRecording(in *trial.Instance, most int) *Recording {
	return &Recording{h: &History{}, most: most, last: map[protocols.ID]int{}, sent: map[uint64]int{}, bands: newBands(in), n: in.N}
}

// WithStates has the recording keep the states of the processes, too.
func (l *Recording) WithStates() *Recording {
	l.states = newStates(l.n)
	return l
}

// Tracer is the [trial.TraceFunc] of the recording.
func (l *Recording) Tracer(run *trial.Traced) netem.Tracer {
	l.run = run
	return l
}

// Full reports whether the run has more events than are kept.
func (l *Recording) Full() bool { return l.h.Dropped > 0 }

// History returns the history of the run, given its result.
func (l *Recording) History(r *trial.Result) *History {
	h := l.h
	h.Result, h.Bands, h.Gone = r, l.bands.finished(), l.links.gone
	if h.Dropped > 0 {
		return h
	}
	h.What, h.Targets, h.AtOnce = l.verdict()
	if l.states != nil {
		h.dropConstants()
	}
	return h
}

// Record implements netem.Tracer.
func (l *Recording) Record(r netem.Record) {
	if len(l.h.Events) == l.most {
		l.h.Dropped++
		return
	}
	if len(l.h.Events) == 0 {
		l.links.noteGone(l.run.Gone(), &r)
	}
	e := Event{Record: r, Order: len(l.h.Events) + 1}
	switch r.What {
	case "fault": // belongs to no process
		if r.Change != nil {
			l.links.change(e.Order, r.Change)
		}
	case "lose", "cut", "damaged", "lost", "collide":
		e.Absent = true
		e.After = append(e.After, l.sent[r.Number])
		if r.Met != nil && l.sent[r.Met.Number] > 0 {
			e.After = append(e.After, l.sent[r.Met.Number])
		}
		if r.What == "lost" && l.last[r.Who] > 0 {
			e.After = append(e.After, l.last[r.Who]) // the crash
		}
		if sent := l.sent[r.Number]; r.What == "cut" && sent > 0 {
			e.Took = l.links.took(r.From, r.Who, sent)
		}
		if e.Took > 0 {
			e.After = append(e.After, e.Took)
		}
	default:
		l.handled(&e)
	}
	for _, s := range r.Sent {
		l.sent[s.Number] = e.Order
	}
	l.h.Events = append(l.h.Events, e)
}

// handled completes the event of a step that the process took, or of its crash.
func (l *Recording) handled(e *Event) {
	before := l.last[e.Who]
	if before > 0 {
		e.After = append(e.After, before)
	}
	if sent := l.sent[e.Number]; e.What == "deliver" && sent != before { // a message to itself may come from its last step
		e.After = append(e.After, sent)
	}
	if change := l.links.latest(e.Who, e.From); e.What == "linkup" || e.What == "linkdown" {
		e.After = append(e.After, change)
	}
	l.last[e.Who], l.step = e.Order, e.Order
	if e.What == "crash" {
		l.bands.crash(e.Order, e.Who)
		return
	}
	if e.News = l.run.News(e.Who); e.News != "" {
		l.changes = append(l.changes, e.Order)
	}
	process := l.run.Process(e.Who)
	l.bands.step(e.Order, e.Who, process)
	if l.states != nil {
		e.Changed = l.states.changed(e.Who, process)
	}
}

// Settled implements trial.Settler.
func (l *Recording) Settled() {
	if l.Full() {
		return
	}
	for _, c := range l.run.Checks() {
		if c.Verdict == protocols.Violated && !slices.Contains(l.broken, c.Name) {
			l.broken = append(l.broken, c.Name)
			e := &l.h.Events[l.step-1]
			e.Broken = append(e.Broken, c.Name)
		}
	}
}

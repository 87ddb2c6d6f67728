package experiments

import (
	"context"
	"errors"

	"bullring/netem"
	"bullring/protocols"
)

// Worker runs trials one after another and reuses their memory. Only one goroutine may
// use it. Its zero value is ready.
type Worker struct {
	runners map[*Algorithm]runner
}

// Run runs a trial. A cancelled context ends it early, see Result.End. If the algorithm
// panics, Result.Failed is a [PanicError]. trace may be nil.
func (w *Worker) Run(ctx context.Context, in *Instance, trace TraceFunc) *Result {
	if w.runners == nil {
		w.runners = map[*Algorithm]runner{}
	}
	result := w.attempt(ctx, in, trace)
	failed, panicked := errors.AsType[*PanicError](result.Failed)
	if !panicked || failed.Step > 0 || failed.Where != "" || trace != nil {
		return result
	}
	// Only a traced run knows its present step, because that costs time for each message.
	// So the run is repeated with a trace.
	if again := w.attempt(ctx, in, unheardTrace); again.Panicked() {
		return again
	}
	failed.Once = true
	return result
}

// attempt runs a trial. After a panic outside of the run, for example while processes are
// made, the result is empty.
func (w *Worker) attempt(ctx context.Context, in *Instance, trace TraceFunc) (result *Result) {
	a := in.Algorithm
	defer func() {
		x := recover()
		if x != nil {
			result = measured(in, netem.Panicked, netem.Counters{Sent: make([]uint64, len(a.Kinds))}, kindsOf(a.Kinds), 0)
			result.Failed = NewPanicError(a.Name, x)
		}
		if result.Panicked() { // it may have left its memory in any state
			delete(w.runners, a)
		}
	}()
	r := w.runners[a]
	if r == nil {
		r = a.newRunner()
		w.runners[a] = r
	}
	result = r.run(ctx, in, trace)
	result.compare()
	return result
}

// runner runs trials of one algorithm, one after another.
type runner interface {
	run(ctx context.Context, in *Instance, trace TraceFunc) *Result
}

// TraceFunc makes the tracer of a trial. The tracer may be a [Settler].
type TraceFunc func(run *Traced) netem.Tracer

// Traced answers the questions of a tracer about its run.
type Traced struct {
	Instance *Instance
	watch    *watch
}

// News says what a process decided in the step that is recorded, or returns "".
func (t *Traced) News(p protocols.ID) string { return t.watch.news(p) }

// Process is the process of the algorithm at an address, nil before it is made.
func (t *Traced) Process(p protocols.ID) any { return t.watch.seats[p] }

// Checks judges the run up to the last step that was settled: see [Settler].
func (t *Traced) Checks() []protocols.Check { return t.watch.judge.Checks(false) }

// Settler is a tracer that is told when the judge has seen a step. The record of the step
// came before.
type Settler interface {
	netem.Tracer
	Settled()
}

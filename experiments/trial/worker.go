package trial

import (
	"context"
	"errors"
	"runtime"

	"bullring/internal/guard"
	"bullring/netem"
	"bullring/protocols"
)

// Worker runs trials one after another and reuses their memory. Only one goroutine may
// use it. Its zero value is ready.
type Worker struct {
	runners map[*Algorithm]runner
	batched bool      // all runs are those of a batch
	under   *Instance // the run of a batch that goes on, or has not returned
}

// Batch calls f, which runs trials with w, at less cost for each: a guard against handlers that
// end their goroutine takes a microsecond, much of a short trial, and a batch has one for all.
// If a handler does so f does not return, and Batch returns the instance of that trial. Run it
// without a batch, and its result names the handler.
func (w *Worker) Batch(f func()) (ended *Instance) {
	w.batched = true
	done, returned := make(chan struct{}), false
	go func() {
		defer close(done)
		growStack()
		f()
		returned = true
	}()
	<-done
	w.batched = false
	if returned {
		return nil
	}
	return w.under
}

// growStack makes the stack of a new goroutine as large as trials need it. Else it would grow in
// steps, and each step copies it.
//
//go:noinline
func growStack() {
	var frame [16 << 10]byte
	runtime.KeepAlive(&frame)
}

// Run runs a trial. A cancelled context ends it early, see Result.End. If the algorithm
// panics, Result.Failed is a [PanicError]; if a program is late, a [LateError]. trace may be nil.
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
		if x := recover(); x != nil {
			result = measured(in, netem.Panicked, netem.Counters{Sent: make([]uint64, len(a.Kinds))}, kindsOf(a.Kinds), 0)
			result.fail(failureOf(a.Name, x))
		}
		if result.Panicked() || result.Late() != nil { // it may have left its memory in any state
			delete(w.runners, a)
		}
		if result.Late() != nil && ctx.Err() != nil { // that is why a program did not answer
			result.End, result.Outcome, result.Failed = netem.Interrupted, Unfinished, nil
		}
	}()
	r := w.runners[a]
	if r == nil {
		r = a.newRunner()
		w.runners[a] = r
	}
	if w.under = in; w.batched {
		result = r.run(ctx, in, trace)
	} else {
		result = guarded(r, ctx, in, trace)
	}
	result.compare()
	return result
}

// guarded runs a trial whose handlers may end their goroutine, and panics with the failure if one
// does.
func guarded(r runner, ctx context.Context, in *Instance, trace TraceFunc) (result *Result) {
	var failure any
	run := func() { result = r.run(ctx, in, trace) }
	if guard.Call(run, func(x any) { failure = failureOf(in.Algorithm.Name, x) }); failure != nil {
		panic(failure)
	}
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
func (t *Traced) Process(p protocols.ID) any { return t.watch.tracedProcesses[p] }

// Gone are the links of the topology that are down now, ascending.
func (t *Traced) Gone() []netem.Link {
	if moving, ok := t.watch.view.run.(interface{ Gone() []netem.Link }); ok {
		return moving.Gone()
	}
	return nil
}

// Checks judges the run up to the last step that was settled: see [Settler].
func (t *Traced) Checks() []protocols.Check { return t.watch.judge.Checks(false) }

// Settler is a tracer that is told when the judge has seen a step. The record of the step
// came before.
type Settler interface {
	netem.Tracer
	Settled()
}

package experiments

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"bullring/netem"
	"bullring/protocols"
)

// PanicError says that the program of an algorithm panicked in a run. Its handlers are
// told to: see [protocols.Node].
type PanicError struct {
	Algorithm string
	Where     string // the process, the handler and what it handled; "" outside of handlers
	Panic     string
	Frames    []string // the calls that led there, the innermost first
	// Once: the same run, made again, did not panic.
	Once bool

	Step  int    // of the schedule that was followed, from 1; 0 without one
	Taken string // that step
}

func (e *PanicError) Error() string {
	switch {
	case e.Step > 0:
		return fmt.Sprintf("step %d of the schedule, %q: the handler panics: %s", e.Step, e.Taken, e.Panic)
	case e.Once:
		return fmt.Sprintf("%s is not deterministic: a handler panics, and does not when the same run is made again: %s", e.Algorithm, e.Panic)
	case e.Where == "":
		return fmt.Sprintf("%s panics outside of its handlers: %s", e.Algorithm, e.Panic)
	}
	return fmt.Sprintf("%s: %s", e.Where, e.Panic)
}

// newPanicError is the error of a panic that was just recovered from.
func newPanicError(algorithm string, recovered any) *PanicError {
	return &PanicError{Algorithm: algorithm, Panic: fmt.Sprint(recovered), Frames: framesOfPanic()}
}

// mostFrames of the calls that led to a panic are told.
const mostFrames = 8

// drivers begin the names of functions that call handlers, and that handlers call.
var drivers = []string{"runtime.", "bullring/netem.", "bullring/netem/explore.", "bullring/des.", "bullring/experiments.", "bullring/experiments/families.", "bullring/protocols/box.", "bullring/protocols/conduct."}

// framesOfPanic are the calls between the panic and what drives the algorithm, or all of
// them if there is none between: a mistake of this program.
func framesOfPanic() []string {
	callers := make([]uintptr, 64)
	frames := runtime.CallersFrames(callers[:runtime.Callers(1, callers)])
	var all, own []string
	for more, panicked, driven := true, false, false; more; {
		var f runtime.Frame
		f, more = frames.Next()
		if !panicked {
			panicked = f.Function == "runtime.gopanic"
			continue
		}
		text := fmt.Sprintf("%s (%s:%d)", f.Function, f.File, f.Line)
		all = append(all, text)
		switch driver := slices.ContainsFunc(drivers, func(d string) bool { return strings.HasPrefix(f.Function, d) }); {
		case !driver && !driven:
			own = append(own, text)
		case driver && own != nil:
			driven = true
		}
	}
	if own == nil {
		own = all
	}
	return own[:min(len(own), mostFrames)]
}

// stepText says what a process was doing in a step.
func stepText(r netem.Record) string {
	handler := map[string]string{"start": "Start", "boot": "Boot", "restart": "its restart"}[r.What]
	switch r.What {
	case "deliver":
		handler = fmt.Sprintf("Receive(%v from %d)", r.Message, r.From)
	case "timeout":
		handler = fmt.Sprintf("Timeout(%d)", r.Timer)
	}
	return fmt.Sprintf("process %d panics in %s at %v", r.Who, handler, r.At)
}

// drive runs a network. A panic of the algorithm ends the run, and is an error.
func drive(ctx context.Context, net network, algorithm string) (end netem.End, failed *PanicError) {
	defer func() {
		if x := recover(); x != nil {
			end, failed = netem.Panicked, newPanicError(algorithm, x)
			if at, ok := net.AtHand(); ok {
				failed.Where = stepText(at)
			}
		}
	}()
	return net.Run(ctx), nil
}

// attempt runs a trial. A panic outside of the run itself, such as that of what makes the
// processes, leaves a result in which nothing was measured.
func (w *Worker) attempt(ctx context.Context, in *Instance, trace TraceFunc) (result *Result) {
	a := in.Algorithm
	defer func() {
		x := recover()
		if x != nil {
			result = measured(in, netem.Panicked, netem.Counters{Sent: make([]uint64, len(a.Kinds))}, kindsOf(a.Kinds), 0)
			result.Failed = newPanicError(a.Name, x)
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
	result.judge()
	return result
}

// kindsOf is a message of a type with these kinds, for a run that never had one.
type kindsOf []string

func (kindsOf) Kind() int         { return 0 }
func (k kindsOf) Kinds() []string { return k }
func (kindsOf) Bits() int         { return 0 }

// unheard is a tracer for a run of which only the step at hand is of interest.
type unheard struct{}

func (unheard) Record(netem.Record) {}

func unheardTrace(func(protocols.ID) string) netem.Tracer { return unheard{} }

package trial

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"bullring/internal/guard"
	"bullring/netem"
)

// PanicError says that the program of an algorithm panicked in a run.
type PanicError struct {
	Algorithm string
	Where     string // process, handler and its argument; "" outside of handlers
	Panic     string
	Frames    []string // the calls that led there, the innermost first
	Once      bool     // the same run did not panic when it was repeated

	Step  int    // of the schedule, from 1; 0 without one
	Taken string // this step
}

func (e *PanicError) Error() string {
	switch {
	case e.Step > 0 && e.Where != "":
		return fmt.Sprintf("step %d of the schedule, %q: %s: %s", e.Step, e.Taken, e.Where, e.Panic)
	case e.Step > 0:
		return fmt.Sprintf("step %d of the schedule, %q: the handler panics: %s", e.Step, e.Taken, e.Panic)
	case e.Once:
		return fmt.Sprintf("%s is not deterministic: a handler panics, and does not when the same run is made again: %s", e.Algorithm, e.Panic)
	case e.Where == "":
		return fmt.Sprintf("%s panics outside of its handlers: %s", e.Algorithm, e.Panic)
	}
	return fmt.Sprintf("%s: %s", e.Where, e.Panic)
}

// NewPanicError returns the error of a panic that was just recovered.
func NewPanicError(algorithm string, recovered any) *PanicError {
	if p, ok := recovered.(*PanicError); ok {
		return p
	}
	if m, ok := recovered.(*Misbehaviour); ok {
		return &PanicError{Algorithm: algorithm, Where: m.Where, Panic: m.Text}
	}
	return &PanicError{Algorithm: algorithm, Panic: fmt.Sprint(recovered), Frames: framesOfPanic()}
}

// failureOf returns the error of a panic that was just recovered: a [PanicError], or a
// [LateError].
func failureOf(algorithm string, recovered any) error {
	if late, ok := recovered.(*LateError); ok {
		return late
	}
	return NewPanicError(algorithm, recovered)
}

// mostFrames is the largest number of calls in a PanicError.
const mostFrames = 8

// drivers are prefixes of functions that call handlers, or that handlers call.
var drivers = []string{"runtime.", "bullring/netem.", "bullring/netem/explore.", "bullring/des.", "bullring/experiments/trial.", "bullring/experiments/trial/families.", "bullring/protocols/box.", "bullring/protocols/conduct."}

// framesOfPanic returns the calls from the driver of the algorithm to the panic. If there
// are none between, the mistake is in this program, and it returns all calls.
func framesOfPanic() []string {
	callers := make([]uintptr, 64)
	frames := runtime.CallersFrames(callers[:runtime.Callers(1, callers)])
	var all, own []string
	for more, panicked, driven := true, false, false; more; {
		var f runtime.Frame
		f, more = frames.Next()
		if !panicked {
			panicked = f.Function == "runtime.gopanic" || f.Function == "runtime.Goexit"
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

// stepText describes the step in which a process panicked.
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

// drive runs a network. A panic of the algorithm ends the run and is returned; but if a
// handler ends the goroutine, nothing returns, and drive panics with the error.
func drive(ctx context.Context, net network, algorithm string) (end netem.End, failed error) {
	returned := false
	defer func() {
		x := recover()
		exits := x == nil && !returned
		if exits {
			x = guard.Exited
		}
		if x == nil {
			return
		}
		failed = failureOf(algorithm, x)
		if p, panicked := failed.(*PanicError); panicked {
			if at, ok := net.AtHand(); ok && p.Where == "" {
				p.Where = stepText(at)
			}
			end = netem.Panicked
		}
		if exits {
			panic(failed)
		}
	}()
	end, returned = net.Run(ctx), true
	return end, nil
}

// kindsOf is a message of a type with these kinds, for a run that has no message.
type kindsOf []string

func (kindsOf) Kind() int         { return 0 }
func (k kindsOf) Kinds() []string { return k }
func (kindsOf) Bits() int         { return 0 }

// unheard is a tracer that keeps nothing. With a tracer, a run knows its present step.
type unheard struct{}

func (unheard) Record(netem.Record) {}

func unheardTrace(*Traced) netem.Tracer { return unheard{} }

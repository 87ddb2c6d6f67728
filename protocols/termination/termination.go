// Package termination is what algorithms have in common that detect the termination of a distributed
// computation: all processes are passive, and no work message is under way (G. Tel, "Introduction to
// Distributed Algorithms", 2nd edition, 2000, chapter 8).
//
//	safety    a process announces termination only when the computation has terminated
//	liveness  once the computation has terminated, a process announces that
//
// The computation is the same below all of them. Its initiators are active. An active process sends
// work messages to processes that it draws, and becomes passive; a work message makes its receiver
// active. Each process sends a bounded number of them, so that every computation terminates.
package termination

import (
	"time"

	"bullring/protocols"
)

// Status is what a process says of the computation.
type Status struct {
	Active    bool // it works, or is an initiator that has not begun
	Announced bool // it has announced that the computation has terminated
	Pieces    int  `explore:"-"` // of work so far; no check depends on it
}

// String prints the status as a trace shows it.
func (s Status) String() string {
	switch {
	case s.Announced:
		return "announces termination"
	case s.Active:
		return "is active"
	}
	return "is passive"
}

// Detector is a process of an algorithm that detects termination. A transformer between it and the
// network passes Status on.
type Detector interface {
	Status() Status
}

// Process is a process that works, and takes part in the detection.
type Process[M any] interface {
	protocols.Process[M]
	Detector
}

// Work is the name of the kind of the messages of the computation, in all algorithms.
const Work = "WORK"

// Config is the part of a process in the computation.
type Config struct {
	Initiator bool
	Messages  int           // that it sends in all, at most
	Busy      time.Duration // how long a piece of work takes; 0 is no time
}

// Worker is the part of a process that works. Each method returns the addresses to which the process
// sends a work message now. After that it may be passive.
type Worker struct {
	cfg    Config
	begun  bool
	left   int // messages that it may still send
	status Status
}

// NewWorker returns the worker of a process.
func NewWorker(cfg Config) Worker {
	return Worker{cfg: cfg, left: cfg.Messages, status: Status{Active: cfg.Initiator}}
}

// Status implements [Detector].
func (w *Worker) Status() Status { return w.status }

// Passive reports whether the process does not work.
func (w *Worker) Passive() bool { return !w.status.Active }

// Announce announces termination.
func (w *Worker) Announce() { w.status.Announced = true }

// Announced reports whether the process has announced termination.
func (w *Worker) Announced() bool { return w.status.Announced }

// host is the part of a protocols.Node that a worker needs.
type host interface {
	Degree() int
	Neighbor(port int) protocols.ID
	Intn(n int) int
	SetTimer(t protocols.Timer, after time.Duration)
}

// busy is the timer of a piece of work.
const busy protocols.Timer = 0

// TimerName implements [protocols.TimerNamer].
func (w *Worker) TimerName(protocols.Timer) string { return "end of work" }

// Begin begins the work of an initiator. A process begins once: nothing but a message makes a passive
// process active.
func (w *Worker) Begin(n host) []protocols.ID {
	if !w.cfg.Initiator || w.begun {
		return nil
	}
	w.begun, w.status.Active = true, false
	return w.Activate(n)
}

// Activate handles a work message. A process that is active already goes on with what it does.
func (w *Worker) Activate(n host) []protocols.ID {
	switch {
	case w.status.Active:
		return nil
	case w.cfg.Busy == 0:
		return w.Finish(n)
	}
	w.status.Active = true
	n.SetTimer(busy, w.cfg.Busy)
	return nil
}

// Finish ends a piece of work: the process sends some of the messages that are left to it, each to a
// neighbour that it draws, and is passive.
func (w *Worker) Finish(n host) []protocols.ID {
	w.status.Active = false
	w.status.Pieces++
	if w.left == 0 || n.Degree() == 0 {
		return nil
	}
	to := make([]protocols.ID, n.Intn(w.left+1))
	for i := range to {
		to[i] = n.Neighbor(n.Intn(n.Degree()))
	}
	w.left -= len(to)
	return to
}

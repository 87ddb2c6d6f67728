// Package protocols is the contract between a distributed algorithm and
// whatever drives it: today the discrete-event runtime of package netem and the
// exhaustive explorer of package netem/explore.
//
// A protocol reacts; it never acts. It is a struct whose fields are the state
// that the paper gives a process, and three handlers that run to completion:
// no goroutine, no clock, no global state, no map whose order leaks. What a
// handler may do to the world is what [Node] offers and nothing else, which is
// what lets one and the same code run under every driver.
//
// The package depends on the standard library alone.
package protocols

import "time"

// ID is the address of a process: where it sits, 0..n-1. It is not the
// identity that an election compares.
type ID int

// Timer labels a timer of one process. The algorithm chooses its labels;
// negative labels belong to transformers that wrap an algorithm.
type Timer int

// Process is one participant of an algorithm whose messages are of type M.
//
// Handlers run one at a time and to completion. Messages sent by a handler
// leave when it returns, in the order of the sends.
type Process[M any] interface {
	// Start is the spontaneous wake-up of an initiator.
	Start(n Node[M])
	// Receive handles a message that arrived from a neighbour.
	Receive(n Node[M], from ID, m M)
	// Timeout handles the expiry of the timer with this label.
	Timeout(n Node[M], t Timer)
}

// Recoverer is implemented by a process that acts when it comes back after a
// crash. The driver calls Recover on a fresh process, in place of Start; a
// process without it comes back silent.
type Recoverer[M any] interface {
	Recover(n Node[M])
}

// Stable is implemented by a process that has stable storage: the driver calls
// Restore on a fresh process, before Recover, with the process that crashed.
// It copies what stable storage held; everything else is lost.
type Stable[M any] interface {
	Restore(crashed Process[M])
}

// Booter is implemented by a process that acts from the beginning of its life,
// initiator or not: it sends heartbeats, say. The driver calls Boot on every
// process at time 0, before any Start, and on the fresh process after a restart,
// after Restore and before Recover.
type Booter[M any] interface {
	Boot(n Node[M])
}

// Node is what a process sees of the world during a handler. It must not be
// used after the handler has returned.
type Node[M any] interface {
	// ID is the process's own address.
	ID() ID
	// Degree is the number of out-neighbours.
	Degree() int
	// Neighbor is the address behind a port, 0 <= port < Degree(). On rings
	// and complete graphs port 0 leads to the successor on the ring of
	// addresses, and on a complete graph port k k+1 steps round it; in a
	// hypercube port k changes bit k of the address. On other topologies ports
	// are in the order of the addresses behind them.
	Neighbor(port int) ID
	// Send hands a message to the link to a neighbour.
	Send(to ID, m M)
	// SetTimer arms the timer with this label, or re-arms it: one timer a
	// label, and only the last setting expires.
	SetTimer(t Timer, after time.Duration)
	// StopTimer disarms the timer; it is no error if it is not armed.
	StopTimer(t Timer)
	// Intn is a random choice from 0..n-1: a run draws it from the process's
	// own stream, an explorer takes every branch. It panics unless n > 0.
	Intn(n int) int
}

// Detector is an optional extension of Node: a failure detector that the
// process may ask. Whether it can be mistaken depends on the detector.
type Detector interface {
	// Suspects reports whether the detector takes p for crashed.
	Suspects(p ID) bool
}

// Suspects asks the node's failure detector; without one nobody is suspected.
func Suspects[M any](n Node[M], p ID) bool {
	d, ok := n.(Detector)
	return ok && d.Suspects(p)
}

// Clocked is an optional extension of Node for algorithms whose subject is
// time: it reads the process's own clock, which may be off and may drift. The
// timers of the process run on the same clock.
type Clocked interface {
	// Now is what the clock of the process shows, in nanoseconds since the run
	// began if the clock is right.
	Now() time.Duration
}

// Background is the largest label of a timer that does not keep a run alive. A
// service that never ends, such as heartbeats, uses labels from here downwards:
// when nothing but such timers and background messages are pending, the
// algorithm has come to rest.
const Background Timer = -1 << 30

// Partial is implemented by a wrapper that is a Booter and Stable whatever it wraps: it
// says whether what it wraps is, too.
type Partial interface {
	Boots() bool
	Lasts() bool
}

// AsBooter is the process as a Booter; ok is false if it, or what it wraps, is none.
func AsBooter[M any](p Process[M]) (b Booter[M], ok bool) {
	b, ok = p.(Booter[M])
	if w, wraps := p.(Partial); wraps {
		ok = ok && w.Boots()
	}
	return b, ok
}

// AsStable is the process as a Stable one; ok is false if it, or what it wraps, is none.
func AsStable[M any](p Process[M]) (s Stable[M], ok bool) {
	s, ok = p.(Stable[M])
	if w, wraps := p.(Partial); wraps {
		ok = ok && w.Lasts()
	}
	return s, ok
}

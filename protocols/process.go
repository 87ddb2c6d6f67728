package protocols

import (
	"fmt"
	"strconv"
	"time"
)

// ID is the address of a process, 0..n-1. It is not the identity that an election
// compares.
type ID int

// String is the number, or none if it is negative.
func (id ID) String() string {
	if id < 0 {
		return "none"
	}
	return strconv.Itoa(int(id))
}

// Timer is the label of a timer of one process. An algorithm uses labels from 0;
// negative labels belong to wrappers.
type Timer int

// Background is the largest label of a timer that does not keep a run alive. A
// service that never ends, such as heartbeats, uses labels from here downwards. The
// algorithm is at rest when only such timers and background messages are pending.
const Background Timer = -1 << 30

// Process is one participant of an algorithm with messages of type M.
//
// Handlers run one at a time and to completion. The messages of a handler leave when
// it returns, in the order in which it sent them.
type Process[M any] interface {
	// Start is the spontaneous wake-up of an initiator.
	Start(n Node[M])
	// Receive handles a message from a neighbour.
	Receive(n Node[M], from ID, m M)
	// Timeout handles the expiry of the timer with this label.
	Timeout(n Node[M], t Timer)
}

// Node is what a process sees of the world during a handler. It is invalid after the
// handler has returned.
type Node[M any] interface {
	// ID is the address of the process.
	ID() ID
	// Degree is the number of out-neighbours.
	Degree() int
	// Neighbor is the address behind a port, 0 <= port < Degree(). On rings and
	// complete graphs port 0 leads to the successor on the ring of addresses. On a
	// complete graph port k leads k+1 steps round that ring; in a hypercube port k
	// changes bit k of the address. On other topologies the ports are in the order
	// of the addresses behind them.
	Neighbor(port int) ID
	// Send hands a message to the link to a neighbour.
	Send(to ID, m M)
	// SetTimer arms the timer with this label, or arms it anew. Each label has one
	// timer, and only its last setting expires.
	SetTimer(t Timer, after time.Duration)
	// StopTimer disarms the timer with this label, if it is armed.
	StopTimer(t Timer)
	// Intn is a random choice from 0..n-1. A run draws it from the stream of the
	// process; an explorer takes every branch. It panics unless n > 0.
	Intn(n int) int
	// Suspects reports whether the failure detector takes p for crashed. Whether it can
	// be mistaken depends on the detector. Without a detector no process is suspected.
	Suspects(p ID) bool
	// Now is the time on the clock of the process, for algorithms whose subject is time
	// and whose declaration says so. The clock may be off and may drift; a right one
	// shows the nanoseconds since the run began. The timers of the process run on the
	// same clock. Without a clock it is 0: explorations have none.
	Now() time.Duration
}

// Collector is an optional extension of a process whose Receive only keeps the message for a timeout:
// it sends nothing and sets no timer. As long as messages keep the bound on delay, and those of one
// sender their order, it makes no difference when one arrives. An explorer then tries one order.
type Collector interface {
	// Collects reports whether the process is such a one.
	Collects() bool
}

// Collects reports whether a process is a Collector that collects.
func Collects(p any) bool {
	c, ok := p.(Collector)
	return ok && c.Collects()
}

// NoTimers is the Timeout of a process that sets no timers, to be embedded.
type NoTimers[M any] struct{}

// Timeout panics.
func (NoTimers[M]) Timeout(_ Node[M], t Timer) {
	panic("a process that never sets a timer is told that timer " + strconv.Itoa(int(t)) + " expired")
}

// Recoverer is a process that acts when it comes back after a crash. The driver
// calls Recover on a fresh process, instead of Start. Without Recover the process
// comes back silent.
type Recoverer[M any] interface {
	Recover(n Node[M])
}

// Stable is a process with stable storage. The driver calls Restore on the fresh
// process, before Recover, with the process that crashed. Restore copies what stable
// storage held; everything else is lost.
type Stable[M any] interface {
	Restore(crashed Process[M])
}

// Booter is a process that acts from the beginning of its life, initiator or not. It
// may send heartbeats, for example. The driver calls Boot on every process at time 0,
// before any Start. After a restart it calls Boot on the fresh process, after Restore
// and before Recover.
type Booter[M any] interface {
	Boot(n Node[M])
}

// TimerNamer is an optional extension of Process: its timers have names, for those who read
// a trace.
type TimerNamer interface {
	// TimerName is the name of the timer with this label, in plain words: "next round". The
	// name of a label never changes.
	TimerName(t Timer) string
}

// TimerName is the name of a timer of a process, or of a part of one. It is "" if that is no
// TimerNamer.
func TimerName(process any, t Timer) string {
	if p, ok := process.(TimerNamer); ok {
		return p.TimerName(t)
	}
	return ""
}

// ReadsClock is the text of a panic: a process reads its clock, and its algorithm does not
// declare that.
func ReadsClock(id ID) string {
	return fmt.Sprintf("process %d reads its clock; the declaration of its algorithm does not say that it does", id)
}

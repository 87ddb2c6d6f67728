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

// Message is what a driver must know of a message to count it. The methods
// are called on values; Kinds also on a [Sample].
type Message interface {
	// Kind is the index of this message's kind in Kinds.
	Kind() int
	// Kinds names the kinds as the literature does. It is the same slice for
	// every value of the type (but see [Sampler]) and must not be modified.
	Kinds() []string
	// Bits is the size of the message on the wire, in bits, under the
	// project's convention: 8 for the kind, 64 for an identity or an address,
	// 64 for an attribute that is not zero.
	Bits() int
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

// Backgrounder is an optional extension of Message: messages of a service that
// never ends. They do not keep a run alive. It is called on a [Sample].
type Backgrounder interface {
	// Background reports whether messages of that kind are such.
	Background(kind int) bool
}

// Overhead is an optional extension of Message: which kinds of messages are
// those of a transformer, such as acknowledgements, and not of the algorithm that
// it wraps. They are counted apart. It is called on a [Sample].
type Overhead interface {
	// Overhead reports whether messages of that kind are a transformer's.
	Overhead(kind int) bool
}

// Forgeable is an optional extension of a message of type M: an algorithm that
// opts in to processes that lie and to links that alter messages.
type Forgeable[M any] interface {
	// Forge returns the message with every identity in it replaced by what f
	// makes of it. It modifies nothing that the message shares with others.
	Forge(f func(identity int64) int64) M
}

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

// Sampler is implemented by a process whose messages have kinds that the zero value of
// their type does not know, such as boxes with messages of any type.
type Sampler[M any] interface {
	// Sample is a message that stands for all that the process sends and receives.
	Sample() M
}

// Sample is a message that knows the kinds of all messages of a process: the zero value,
// unless the process is a Sampler.
func Sample[M Message](p Process[M]) (m M) {
	if s, ok := p.(Sampler[M]); ok {
		return s.Sample()
	}
	return m
}

// BackgroundKinds says of each kind of a message's type whether it is of a service that
// never ends; nil if none is.
func BackgroundKinds(m Message) []bool {
	b, ok := m.(Backgrounder)
	if !ok {
		return nil
	}
	return tabulate(len(m.Kinds()), b.Background)
}

// OverheadKinds says of each kind of a message's type whether it is a transformer's; nil
// if none is.
func OverheadKinds(m Message) []bool {
	o, ok := m.(Overhead)
	if !ok {
		return nil
	}
	return tabulate(len(m.Kinds()), o.Overhead)
}

func tabulate(kinds int, has func(kind int) bool) []bool {
	table, some := make([]bool, kinds), false
	for k := range table {
		table[k] = has(k)
		some = some || table[k]
	}
	if !some {
		return nil
	}
	return table
}

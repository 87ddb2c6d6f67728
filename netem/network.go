// Package netem drives the processes of a distributed algorithm over an
// emulated network in virtual time: topologies, links, crashes, counters, a
// fingerprint and a trace. It knows no algorithm.
//
// What a run means (time, ties, channels, crashes, timers, counting) is
// written down in docs/model.md.
package netem

import (
	"context"
	"slices"

	"bullring/des"
	"bullring/protocols"
)

// Config is what a run depends on, besides the processes.
type Config struct {
	Topology Topology
	// Delay is the delay of a message on a link. Lock-step rounds are the
	// case that it is constant.
	Delay des.Distribution
	// FIFO makes a link deliver messages in the order in which they were
	// sent: none arrives before one sent earlier on the same link.
	FIFO bool
	// Seed decides every random delay and choice.
	Seed uint64
	// MaxEvents ends a run after so many events; 0 is no limit.
	MaxEvents uint64
	// MaxTime ends a run after this instant; 0 is no limit.
	MaxTime des.Time
	// MaxPending ends a run when more than about so many events are pending,
	// before they fill the memory; 0 is no limit.
	MaxPending int
}

// End says how a run ended.
type End uint8

// The ways in which a run ends.
const (
	Quiescent   End = iota // nothing was left to happen
	OutOfEvents            // Config.MaxEvents was reached
	OutOfTime              // Config.MaxTime was reached
	OutOfRoom              // Config.MaxPending was exceeded, or des.MaxTimers reached
	Interrupted            // the context was cancelled
)

var endNames = [...]string{"quiescent", "out of events", "out of time", "out of room", "interrupted"}

// String names the end.
func (e End) String() string { return endNames[e] }

// Observer watches a run. Its methods are called after the step they tell of,
// in the order in which things happen.
type Observer interface {
	// Stepped: the process handled an event.
	Stepped(id protocols.ID)
	// Crashed: the process stopped.
	Crashed(id protocols.ID)
	// Restarted: a new process runs at the address, and has recovered.
	Restarted(id protocols.ID)
}

// Network is one run: processes of one algorithm on one topology. It is used
// by one goroutine, and again for further runs by Reset.
type Network[M protocols.Message] struct {
	engine engine
	boot   func(protocols.ID) protocols.Process[M]
	nodes  []node[M]
	// The messages under way, and the places that are free. A message is put
	// here when it is sent and taken from here when it arrives, and is not
	// copied in between. A free place keeps its last message until the next.
	slab   []M
	vacant []uint32
}

// node is a process and what it sees of the world.
type node[M protocols.Message] struct {
	*seat
	net     *Network[M]
	process protocols.Process[M]
}

// New returns a network at time 0 on which nothing is going to happen yet.
// boot makes the process of an address; it is called again when the process
// restarts after a crash.
func New[M protocols.Message](cfg Config, boot func(protocols.ID) protocols.Process[M]) *Network[M] {
	w := &Network[M]{engine: engine{queue: des.NewQueue[item]()}}
	w.engine.typed = w.typed()
	w.Reset(cfg, boot)
	return w
}

// Reset makes the network ready for another run, in the same memory.
func (w *Network[M]) Reset(cfg Config, boot func(protocols.ID) protocols.Process[M]) {
	var m M
	w.engine.reset(&cfg, len(m.Kinds()))
	w.boot = boot
	clear(w.slab)
	n := cfg.Topology.Len()
	w.slab, w.vacant = slices.Grow(w.slab[:0], n), slices.Grow(w.vacant[:0], n)
	w.nodes = slices.Grow(w.nodes[:0], n)[:n]
	for i := range w.nodes {
		w.nodes[i] = node[M]{&w.engine.seats[i], w, boot(protocols.ID(i))}
	}
}

// Observe sets the observer of this run.
func (w *Network[M]) Observe(o Observer) { w.engine.observer = o }

// Trace sets the tracer of this run.
func (w *Network[M]) Trace(t Tracer) { w.engine.tracer = t }

// StartAt has the process wake up spontaneously at t. A process that is not
// alive then does not.
func (w *Network[M]) StartAt(id protocols.ID, t des.Time) { w.engine.plan(id, t, start) }

// CrashAt stops the process at t: its timers are gone, and messages that reach
// it from then on are lost, those that arrive at t included. What is planned
// for one instant happens in the order in which it was planned; a process whose
// crash at 0 is planned before its start is dead from the start.
func (w *Network[M]) CrashAt(id protocols.ID, t des.Time) { w.engine.plan(id, t, crash) }

// RestartAt brings a crashed process back at t as a new one, with the state of
// a new one; if it is a protocols.Recoverer it acts. A process that is alive
// then is left alone.
func (w *Network[M]) RestartAt(id protocols.ID, t des.Time) { w.engine.plan(id, t, restart) }

// Now is the present instant; after a run, that of its last event or the limit.
func (w *Network[M]) Now() des.Time { return w.engine.queue.Now() }

// Process returns the process at an address, the present one if it restarted.
func (w *Network[M]) Process(id protocols.ID) protocols.Process[M] { return w.nodes[id].process }

// Alive reports whether the process at an address is.
func (w *Network[M]) Alive(id protocols.ID) bool { return !w.nodes[id].crashed }

// Incarnation is how often the process at an address has restarted.
func (w *Network[M]) Incarnation(id protocols.ID) int { return w.engine.incarnations[id] }

// Counters returns what was counted so far.
func (w *Network[M]) Counters() Counters {
	c := w.engine.counters
	c.Sent = slices.Clone(c.Sent)
	c.SentBy = make([]uint64, len(w.nodes))
	for i, s := range w.engine.seats {
		c.SentBy[i] = s.sent
		c.CausalDepth = max(c.CausalDepth, s.depth)
	}
	return c
}

// Fingerprint is a hash of everything that happened so far, in order: the
// instant, what, who and which kind of message. Equal runs have equal
// fingerprints on every machine.
func (w *Network[M]) Fingerprint() uint64 { return uint64(w.engine.print) }

// Clock returns the clock of virtual time, for code that takes a
// clockwork.Clock and runs inside the event loop: an observer, or a library
// under emulation. Processes get no clock.
func (w *Network[M]) Clock() *des.Clock {
	e := &w.engine
	if e.clock == nil {
		e.clock = des.NewClock(e.queue, e.queue.NewTimer(des.Probe, newItem(alarm, 0, 0, 0, 0, 0)))
	}
	return e.clock
}

// Run lets events happen until none is left, a limit is reached or the context
// is cancelled. Called again after OutOfTime, it goes on without that limit.
func (w *Network[M]) Run(ctx context.Context) End { return w.engine.run(ctx) }

func (w *Network[M]) typed() typed {
	return typed{
		receive: func(to, from protocols.ID, index uint32) {
			if w.engine.tracer != nil {
				w.receiveTraced(to, from, index)
				return
			}
			w.vacant = append(w.vacant, index)
			nd := &w.nodes[to]
			nd.process.Receive(nd, from, w.slab[index])
		},
		happen: w.happen,
	}
}

func (w *Network[M]) receiveTraced(to, from protocols.ID, index uint32) {
	m := w.slab[index]
	w.vacant = append(w.vacant, index)
	nd := &w.nodes[to]
	nd.process.Receive(nd, from, m)
	w.trace(Record{What: deliver.String(), Who: to, From: from, Message: m})
}

func (w *Network[M]) happen(what happening, to, from protocols.ID, more uint32) bool {
	nd := &w.nodes[to]
	r := Record{What: what.String(), Who: to}
	switch what {
	case lost:
		r.From, r.Message = from, w.slab[more]
		w.vacant = append(w.vacant, more)
	case start:
		if nd.crashed {
			return false
		}
		nd.process.Start(nd)
	case timeout:
		r.Timer = protocols.Timer(int32(more))
		nd.StopTimer(r.Timer)
		nd.process.Timeout(nd, r.Timer)
	case crash:
		if nd.crashed {
			return false
		}
		nd.crash()
	case restart:
		if !nd.crashed {
			return false
		}
		w.restart(nd)
	}
	if w.engine.tracer != nil {
		w.trace(r)
	}
	return true
}

func (w *Network[M]) restart(nd *node[M]) {
	nd.crashed = false
	w.engine.incarnations[nd.ID()]++
	nd.process = w.boot(nd.ID())
	if p, ok := nd.process.(protocols.Recoverer[M]); ok {
		p.Recover(nd)
	}
}

// Send implements the part of protocols.Node that knows messages.
func (nd *node[M]) Send(to protocols.ID, m M) {
	w := nd.net
	var index uint32
	if k := len(w.vacant); k > 0 {
		index = w.vacant[k-1]
		w.vacant = w.vacant[:k-1]
		w.slab[index] = m
	} else {
		index = uint32(len(w.slab))
		w.slab = append(w.slab, m)
	}
	w.engine.post(nd.seat, to, m.Kind(), m.Bits(), index)
}

// Package netem drives the processes of a distributed algorithm over an
// emulated network in virtual time: topologies, links, crashes, counters, a
// fingerprint and a trace. It knows no algorithm.
//
// What a run means (time, ties, channels, crashes, timers, counting) is
// written down in docs/model.md.
package netem

import (
	"context"
	"fmt"
	"slices"
	"time"

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
}

// End says how a run ended.
type End uint8

// The ways in which a run ends.
const (
	Quiescent   End = iota // nothing was left to happen
	OutOfEvents            // Config.MaxEvents was reached
	OutOfTime              // Config.MaxTime was reached
	Interrupted            // the context was cancelled
)

var endNames = [...]string{"quiescent", "out of events", "out of time", "interrupted"}

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
	cfg      Config
	boot     func(protocols.ID) protocols.Process[M]
	observer Observer
	tracer   Tracer

	queue *des.Queue[item[M]]
	links links
	nodes []node[M]
	clock *des.Clock

	outbox   []outgoing[M]
	counters Counters
	print    fingerprint
}

// item is what is in the event queue. from holds the label if it is a timeout.
type item[M any] struct {
	from, to int32
	depth    uint32
	what     happening
	msg      M
}

// happening is what an event is.
type happening uint8

const (
	start happening = iota
	crash
	restart
	deliver
	timeout
	alarm // of the clock
	stop
)

// outgoing is a message between the send and the release.
type outgoing[M any] struct {
	to   protocols.ID
	port int
	msg  M
}

// New returns a network at time 0 on which nothing is going to happen yet.
// boot makes the process of an address; it is called again when the process
// restarts after a crash.
func New[M protocols.Message](cfg Config, boot func(protocols.ID) protocols.Process[M]) *Network[M] {
	w := &Network[M]{queue: des.NewQueue[item[M]]()}
	w.Reset(cfg, boot)
	return w
}

// Reset makes the network ready for another run, in the same memory.
func (w *Network[M]) Reset(cfg Config, boot func(protocols.ID) protocols.Process[M]) {
	n := cfg.Topology.Len()
	w.cfg, w.boot, w.observer, w.tracer, w.clock = cfg, boot, nil, nil, nil
	w.queue.Clear()
	w.links.reset(&cfg)
	w.nodes = slices.Grow(w.nodes[:0], n)[:n]
	choices := des.NewStream(cfg.Seed, "choice")
	for id := range w.nodes {
		nd := &w.nodes[id]
		*nd = node[M]{net: w, id: protocols.ID(id), process: boot(protocols.ID(id)), choices: choices.Sub(uint64(id)), timers: nd.timers[:0]}
	}
	var m M
	w.counters = Counters{Sent: make([]uint64, len(m.Kinds())), SentBy: make([]uint64, n)}
	w.print = fingerprintStart
	if cfg.MaxTime > 0 {
		w.queue.At(cfg.MaxTime, des.Probe, item[M]{what: stop})
	}
}

// Observe sets the observer of this run.
func (w *Network[M]) Observe(o Observer) { w.observer = o }

// Trace sets the tracer of this run.
func (w *Network[M]) Trace(t Tracer) { w.tracer = t }

// StartAt has the process wake up spontaneously at t. A process that is not
// alive then does not.
func (w *Network[M]) StartAt(id protocols.ID, t des.Time) { w.plan(id, t, start) }

// CrashAt stops the process at t: its timers are gone, and messages that reach
// it from then on are lost. A crash comes before anything else at t, so that a
// process that crashes at 0 is dead from the start.
func (w *Network[M]) CrashAt(id protocols.ID, t des.Time) { w.plan(id, t, crash) }

// RestartAt brings a crashed process back at t as a new one, with the state of
// a new one; if it is a protocols.Recoverer it acts. A process that is alive
// then is left alone.
func (w *Network[M]) RestartAt(id protocols.ID, t des.Time) { w.plan(id, t, restart) }

func (w *Network[M]) plan(id protocols.ID, t des.Time, what happening) {
	if int(id) < 0 || int(id) >= len(w.nodes) {
		panic(fmt.Sprintf("netem: address %d outside 0..%d", id, len(w.nodes)-1))
	}
	w.queue.At(t, des.Fault, item[M]{to: int32(id), what: what})
}

// Now is the present instant.
func (w *Network[M]) Now() des.Time { return w.queue.Now() }

// Process returns the process at an address, the present one if it restarted.
func (w *Network[M]) Process(id protocols.ID) protocols.Process[M] { return w.nodes[id].process }

// Alive reports whether the process at an address is.
func (w *Network[M]) Alive(id protocols.ID) bool { return !w.nodes[id].crashed }

// Counters returns what was counted so far. The slices are the network's own,
// good until Reset.
func (w *Network[M]) Counters() Counters { return w.counters }

// Fingerprint is a hash of everything that happened so far, in order: the
// instant, what, who and which kind of message. Equal runs have equal
// fingerprints on every machine.
func (w *Network[M]) Fingerprint() uint64 { return uint64(w.print) }

// Clock returns the clock of virtual time, for code that takes a
// clockwork.Clock and runs inside the event loop: an observer, or a library
// under emulation. Processes get no clock.
func (w *Network[M]) Clock() *des.Clock {
	if w.clock == nil {
		w.clock = des.NewClock(w.queue, w.queue.NewTimer(des.Probe, item[M]{what: alarm}))
	}
	return w.clock
}

const interruptEvery = 1 << 14 // events between two looks at the context

// Run lets events happen until none is left, a limit is reached or the context
// is cancelled.
func (w *Network[M]) Run(ctx context.Context) End {
	limit := w.cfg.MaxEvents
	if limit == 0 {
		limit = 1<<64 - 1
	}
	for w.counters.Events < limit {
		if w.counters.Events%interruptEvery == 0 && ctx.Err() != nil {
			return Interrupted
		}
		e, ok := w.queue.Next()
		if !ok {
			return Quiescent
		}
		if e.Item.what == stop {
			if w.queue.Len() == 0 {
				return Quiescent
			}
			return OutOfTime
		}
		w.counters.Events++
		w.step(e.At, &e.Item)
	}
	if w.queue.Len() == 0 {
		return Quiescent
	}
	return OutOfEvents
}

// step lets one event happen.
func (w *Network[M]) step(now des.Time, it *item[M]) {
	nd := &w.nodes[it.to]
	if it.what == deliver {
		w.deliver(now, nd, it)
		return
	}
	w.print.add(now, it.what, it.from, it.to, 0)
	switch it.what {
	case alarm:
		w.clock.Fire()
	case start:
		if nd.crashed {
			return
		}
		nd.process.Start(nd)
		w.release(now, nd, it)
	case timeout:
		label := protocols.Timer(it.from)
		nd.expired(label)
		nd.process.Timeout(nd, label)
		w.release(now, nd, it)
	case crash:
		if nd.crashed {
			return
		}
		nd.crash()
		w.trace(now, it, nil)
		if w.observer != nil {
			w.observer.Crashed(nd.id)
		}
	case restart:
		if !nd.crashed {
			return
		}
		nd.crashed = false
		nd.incarnation++
		nd.process = w.boot(nd.id)
		if r, ok := nd.process.(protocols.Recoverer[M]); ok {
			r.Recover(nd)
		}
		w.flush(now, nd, it)
		if w.observer != nil {
			w.observer.Restarted(nd.id)
		}
	}
}

func (w *Network[M]) deliver(now des.Time, nd *node[M], it *item[M]) {
	w.print.add(now, it.what, it.from, it.to, it.msg.Kind())
	w.counters.LastMessage = now
	if nd.crashed {
		w.counters.ToDead++
		w.trace(now, it, nil)
		return
	}
	w.counters.Delivered++
	if it.depth > nd.depth {
		nd.depth = it.depth
		w.counters.CausalDepth = max(w.counters.CausalDepth, it.depth)
	}
	nd.process.Receive(nd, protocols.ID(it.from), it.msg)
	w.release(now, nd, it)
}

// release ends the step of a process: what it sent leaves.
func (w *Network[M]) release(now des.Time, nd *node[M], it *item[M]) {
	w.flush(now, nd, it)
	if w.observer != nil {
		w.observer.Stepped(nd.id)
	}
}

func (w *Network[M]) flush(now des.Time, nd *node[M], it *item[M]) {
	for i := range w.outbox {
		w.send(now, nd, &w.outbox[i])
	}
	if w.tracer != nil {
		w.trace(now, it, w.outbox)
	}
	w.outbox = w.outbox[:0]
}

func (w *Network[M]) send(now des.Time, nd *node[M], o *outgoing[M]) {
	c := &w.counters
	c.Sent[o.msg.Kind()]++
	c.SentBy[nd.id]++
	c.Bits += uint64(o.msg.Bits())
	at := w.links.arrival(now, nd.id, o.to, o.port)
	w.queue.At(at, des.Delivery, item[M]{int32(nd.id), int32(o.to), nd.depth + 1, deliver, o.msg})
}

// node is a process's seat: its state in the eyes of the runtime, and what it
// sees of the world.
type node[M protocols.Message] struct {
	net         *Network[M]
	process     protocols.Process[M]
	id          protocols.ID
	depth       uint32 // the longest chain of messages that ends here
	incarnation uint32
	crashed     bool
	timers      []armed
	choices     des.Stream
}

// armed is a timer that runs.
type armed struct {
	label protocols.Timer
	timer des.Timer
}

func (nd *node[M]) ID() protocols.ID { return nd.id }

func (nd *node[M]) Degree() int { return nd.net.cfg.Topology.Degree(nd.id) }

func (nd *node[M]) Neighbor(port int) protocols.ID {
	return nd.net.cfg.Topology.Neighbor(nd.id, port)
}

func (nd *node[M]) Send(to protocols.ID, m M) {
	w := nd.net
	port, ok := w.cfg.Topology.Port(nd.id, to)
	if !ok {
		if to != nd.id {
			panic(fmt.Sprintf("netem: process %d has no link to %d on the %s", nd.id, to, w.cfg.Topology))
		}
		port = -1
	}
	w.outbox = append(w.outbox, outgoing[M]{to, port, m})
}

func (nd *node[M]) SetTimer(t protocols.Timer, after time.Duration) {
	if after < 0 {
		panic(fmt.Sprintf("netem: process %d sets timer %d to %v", nd.id, t, after))
	}
	q := nd.net.queue
	at := q.Now().Add(after)
	if i := nd.find(t); i >= 0 {
		q.Reset(nd.timers[i].timer, at)
		return
	}
	timer := q.NewTimer(des.Timeout, item[M]{from: int32(t), to: int32(nd.id), what: timeout})
	nd.timers = append(nd.timers, armed{t, timer})
	q.Reset(timer, at)
}

func (nd *node[M]) StopTimer(t protocols.Timer) {
	nd.expired(t)
}

// expired forgets a timer that has expired or is to be stopped.
func (nd *node[M]) expired(t protocols.Timer) {
	if i := nd.find(t); i >= 0 {
		nd.net.queue.Release(nd.timers[i].timer)
		nd.timers = slices.Delete(nd.timers, i, i+1)
	}
}

func (nd *node[M]) find(t protocols.Timer) int {
	for i := range nd.timers {
		if nd.timers[i].label == t {
			return i
		}
	}
	return -1
}

func (nd *node[M]) Intn(n int) int { return nd.choices.Intn(n) }

// Suspects makes the node a perfect failure detector.
func (nd *node[M]) Suspects(p protocols.ID) bool { return nd.net.nodes[p].crashed }

func (nd *node[M]) crash() {
	nd.crashed = true
	for _, t := range nd.timers {
		nd.net.queue.Release(t.timer)
	}
	nd.timers = nd.timers[:0]
}

package netem

import (
	"context"
	"reflect"
	"slices"
	"time"

	"bullring/des"
	"bullring/internal/value"
	"bullring/netem/impair"
	"bullring/netem/medium"
	"bullring/protocols"
	"bullring/protocols/links"
)

// Config holds everything on which a run depends besides the processes.
type Config struct {
	Topology Topology
	// Delay is the delay of a message on a link. If it is constant, the run is one of
	// lock-step rounds.
	Delay des.Distribution
	// FIFO makes a link deliver messages in the order in which they were sent.
	FIFO bool
	// Late is how much later a timer expires than it was set for; nil is on time.
	Late des.Distribution
	// Lines are what links do to messages beyond delaying them. If the sets of several
	// lines hold a link, the last of these lines counts.
	Lines []Line
	// Mode is the mode in which the lines are understood.
	Mode impair.Mode
	// Delta, if positive, makes the network partially synchronous (Dwork, Lynch &
	// Stockmeyer, J. ACM 35(2) 1988): from the global stabilisation time GST on, links
	// lose nothing, and a message that was sent at t and is not lost arrives by
	// max(t, GST) + Delta. That does not bind lines with slots.
	Delta time.Duration
	GST   des.Time
	// Changes, if not nil, tells when links come and go. Then Topology has those that may ever be, and
	// the ports of processes are its; see protocols.Neighbors.
	Changes Source
	// Medium, if not nil, is a radio medium that processes share: see its package. Then links delay messages and
	// do nothing else: there are no lines, no Delta and no Alter.
	Medium *medium.Radio
	// Blind makes the failure detector suspect no process.
	Blind bool
	// Clockless makes a process that reads its clock panic.
	Clockless bool
	// Seed decides each random delay and choice.
	Seed uint64
	// Forks have the run draw from other streams from some events on, in the order of these.
	Forks []Fork
	// MaxEvents ends a run after so many events; 0 is no limit.
	MaxEvents uint64
	// MaxTime ends a run after this instant; 0 is no limit.
	MaxTime des.Time
	// Until keeps a run going until then, even if the only events left are such as
	// heartbeats, which do not keep it alive.
	Until des.Time
	// MaxPending ends a run when more than about so many events are pending, before they
	// fill the memory; 0 is no limit.
	MaxPending int
	// Alter, if not nil, changes single elements of the run.
	Alter *Alteration
	// Full is asked now and then whether the memory is full, which ends the run; nil never is.
	Full func() bool
	// Pulse is told now and then how far the run is; it may be nil.
	Pulse func(Pulse)
	// CheckEvery is the largest number of events between two checks of the limits, of which
	// Full and Pulse are part; 0 is many, for events that are fast.
	CheckEvery uint64
	// Loops ends a run in which nothing new can happen: see Loop. The states of all processes
	// must decide what they do.
	Loops bool
}

// Pulse tells how far a run is.
type Pulse struct {
	Now      des.Time
	Events   uint64
	UnderWay int // messages, about
	Timers   int
	Sent     []uint64 // by kind; it is valid during the call
}

// End is the way in which a run ended.
type End uint8

// The ways in which a run ends.
const (
	Quiescent   End = iota // no event was left
	OutOfEvents            // Config.MaxEvents was reached
	OutOfTime              // Config.MaxTime was reached
	OutOfRoom              // Config.MaxPending was exceeded, des.MaxTimers reached, or Config.Full
	Interrupted            // the context was cancelled
	OutOfSteps             // the schedule that the run followed ended, or was not possible
	Stopped                // Network.Stop was called
	Panicked               // a handler panicked; Run passes the panic on, and its caller sets this
	Repeating              // the same events repeat for ever, see Config.Loops
	Unanswered             // a handler waited in vain for a program; its panic is passed on, too
)

// Ends are the names of the ends.
var Ends = []string{"quiescent", "out of events", "out of time", "out of room", "interrupted", "out of steps", "stopped", "panicked", "repeating", "unanswered"}

// String names the end.
func (e End) String() string { return Ends[e] }

// Observer watches a run. Each method is called after the step that it reports, in the order
// of the steps.
type Observer interface {
	// Started: the process woke up spontaneously.
	Started(id protocols.ID)
	// Stepped: the process handled another event.
	Stepped(id protocols.ID)
	// Crashed: the process stopped.
	Crashed(id protocols.ID)
	// Restarted: a new process runs at the address and has recovered.
	Restarted(id protocols.ID)
}

// Network is one run: the processes of an algorithm on a topology. Only one goroutine may use
// it. Reset makes it ready for another run.
type Network[M protocols.Message] struct {
	engine engine
	boot   func(protocols.ID) protocols.Process[M]
	seats  []seat[M]
	node   node[M]
	unborn []bool // by process: it is to boot; empty before Boot
	// The messages under way: those in the lane, those in the event queue, and the places
	// that are free. A message gets its place when it is sent and leaves it when it arrives;
	// it is not copied in between. A free place keeps its last message until it gets another.
	flights flights[M]
	slab    []M
	vacant  []uint32

	// Of a run with a tracer: the record of the present step, the numbers of the messages
	// in the slab, and how many were handed to links.
	step    *Record
	noted   []Record // to be recorded after it
	numbers []uint64
	number  uint64
}

// New returns a network at time 0 without any events. boot makes the process of an address;
// it is called again when the process restarts after a crash.
func New[M protocols.Message](cfg Config, boot func(protocols.ID) protocols.Process[M]) *Network[M] {
	w := &Network[M]{engine: engine{queue: des.NewQueue[item]()}}
	w.engine.typed = w.typed()
	w.Reset(cfg, boot)
	return w
}

// Reset makes the network ready for another run. It keeps the memory.
func (w *Network[M]) Reset(cfg Config, boot func(protocols.ID) protocols.Process[M]) {
	n := cfg.Topology.Len()
	first := boot(0)
	sample := protocols.Sample(first)
	w.engine.reset(&cfg, len(sample.Kinds()))
	w.boot = boot
	w.flights.clear()
	clear(w.slab)
	w.slab, w.vacant = w.slab[:0], w.vacant[:0]
	w.step, w.noted, w.numbers, w.number = nil, nil, nil, 0
	w.node, w.unborn = node[M]{net: w}, w.unborn[:0]
	w.seats = slices.Grow(w.seats[:0], n)[:n]
	w.seats[0] = seat[M]{first, newHost(0, cfg.Topology)}
	for i := 1; i < n; i++ {
		id := protocols.ID(i)
		w.seats[i] = seat[M]{boot(id), newHost(id, cfg.Topology)}
	}
	w.engine.setKinds(protocols.BackgroundKinds(sample), protocols.OverheadKinds(sample))
	if cfg.Alter != nil {
		w.engine.extras.altered = newAltered(&w.engine, cfg.Alter)
		w.engine.makeCareful()
	}
	if cfg.Changes != nil {
		w.engine.move().follow(cfg.Changes)
	}
	if cfg.Medium != nil {
		w.engine.share()
	}
	if !w.engine.lane.open {
		w.slab, w.vacant = slices.Grow(w.slab, n), slices.Grow(w.vacant, n)
	}
}

// Sample is a message of the run, to ask for the kinds of messages.
func (w *Network[M]) Sample() protocols.Message { return protocols.Sample(w.seats[0].process) }

// Observe sets the observer of this run.
func (w *Network[M]) Observe(o Observer) { w.engine.observer = o }

// ObserveLinks sets what is called in this run when a link has come or gone, before its ends are told.
func (w *Network[M]) ObserveLinks(changed func(a, b protocols.ID)) { w.engine.relinked = changed }

// Trace sets the tracer of this run.
func (w *Network[M]) Trace(t Tracer) {
	w.engine.tracer = t
	if t != nil {
		w.engine.makeCareful()
	}
}

// Oppose sets the adversary of this run.
func (w *Network[M]) Oppose(a Adversary) { w.engine.oppose(a) }

// StartAt wakes the process up spontaneously at t, if it is alive then.
func (w *Network[M]) StartAt(id protocols.ID, t des.Time) { w.engine.plan(id, t, start) }

// CrashAt stops the process at t. Its timers are gone, and messages that arrive at t or later
// are lost. Events planned for one instant happen in the order of planning: a process whose
// crash at 0 is planned before its start is dead from the start.
func (w *Network[M]) CrashAt(id protocols.ID, t des.Time) { w.engine.plan(id, t, crash) }

// RestartAt replaces a crashed process by a new one at t, in its initial state. If it is a
// protocols.Recoverer, it acts. A process that is alive then goes on.
func (w *Network[M]) RestartAt(id protocols.ID, t des.Time) { w.engine.plan(id, t, restart) }

// ChangeAt changes a link at c.At, before the messages of that instant, and tells both ends, the lower
// address first: see protocols.Linked. What they send leaves at once. If the link goes down, what is
// under way on it is lost.
func (w *Network[M]) ChangeAt(c Change) {
	w.engine.move().plan(c, fromCaller)
}

// ChangeLinks changes all links of a set at t, in both directions even if the set has one, in the order
// of their lower and higher address: see ChangeAt.
func (w *Network[M]) ChangeLinks(set links.Set, t des.Time, up bool) {
	m := w.engine.move()
	for _, k := range linksThat(w.engine.cfg.Topology, func(k Link) bool { return set.Has(k.A, k.B) || set.Has(k.B, k.A) }) {
		m.plan(Change{t, k.A, k.B, up}, fromCaller)
	}
}

// Neighbors are the processes to which a process has a link now, ascending.
func (w *Network[M]) Neighbors(id protocols.ID) []protocols.ID {
	return slices.Clone(w.engine.present.of(id))
}

// Gone are the links of the topology that are down now, ascending.
func (w *Network[M]) Gone() []Link {
	e := &w.engine
	if e.moving == nil {
		return nil
	}
	return linksThat(e.cfg.Topology, func(k Link) bool { return !e.present.has(k.A, k.B) && !e.present.has(k.B, k.A) })
}

// Boot begins the services of each protocols.Booter that is alive at time 0, before the
// events that are planned for time 0 later.
func (w *Network[M]) Boot() {
	w.unborn = slices.Grow(w.unborn, len(w.seats))[:len(w.seats)]
	clear(w.unborn)
	var idle reflect.Type // the last type none of whose processes is one: to ask a process again takes long
	for i := range w.seats {
		p := w.seats[i].process
		if t := reflect.TypeOf(p); t == idle {
			continue
		} else if _, may := p.(protocols.Booter[M]); !may {
			idle = t
			continue
		}
		if _, w.unborn[i] = protocols.AsBooter(p); w.unborn[i] {
			w.engine.plan(protocols.ID(i), 0, boot)
		}
	}
}

// InterveneAt calls the adversary's Due at t, before any message arrives.
func (w *Network[M]) InterveneAt(t des.Time, token uint32) {
	w.engine.atFault(t, newItem(intervene, 0, 0, 0, 0, token))
}

// InterveneAfter calls the adversary's Due directly after the event of this number.
func (w *Network[M]) InterveneAfter(events uint64, token uint32) {
	w.engine.interveneAfter(events, token)
}

// ReleaseAt offers the messages and timers that the adversary holds again at t, in their
// order and before other messages that arrive at t. If the adversary holds a message of a
// link, or a timer of a process, again, the others of that link or process wait too.
func (w *Network[M]) ReleaseAt(t des.Time) { w.engine.releaseAt(t) }

// SetLine changes the line of a set of links, for messages that are sent from now on. Nil is
// the line of the configuration. It is for runs with an adversary.
func (w *Network[M]) SetLine(set links.Set, line *impair.Line) { w.engine.links.set(set, line) }

// Now is the present instant; after a run, the instant of its last event or of the limit.
func (w *Network[M]) Now() des.Time { return w.engine.now }

// Process returns the present process at an address.
func (w *Network[M]) Process(id protocols.ID) protocols.Process[M] { return w.seats[id].process }

// Alive reports whether the process at an address is alive.
func (w *Network[M]) Alive(id protocols.ID) bool { return !w.engine.isDown(id) }

// Depth is the length of the longest causal chain of messages that ends at a process.
func (w *Network[M]) Depth(id protocols.ID) uint32 { return w.seats[id].depth }

// Incarnation is the number of restarts of the process at an address.
func (w *Network[M]) Incarnation(id protocols.ID) int { return w.engine.incarnations[id] }

// Counters returns the counters so far.
func (w *Network[M]) Counters() Counters {
	c := w.engine.counters
	c.Sent = slices.Clone(c.Sent)
	c.Reordered += w.engine.links.overtaking
	for i := range w.seats {
		c.MaxSent = max(c.MaxSent, w.sentBy(protocols.ID(i)))
		c.CausalDepth = max(c.CausalDepth, w.seats[i].depth)
	}
	return c
}

// Events is the number of events so far.
func (w *Network[M]) Events() uint64 { return w.engine.counters.Events }

// sentBy is the number of messages that a process has sent.
func (w *Network[M]) sentBy(id protocols.ID) uint64 {
	return uint64(w.engine.carries[id])<<32 + uint64(w.seats[id].sent)
}

// Fingerprint is a hash of the events so far, in order: instant, event type, processes and
// kind of message. Equal runs have equal fingerprints on every machine.
func (w *Network[M]) Fingerprint() uint64 { return uint64(w.engine.fingerprint) }

// Clock returns the clock of virtual time, for code inside the event loop that takes a
// clockwork.Clock: an observer, or a library under emulation. Processes get no clock.
func (w *Network[M]) Clock() *des.Clock {
	e := &w.engine
	if e.clock == nil {
		e.clock = des.NewClock(e.queue, e.queue.NewTimer(des.Probe, newItem(alarm, 0, 0, 0, 0, 0)))
	}
	return e.clock
}

// Run handles events until none is left, a limit is reached or the context is cancelled.
// After OutOfTime, a further call goes on without that limit.
func (w *Network[M]) Run(ctx context.Context) End {
	e := &w.engine
	for {
		var who uint64
		var depth uint32
		var m *M
		if l := &e.lane; l.taken < l.until {
			f := w.flights.take(l.taken)
			l.taken++
			who, depth, m = f.who, f.depth, &f.message
		} else {
			it, from := e.advance(ctx)
			switch from {
			case none:
				w.flights.trim()
				return e.end
			case inLane:
				w.foretell()
				continue
			}
			index := uint32(it.more)
			who, depth, m = it.who, uint32(it.more>>32), &w.slab[index]
			w.vacant = append(w.vacant, index)
		}
		// From here on it is the same for all messages of plain runs. What the compiler would
		// not inline is written out.
		e.counters.Events++
		e.fingerprint = hashed(e.fingerprint, e.now, who)
		to := protocols.ID(who >> 16 & addressMask)
		if len(e.down) > 0 && e.down[to] {
			e.counters.ToDead++
			continue
		}
		e.counters.Delivered++
		s := &w.seats[to]
		s.depth = max(s.depth, depth)
		e.sends = 0
		w.node.seat = s
		s.process.Receive(&w.node, protocols.ID(who>>(addressBits+16)), *m)
		if e.sends > 1 { // each message is work, too
			e.checkEarlier(e.sends)
		}
		if e.observer != nil {
			e.observer.Stepped(to)
		}
	}
}

// Loop is the part of a run that repeats. It is zero unless the run ended as Repeating.
func (w *Network[M]) Loop() Loop { return w.engine.loop.found }

// Stop ends a run before its next event. It is for observers of algorithms that do not come to
// rest.
func (w *Network[M]) Stop() {
	w.engine.stopped = true
	w.engine.checkNow()
}

func (w *Network[M]) typed() typed {
	return typed{
		states: func(text []byte) []byte {
			for i := range w.seats {
				text = value.Append(text, &w.seats[i].process)
			}
			return text
		},
		hosts: w.hosts,
		land:  w.land,
		receive: func(to, from protocols.ID, depth, index uint32) {
			if w.engine.tracer != nil {
				w.step = w.newRecord(deliver, to, from, index)
			}
			w.vacant = append(w.vacant, index)
			nd := w.at(to)
			nd.depth = max(nd.depth, depth)
			nd.process.Receive(nd, from, w.slab[index])
		},
		apply:  w.apply,
		bits:   func(index uint32) int { return w.slab[index].Bits() },
		number: w.numberOf,
		copy:   w.copy,
		free:   func(index uint32) { w.vacant = append(w.vacant, index) },
		forge:  w.forge,
		record: w.record,
		note:   w.note,
	}
}

func (w *Network[M]) apply(what eventType, to, from protocols.ID, more uint32) bool {
	nd, down := w.at(to), w.engine.isDown(to)
	switch { // events without effect
	case what == start && down, what == boot && down, what == crash && down, what == restart && !down:
		return false
	case (what == toldUp || what == toldDown) && (down || !w.born(to) || !linked(nd.process)):
		return false
	case what == timeout && w.engine.find(&nd.host, protocols.Timer(int32(more))) < 0:
		return false
	}
	if w.engine.tracer != nil {
		w.step = w.newRecord(what, to, from, more)
	}
	w.engine.sends = 0
	switch what {
	case lost:
		w.vacant = append(w.vacant, more)
	case start:
		nd.process.Start(nd)
	case boot:
		w.unborn[to] = false
		nd.process.(protocols.Booter[M]).Boot(nd)
	case timeout:
		label := protocols.Timer(int32(more))
		if w.step != nil {
			w.step.Name = protocols.TimerName(nd.process, label)
		}
		nd.StopTimer(label)
		nd.process.Timeout(nd, label)
	case crash:
		w.engine.crash(&nd.host)
		if w.step != nil {
			w.step.Amid = w.engine.extras.doomed
		}
	case restart:
		w.restart(nd)
	case toldUp:
		nd.process.(protocols.Linked[M]).LinkUp(nd, from)
	case toldDown:
		nd.process.(protocols.Linked[M]).LinkDown(nd, from)
	}
	if k := w.engine.sends; k > 1 && !w.engine.careful {
		w.engine.checkEarlier(k)
	}
	return true
}

// born reports whether the life of a process has begun, if it begins with Boot. A change of a link at
// time 0 may come before.
func (w *Network[M]) born(id protocols.ID) bool { return len(w.unborn) == 0 || !w.unborn[id] }

func linked[M any](p protocols.Process[M]) bool {
	_, ok := protocols.AsLinked(p)
	return ok
}

func (w *Network[M]) restart(nd *node[M]) {
	w.engine.down[nd.id] = false
	w.engine.incarnations[nd.ID()]++
	before := nd.process
	nd.process = w.boot(nd.ID())
	if len(w.unborn) > 0 {
		w.unborn[nd.id] = false
	}
	if p, ok := protocols.AsStable(nd.process); ok {
		p.Restore(before)
	}
	if p, ok := protocols.AsBooter(nd.process); ok {
		p.Boot(nd)
	}
	if p, ok := nd.process.(protocols.Recoverer[M]); ok {
		p.Recover(nd)
	}
}

// at is the view of the process at an address, which acts now.
func (w *Network[M]) at(id protocols.ID) *node[M] {
	w.node.seat = &w.seats[id]
	return &w.node
}

func (w *Network[M]) hosts(all []*host) []*host {
	for i := range w.seats {
		all = append(all, &w.seats[i].host)
	}
	return all
}

// put puts a message into the slab.
func (w *Network[M]) put(m M) (index uint32) {
	if k := len(w.vacant); k > 0 {
		index = w.vacant[k-1]
		w.vacant = w.vacant[:k-1]
		w.slab[index] = m
	} else {
		index = uint32(len(w.slab))
		w.slab = append(w.slab, m)
	}
	return index
}

func (w *Network[M]) copy(index uint32) uint32 {
	i := w.put(w.slab[index])
	if int(index) < len(w.numbers) {
		w.setNumber(i, w.numbers[index])
	}
	return i
}

func (w *Network[M]) forge(index uint32, f func(int64) int64) bool {
	m, ok := any(w.slab[index]).(protocols.Forgeable[M])
	if ok {
		w.slab[index] = m.Forge(f)
	}
	return ok
}

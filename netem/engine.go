package netem

import (
	"cmp"
	"context"
	"fmt"

	"bullring/des"
	"bullring/protocols"
)

// engine is the part of a network that is independent of the message type: time, links, counters,
// and everything that happens besides the delivery of a message in a plain run. It is a type of
// its own because the compiler does not inline such code into functions with type parameters.
type engine struct {
	cfg      Config
	typed    typed
	observer Observer
	relinked func(a, b protocols.ID) // may be nil
	tracer   Tracer

	now      des.Time // of the present event: queue.Now(), in a field because of the compiler
	sends    uint64   // messages that the present step has sent
	queue    *des.Queue[item]
	lane     lane // of a plain run with constant delays
	plans    plans
	links    linkTable
	clock    *des.Clock
	lateness des.Stream // of timers, if they are late
	forks    forks
	outbox   []item // the messages that the running handler of a careful run has sent
	// broadcasts reports whether some of them are.
	broadcasts bool

	// careful: the run takes the long way at each step, because it has faults beyond
	// crashes and lines, slots, messages that do not keep it alive, or a trace. Other runs
	// do not pay for that.
	careful bool
	fast    eventType // events of this type are handled without dispatch: deliver, or nothing
	extras  extras
	moving  *moving // nil if links do not come and go
	air     *air    // nil without a medium
	present present

	// By process, made when they are first needed.
	hosts        []*host // only in careful runs; they are parts of the nodes of the network
	timers       [][]armed
	choices      []des.Stream
	drawn        []int                // by the present step, with a tracer
	incarnations map[protocols.ID]int // restarts, of the processes that restarted
	down         []bool               // has crashed; nil until one has
	carries      map[protocols.ID]int // times that host.sent went past 2^32

	counters    Counters
	fingerprint fingerprint
	trail       trail
	nextCheck   uint64 // the number of events at which to check the limits
	pause       uint64 // the earliest of nextCheck and the next ones of trail, loop and forks
	end         End    // of a run that is over
	idle        int    // events in the queue of a run at rest: 1 with a time limit
	outOfTimers bool   // there was no room for a timer
	loop        loopSearch
	stopped     bool // by an observer
}

// typed is the part of a network that knows the message type. It has functions instead of
// methods behind an interface, because a closure knows its type parameters and a method has to
// be handed them.
type typed struct {
	// receive lets a process handle a message.
	receive func(to, from protocols.ID, depth, index uint32)
	// apply handles an event that is not a delivery to a live process. more is the index of
	// the lost message or the label of the timer. It reports whether the event had an effect.
	apply func(what eventType, to, from protocols.ID, more uint32) bool

	// states appends the states of all processes.
	states func([]byte) []byte

	// hosts appends the hosts of all processes. land moves the messages in the lane to the
	// event queue.
	hosts func([]*host) []*host
	land  func()

	// The rest is for careful runs. bits is the size of a message, and number its number in a run with
	// a tracer. copy adds a copy of it to the slab. free gives its place back. forge replaces the identities in it by f, and
	// reports whether its type opts in.
	bits   func(index uint32) int
	number func(index uint32) uint64
	copy   func(index uint32) uint32
	free   func(index uint32)
	forge  func(index uint32, f func(int64) int64) bool
	// record hands the last step and the messages that leave to the tracer, note an event
	// that is not a step.
	record func()
	note   func(what eventType, who, from protocols.ID, index uint32)
}

// eventType tells what an event does. The numbers are part of fingerprints: new ones are added
// after those that have one.
type eventType uint8

const (
	start eventType = iota
	crash
	restart
	deliver
	lost // a message reached a crashed process
	timeout
	alarm // of the clock
	stop  // Config.MaxTime

	boot      // the services of a process begin
	intervene // the adversary asked to be called
	keep      // Config.Until: without effect, but the run goes on until then
	serve     // a link on which messages wait for a slot delivers
	damaged   // a message arrives and is recognised as damaged
	lose      // a link loses a message
	cut       // a fault loses a message
	release   // the messages and timers that the adversary holds are offered again
	offer     // the next one of them is
	planned   // a batch of starts, crashes, restarts or boots
	nothing

	linkUp    // a link comes up
	linkDown  // a link goes down
	toldUp    // a process is told that a link has come up
	toldDown  // or gone down
	broadcast // a message to all neighbours, in the outbox only; of a transmission, also one to a neighbour

	heard   // the reception of a message over a medium ends
	collide // and it has met another signal
)

// item is an entry of the event queue. It has two words, so that an event is passed in
// registers. Messages wait in the network's slab.
//
//	who   from 24 bits, to 24 bits, what 8 bits, kind of message 8 bits
//	more  depth 32 bits, index of the message or label of the timer 32 bits
type item struct{ who, more uint64 }

const (
	addressBits = 24
	addressMask = 1<<addressBits - 1
	maxKinds    = 1 << 8
)

func newItem(what eventType, from, to protocols.ID, kind int, depth, index uint32) item {
	return item{
		who:  uint64(from)<<(addressBits+16) | uint64(to)<<16 | uint64(what)<<8 | uint64(kind),
		more: uint64(depth)<<32 | uint64(index),
	}
}

func (it item) from() protocols.ID { return protocols.ID(it.who >> (addressBits + 16)) }
func (it item) to() protocols.ID   { return protocols.ID(it.who >> 16 & addressMask) }
func (it item) what() eventType    { return eventType(it.who >> 8 & 0xff) }
func (it item) depth() uint32      { return uint32(it.more >> 32) }
func (it item) index() uint32      { return uint32(it.more) }
func (it item) kind() int          { return int(it.who & 0xff) }

// with is the item for another copy of the message.
func (it item) with(index uint32) item { return item{it.who, it.more>>32<<32 | uint64(index)} }

// as is the item for another event of the same message.
func (it item) as(what eventType) item { return item{it.who&^0xff00 | uint64(what)<<8, it.more} }

func (e *engine) reset(cfg *Config, kinds int) {
	n := cfg.Topology.Len()
	if n > addressMask || kinds > maxKinds {
		panic(fmt.Sprintf("netem: %d processes and %d kinds of messages; allowed are at most %d and %d", n, kinds, addressMask, maxKinds))
	}
	e.cfg, e.observer, e.relinked, e.tracer, e.clock = *cfg, nil, nil, nil, nil
	e.forks.reset(cfg.Forks)
	e.drawLateness()
	e.queue.Clear()
	e.plans.reset()
	e.links.reset(cfg)
	e.lane.reset(e.links.constant, des.Time(e.links.always))
	e.now, e.outbox, e.nextCheck, e.pause, e.idle, e.outOfTimers, e.stopped = 0, e.outbox[:0], 0, 0, 0, false, false
	e.extras, e.careful, e.fast, e.hosts = extras{}, false, deliver, e.hosts[:0]
	e.moving, e.air, e.present, e.broadcasts = nil, nil, present{topology: cfg.Topology}, false
	e.counters = Counters{Sent: make([]uint64, kinds)}
	e.fingerprint = fingerprintStart
	e.trail.reset()
	e.timers, e.choices, e.drawn, e.incarnations = nil, nil, nil, map[protocols.ID]int{}
	e.down, e.carries = nil, nil
	e.loop = newLoopSearch(cfg)
	if cfg.MaxTime > 0 {
		e.idle = 1
		e.queue.At(cfg.MaxTime, des.Probe, newItem(stop, 0, 0, 0, 0, 0))
	}
	if cfg.Until > 0 {
		e.queue.At(cfg.Until, des.Probe, newItem(keep, 0, 0, 0, 0, 0))
	}
}

// source tells where the next message of a plain run waits.
type source uint8

const (
	none    source = iota // the run is over, with engine.end
	inLane                // up to lane.until
	inQueue               // it has just left the queue
)

// advance handles the events of a run up to the next message of a plain run, which it leaves to
// its caller.
func (e *engine) advance(ctx context.Context) (it item, from source) {
	for {
		if e.counters.Events >= e.pause && e.endsHere(ctx) {
			return it, none
		}
		if e.plans.present.n > 0 {
			it = e.plans.next()
		} else {
			if e.lane.taken < e.lane.sent && e.takeLane() {
				return it, inLane
			}
			ev, ok := e.queue.Next()
			if !ok {
				e.end = Quiescent
				return it, none
			}
			e.now, it = ev.At, ev.Item
			if e.now > e.lane.last {
				e.closeLane()
			}
		}
		switch what := it.what(); {
		case what == e.fast:
			e.counters.LastMessage = e.now
			return it, inQueue
		case what == planned:
			e.plans.open(it.index())
		default:
			end, over := e.handle(ctx, e.now, it)
			if over {
				e.end = end
				return it, none
			}
		}
	}
}

// handle handles an event that is not a delivery, and in a careful run a delivery, too.
func (e *engine) handle(ctx context.Context, now des.Time, it item) (end End, over bool) {
	switch it.what() {
	case stop:
		if next, ok := e.queue.Peek(); ok && next.At == now {
			e.queue.At(now, des.Probe, it) // first the other events of this instant
			return 0, false
		}
		e.idle = 0
		return e.endAt(OutOfTime), true
	case alarm: // it belongs to an observer and is not an event of the run
		e.clock.Fire()
		if ctx.Err() != nil { // with a ticker alone the limits would never be checked
			return Interrupted, true
		}
		return 0, false
	}
	e.dispatch(now, it)
	return Quiescent, e.careful && e.atRest()
}

// applyPlanned handles a start, crash, restart, boot or timeout, and what a process is told of a link.
func (e *engine) applyPlanned(now des.Time, it item) {
	what, to := it.what(), it.to()
	if what == keep {
		return
	}
	e.counters.Events++
	e.fingerprint.add(now, it, uint64(it.index()))
	if !e.typed.apply(what, to, it.from(), it.index()) {
		return
	}
	if e.careful {
		e.sendCarefully(now, e.hosts[to], -1)
	}
	if e.observer != nil {
		switch what {
		case crash:
			e.observer.Crashed(to)
		case restart:
			e.observer.Restarted(to)
		case start:
			e.observer.Started(to)
		default:
			e.observer.Stepped(to)
		}
	}
	e.crashIfDoomed(now, to)
}

// checkEvery is the work, in events and messages, between two checks of the limits.
const checkEvery = 1 << 14

// endsHere marks the trail, takes forks and checks the limits if it is time for that. It reports whether the
// run ends.
func (e *engine) endsHere(ctx context.Context) (over bool) {
	e.trail.pass(e.counters.Events, e.fingerprint)
	for e.counters.Events >= e.forks.next {
		e.fork()
	}
	if e.counters.Events >= e.nextCheck {
		if e.end, over = e.limits(ctx); over {
			return true
		}
	}
	if e.counters.Events >= e.loop.next {
		e.loop.seek(e)
	}
	e.pause = min(e.trail.next, e.nextCheck, e.loop.next, e.forks.next)
	if e.loop.first != nil && e.loop.repeats(e) {
		e.end = Repeating
		return true
	}
	return false
}

// fork takes the next fork: what is drawn from now on comes from other streams.
func (e *engine) fork() {
	e.forks.take()
	e.choices = nil
	e.drawLateness()
	e.links.fork(e.forks.stream(e.cfg.Seed, "link"))
	for _, draws := range []any{e.extras.adversary, e.cfg.Changes} {
		if f, ok := draws.(Forker); ok {
			f.Fork(e.forks.salts)
		}
	}
}

// drawLateness gives late timers their stream.
func (e *engine) drawLateness() {
	if e.cfg.Late != nil {
		e.lateness = e.forks.stream(e.cfg.Seed, "late")
	}
}

// checkNow makes the run check the limits before the next event.
func (e *engine) checkNow() { e.checkEarlier(e.nextCheck) }

// checkEarlier brings the next check of the limits forward by so many events.
func (e *engine) checkEarlier(by uint64) {
	e.nextCheck -= min(by, e.nextCheck)
	e.pause = min(e.pause, e.nextCheck)
	e.lane.until = e.lane.taken
}

// limits checks whether a limit ends the run, and sets the next check.
func (e *engine) limits(ctx context.Context) (end End, over bool) {
	limit := e.cfg.MaxEvents
	if e.cfg.Pulse != nil {
		e.cfg.Pulse(Pulse{e.now, e.counters.Events, e.pending() - e.queue.Timers(), e.queue.Timers(), e.counters.Sent})
	}
	if e.extras.ambient > 0 && !e.careful { // a process has set a timer that does not keep the run alive
		e.makeCareful()
	}
	switch {
	case ctx.Err() != nil:
		return Interrupted, true
	case e.stopped:
		return Stopped, true
	case e.outOfTimers || e.cfg.MaxPending > 0 && e.pending()+e.extras.room.count+len(e.extras.parked) > e.cfg.MaxPending || e.cfg.Full != nil && e.cfg.Full():
		return OutOfRoom, true
	case e.atRest(): // the run has just become a careful one
		return Quiescent, true
	case limit > 0 && e.counters.Events >= limit:
		return e.endAt(OutOfEvents), true
	}
	e.nextCheck = e.counters.Events + cmp.Or(e.cfg.CheckEvery, checkEvery)
	if limit > 0 {
		e.nextCheck = min(e.nextCheck, limit)
	}
	return 0, false
}

// endAt is the end of a run that has reached a limit: it may be quiescent.
func (e *engine) endAt(limit End) End {
	if e.nothingLeft() {
		return Quiescent
	}
	return limit
}

// pending is the number of events that wait, without those that the adversary holds.
func (e *engine) pending() int {
	return e.queue.Len() + e.plans.waiting + int(e.lane.sent-e.lane.taken)
}

// post hands a message to its link or, in a careful run, puts it into the outbox.
func (e *engine) post(s *host, to protocols.ID, kind int, index uint32) {
	it := newItem(deliver, s.ID(), to, kind, s.depth+1, index)
	if e.careful {
		e.outbox = append(e.outbox, it)
		return
	}
	l := &e.links
	if l.impaired {
		e.transmit(e.now, s, 0, it)
		return
	}
	var k *link
	if i := int(s.id) * l.degree; i < len(l.flat.links) && int32(to) == s.first {
		k = &l.flat.links[i] // port 0, without asking the topology
		if k.stream == (des.Stream{}) {
			l.prepare(k, s.ID(), to)
		}
	} else {
		k = l.linkOf(s.ID(), to)
	}
	at := e.now.Add(l.delay.Sample(k.stream.Uint64()))
	early := uint64(0) // counted without a branch: the processor would often predict it wrongly
	if at < k.last {
		early = 1
	}
	k.last = max(k.last, at)
	if l.fifo {
		at = k.last
	} else {
		l.overtaking += early
	}
	e.queue.At(at, des.Delivery, it)
}

// plan plans a start, crash, restart or boot.
func (e *engine) plan(id protocols.ID, t des.Time, what eventType) {
	if n := e.cfg.Topology.Len(); int(id) < 0 || int(id) >= n {
		panic(fmt.Sprintf("netem: address %d is outside 0..%d", id, n-1))
	}
	if e.plans.extend(id, t, what) {
		return
	}
	index := e.plans.add(batch{at: t, first: id, n: 1, what: what})
	e.atFault(t, newItem(planned, 0, 0, 0, 0, index))
	e.plans.newest = int(index)
}

// atFault schedules an event that comes before the messages of its instant.
func (e *engine) atFault(t des.Time, it item) {
	e.queue.At(t, des.Fault, it)
	e.plans.close()
	e.lane.until = e.lane.taken
}

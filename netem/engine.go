package netem

import (
	"context"
	"fmt"
	"slices"
	"time"

	"bullring/des"
	"bullring/protocols"
)

// engine is the part of a network that is independent of the message type: time, links,
// hosts, counters. It does two thirds of the work of an event. It is a type of its own because
// the compiler does not inline such code into functions with type parameters.
type engine struct {
	cfg      Config
	typed    typed
	observer Observer
	tracer   Tracer

	queue  *des.Queue[item]
	links  linkTable
	clock  *des.Clock
	outbox []item // the messages that the running handler has sent

	// careful: the run takes the long way at each step, because it has faults beyond
	// crashes, impaired links, messages that do not keep it alive, or a trace. Other runs
	// do not pay for that.
	careful bool
	direct  eventType // the events that take the short way: deliver, or nothing
	extras  extras

	// By process: what each message needs, and the rest, which is made when it is first
	// needed.
	hosts        []host
	timers       [][]armed
	choices      []des.Stream
	drawn        []int                // by the present step, with a tracer
	incarnations map[protocols.ID]int // restarts, of the processes that restarted

	counters    Counters
	fingerprint fingerprint
	trail       trail
	nextCheck   uint64 // the number of events at which to check the limits
	idle        int    // events in the queue of a run at rest: 1 with a time limit
	outOfTimers bool   // there was no room for a timer
	stopped     bool   // by an observer
}

// host is the part of a process that each message to or from it needs.
type host struct {
	engine    *engine
	id, first int32 // first is the neighbour behind port 0, itself if there is none
	sent      uint64
	depth     uint32 // the longest causal chain of messages that ends here
	crashed   bool
}

// typed is the part of a network that knows the message type. It has functions instead of
// methods behind an interface, because a closure knows its type parameters and a method has to
// be handed them.
type typed struct {
	// receive lets a process handle a message.
	receive func(to, from protocols.ID, index uint32)
	// apply handles an event that is not a delivery to a live process. more is the index of
	// the lost message or the label of the timer. It reports whether the event had an effect.
	apply func(what eventType, to, from protocols.ID, more uint32) bool

	// The rest is for careful runs. bits is the size of a message. copy adds a copy of it to
	// the slab. free gives its place back. forge replaces the identities in it by f, and
	// reports whether its type opts in.
	bits  func(index uint32) int
	copy  func(index uint32) uint32
	free  func(index uint32)
	forge func(index uint32, f func(int64) int64) bool
	// record hands the last step and the messages that leave to the tracer, note an event
	// that is not a step.
	record func()
	note   func(what eventType, who, from protocols.ID, index uint32)
}

// armed is a timer of a process.
type armed struct {
	label protocols.Timer
	timer des.Timer
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
	nothing
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
	e.cfg, e.observer, e.tracer, e.clock = *cfg, nil, nil, nil
	e.queue.Clear()
	e.links.reset(cfg)
	e.outbox, e.nextCheck, e.idle, e.outOfTimers, e.stopped = e.outbox[:0], 0, 0, false, false
	e.extras, e.careful, e.direct = extras{}, false, deliver
	if e.links.impaired() {
		e.makeCareful()
	}
	e.counters = Counters{Sent: make([]uint64, kinds)}
	e.fingerprint = fingerprintStart
	e.trail.reset()
	e.hosts = slices.Grow(e.hosts[:0], n)[:n]
	e.timers, e.choices, e.drawn, e.incarnations = nil, nil, nil, map[protocols.ID]int{}
	for i := range e.hosts {
		s := &e.hosts[i]
		*s = host{engine: e, id: int32(i), first: int32(i)}
		if s.Degree() > 0 {
			s.first = int32(cfg.Topology.Neighbor(s.ID(), 0))
		}
	}
	if cfg.MaxTime > 0 {
		e.idle = 1
		e.queue.At(cfg.MaxTime, des.Probe, newItem(stop, 0, 0, 0, 0, 0))
	}
	if cfg.Until > 0 {
		e.queue.At(cfg.Until, des.Probe, newItem(keep, 0, 0, 0, 0, 0))
	}
}

// run handles events until the run ends. Deliveries in a run that is not careful are handled
// here.
func (e *engine) run(ctx context.Context) End {
	for {
		if e.counters.Events >= e.trail.next {
			e.trail.mark(e.fingerprint)
		}
		if e.counters.Events >= e.nextCheck {
			if end, over := e.limits(ctx); over {
				return end
			}
		}
		ev, ok := e.queue.Next()
		if !ok {
			return Quiescent
		}
		it := ev.Item
		if it.what() != e.direct {
			if end, over := e.handle(ctx, ev.At, it); over {
				return end
			}
			continue
		}
		e.counters.Events++
		e.counters.LastMessage = ev.At
		e.fingerprint.add(ev.At, it, 0)
		s := &e.hosts[it.to()]
		if s.crashed {
			e.counters.ToDead++
			e.typed.apply(lost, it.to(), it.from(), it.index())
			continue
		}
		e.counters.Delivered++
		s.depth = max(s.depth, it.depth())
		e.typed.receive(it.to(), it.from(), it.index())
		if len(e.outbox) == 1 && e.links.constant { // as sendAll, without a loop
			e.queue.At(ev.At.Add(e.links.always), des.Delivery, e.outbox[0])
			e.outbox = e.outbox[:0]
		} else if len(e.outbox) > 0 {
			e.sendAll(ev.At, s)
		}
		if e.observer != nil {
			e.observer.Stepped(it.to())
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
	if !e.careful {
		e.applyPlanned(now, it)
		return 0, false
	}
	e.handleCarefully(now, it)
	return Quiescent, e.atRest()
}

// applyPlanned handles a start, crash, restart, boot or timeout.
func (e *engine) applyPlanned(now des.Time, it item) {
	what, to := it.what(), it.to()
	if what == keep {
		return
	}
	e.counters.Events++
	e.fingerprint.add(now, it, uint64(it.index()))
	if !e.typed.apply(what, to, 0, it.index()) {
		return
	}
	if e.careful {
		e.sendCarefully(now, &e.hosts[to], -1)
	} else {
		e.sendAll(now, &e.hosts[to])
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

// limits checks whether a limit ends the run, and sets the next check.
func (e *engine) limits(ctx context.Context) (end End, over bool) {
	limit := e.cfg.MaxEvents
	switch {
	case ctx.Err() != nil:
		return Interrupted, true
	case e.stopped:
		return Stopped, true
	case e.outOfTimers || e.cfg.MaxPending > 0 && e.queue.Len()+e.extras.room.count+len(e.extras.parked) > e.cfg.MaxPending:
		return OutOfRoom, true
	case e.atRest(): // the run has just become a careful one
		return Quiescent, true
	case limit > 0 && e.counters.Events >= limit:
		return e.endAt(OutOfEvents), true
	}
	e.nextCheck = e.counters.Events + checkEvery
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

// post counts a message and puts it into the outbox.
func (e *engine) post(s *host, to protocols.ID, kind, bits int, index uint32) {
	if to != protocols.ID(s.first) {
		MustReach(e.cfg.Topology, s.ID(), to)
	}
	if sent := e.counters.Sent; uint(kind) < uint(len(sent)) {
		sent[kind]++
	} else {
		MustBeKind(s.ID(), kind, len(sent))
	}
	e.counters.Bits += uint64(bits)
	s.sent++
	e.outbox = append(e.outbox, newItem(deliver, s.ID(), to, kind, s.depth+1, index))
}

// sendAll ends a step of a process: it hands the messages in the outbox to their links.
func (e *engine) sendAll(now des.Time, s *host) {
	if k := uint64(len(e.outbox)); k > 1 { // each message is work, too
		e.nextCheck -= min(k, e.nextCheck)
	}
	if e.links.constant {
		at := now.Add(e.links.always)
		for _, it := range e.outbox {
			e.queue.At(at, des.Delivery, it)
		}
	} else {
		for _, it := range e.outbox {
			e.queue.At(e.links.arrival(now, s, it.to()), des.Delivery, it)
		}
	}
	e.outbox = e.outbox[:0]
}

func (e *engine) plan(id protocols.ID, t des.Time, what eventType) {
	if int(id) < 0 || int(id) >= len(e.hosts) {
		panic(fmt.Sprintf("netem: address %d is outside 0..%d", id, len(e.hosts)-1))
	}
	e.queue.At(t, des.Fault, newItem(what, 0, id, 0, 0, 0))
}

func (s *host) crash() {
	s.crashed = true
	e := s.engine
	if e.timers == nil {
		return
	}
	for _, t := range e.timers[s.id] {
		e.disarm(t)
	}
	e.timers[s.id] = e.timers[s.id][:0]
}

// The methods that follow are the part of protocols.Node that is independent of the message
// type.

func (s *host) ID() protocols.ID { return protocols.ID(s.id) }

func (s *host) Degree() int { return s.engine.cfg.Topology.Degree(s.ID()) }

func (s *host) Neighbor(port int) protocols.ID {
	if port == 0 {
		return protocols.ID(s.first)
	}
	return s.engine.cfg.Topology.Neighbor(s.ID(), port)
}

func (s *host) SetTimer(t protocols.Timer, after time.Duration) {
	MustBeTimer(s.ID(), t, after)
	e := s.engine
	if t <= protocols.Background && !e.careful {
		e.makeCareful()
		e.nextCheck = 0
	}
	at := e.expiry(s, after)
	if i := s.find(t); i >= 0 {
		timer := e.timers[s.id][i].timer
		if _, armed := e.queue.Armed(timer); !armed && t <= protocols.Background {
			e.extras.ambient++ // it had expired, and the adversary held it
		}
		e.queue.Reset(timer, at)
		return
	}
	if e.queue.Timers() == des.MaxTimers {
		e.outOfTimers, e.nextCheck = true, 0 // the run ends here, and not without this timer
		return
	}
	if e.timers == nil {
		e.timers = make([][]armed, len(e.hosts))
	}
	timer := e.queue.NewTimer(des.Timeout, newItem(timeout, 0, s.ID(), 0, 0, uint32(int32(t))))
	e.timers[s.id] = append(e.timers[s.id], armed{t, timer})
	e.queue.Reset(timer, at)
	if t <= protocols.Background {
		e.extras.ambient++
	}
}

// expiry is the instant at which the clock of a process has advanced by after.
func (e *engine) expiry(s *host, after time.Duration) des.Time {
	now := e.queue.Now()
	if e.extras.clocks != nil {
		c := &e.extras.clocks[s.id]
		return max(now, c.when(c.shows(now).After(after)))
	}
	if des.Time(after) >= des.MaxTime-now {
		return des.MaxTime
	}
	return now.Add(after)
}

func (s *host) StopTimer(t protocols.Timer) {
	if i := s.find(t); i >= 0 {
		s.engine.disarm(s.engine.timers[s.id][i])
		s.engine.timers[s.id] = slices.Delete(s.engine.timers[s.id], i, i+1)
	}
}

// disarm releases a timer.
func (e *engine) disarm(a armed) {
	if _, pending := e.queue.Armed(a.timer); pending && a.label <= protocols.Background {
		e.extras.ambient--
	}
	e.queue.Release(a.timer)
}

func (s *host) find(t protocols.Timer) int {
	if s.engine.timers == nil {
		return -1
	}
	return slices.IndexFunc(s.engine.timers[s.id], func(a armed) bool { return a.label == t })
}

func (s *host) Intn(n int) int {
	e := s.engine
	if e.choices == nil {
		e.choices = make([]des.Stream, len(e.hosts))
		parent := des.NewStream(e.cfg.Seed, "choice")
		for i := range e.choices {
			e.choices[i] = parent.Sub(uint64(i))
		}
	}
	e.counters.Draws++
	c := e.choices[s.id].Intn(n)
	if e.tracer != nil {
		e.drawn = append(e.drawn, c)
	}
	return c
}

// Now makes the node protocols.Clocked.
func (s *host) Now() time.Duration {
	e := s.engine
	if e.extras.clocks != nil {
		return time.Duration(e.extras.clocks[s.id].shows(e.queue.Now()))
	}
	return time.Duration(e.queue.Now())
}

// Suspects makes the node a perfect failure detector, unless the run is blind.
func (s *host) Suspects(p protocols.ID) bool {
	return s.engine.hosts[p].crashed && !s.engine.cfg.Blind
}

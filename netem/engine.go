package netem

import (
	"context"
	"fmt"
	"slices"
	"time"

	"bullring/des"
	"bullring/protocols"
)

// engine is what of a network does not depend on the type of its messages:
// time, links, seats, counters. It is kept apart from Network because the
// compiler does not inline such code into functions with type parameters, and
// it is two thirds of the work of an event.
type engine struct {
	cfg      Config
	typed    typed
	observer Observer
	tracer   Tracer

	queue  *des.Queue[item]
	links  linkTable
	clock  *des.Clock
	outbox []item // what the running handler has sent

	// careful: a run with faults beyond crashes, with impaired links, with
	// messages that do not keep it alive, or with a trace, takes the long way at
	// every step. The others do not pay for that.
	careful bool
	direct  happening // what need not take it: deliver, or nothing
	rough   rough

	// A process in the eyes of the runtime: what every message touches, and
	// the rest, which is made when it is first needed.
	seats   []seat
	timers  [][]armed
	choices []des.Stream
	drawn   []int // by the step at hand, if somebody traces
	// incarnations counts the restarts of those that restarted.
	incarnations map[protocols.ID]int

	counters Counters
	print    fingerprint
	trail    trail
	look     uint64 // the number of events at which to look at the limits
	idle     int    // events in the queue when nothing is left to happen: the time limit
	full     bool   // there was no room for a timer
	stopped  bool   // by an observer
}

// seat is what every message to or from a process touches.
type seat struct {
	engine    *engine
	id, first int32 // first is the neighbour behind port 0, itself if there is none
	sent      uint64
	depth     uint32 // the longest chain of messages that ends here
	crashed   bool
}

// typed is the part of a network that knows the type of messages. They are
// functions, and not methods behind an interface, because a closure knows its
// type parameters and a method has to be handed them.
type typed struct {
	// receive lets a process handle the message with that index.
	receive func(to, from protocols.ID, index uint32)
	// happen lets happen what is no delivery to a live process. more is the
	// index of the message that was lost, or the label of the timer. It
	// reports whether anything did.
	happen func(what happening, to, from protocols.ID, more uint32) bool

	// What follows is for careful runs. bits is the size of a message; copy
	// puts another copy of it into the slab; free gives its place back; forge
	// has f replace the identities in it, and reports whether its type opts in.
	bits  func(index uint32) int
	copy  func(index uint32) uint32
	free  func(index uint32)
	forge func(index uint32, f func(int64) int64) bool
	// record tells the tracer, if any, of the step that was taken last, and of
	// what leaves in consequence; note, of what is no step.
	record func()
	note   func(what happening, who, from protocols.ID, index uint32)
}

// armed is a timer that runs.
type armed struct {
	label protocols.Timer
	timer des.Timer
}

// happening is what an event is. The numbers are part of fingerprints: another one
// goes behind those.
type happening uint8

const (
	start happening = iota
	crash
	restart
	deliver
	lost // a message reached a crashed process
	timeout
	alarm // of the clock
	stop

	boot      // the services of a process begin
	intervene // the adversary asked to be called
	keep      // Config.Until: nothing happens, but the run goes on until then
	serve     // a link on which messages wait for a slot delivers
	damaged   // a message arrives, and is recognised as damaged
	lose      // a link loses a message
	cut       // a fault has a message lost
	release   // what the adversary has told to wait is offered again
	offer     // the next of it is
	nothing
)

// item is what is in the event queue: two words, so that an event travels in
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

func newItem(what happening, from, to protocols.ID, kind int, depth, index uint32) item {
	return item{
		who:  uint64(from)<<(addressBits+16) | uint64(to)<<16 | uint64(what)<<8 | uint64(kind),
		more: uint64(depth)<<32 | uint64(index),
	}
}

func (it item) from() protocols.ID { return protocols.ID(it.who >> (addressBits + 16)) }
func (it item) to() protocols.ID   { return protocols.ID(it.who >> 16 & addressMask) }
func (it item) what() happening    { return happening(it.who >> 8 & 0xff) }
func (it item) depth() uint32      { return uint32(it.more >> 32) }
func (it item) index() uint32      { return uint32(it.more) }
func (it item) kind() int          { return int(it.who & 0xff) }

// with is the item of another copy of the message, and but that of something
// else that happens to it.
func (it item) with(index uint32) item  { return item{it.who, it.more>>32<<32 | uint64(index)} }
func (it item) but(what happening) item { return item{it.who&^0xff00 | uint64(what)<<8, it.more} }

func (e *engine) reset(cfg *Config, kinds int) {
	n := cfg.Topology.Len()
	if n > addressMask || kinds > maxKinds {
		panic(fmt.Sprintf("netem: %d processes and %d kinds of messages; at most %d and %d", n, kinds, addressMask, maxKinds))
	}
	e.cfg, e.observer, e.tracer, e.clock = *cfg, nil, nil, nil
	e.queue.Clear()
	e.links.reset(cfg)
	e.outbox, e.look, e.idle, e.full, e.stopped = e.outbox[:0], 0, 0, false, false
	e.rough, e.careful, e.direct = rough{}, false, deliver
	if e.links.impaired() {
		e.takeCare()
	}
	e.counters = Counters{Sent: make([]uint64, kinds)}
	e.print = fingerprintStart
	e.trail.reset()
	e.seats = slices.Grow(e.seats[:0], n)[:n]
	e.timers, e.choices, e.drawn, e.incarnations = nil, nil, nil, map[protocols.ID]int{}
	for i := range e.seats {
		s := &e.seats[i]
		*s = seat{engine: e, id: int32(i), first: int32(i)}
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

// run lets events happen until the run ends.
func (e *engine) run(ctx context.Context) End {
	for {
		if e.counters.Events >= e.trail.next {
			e.trail.mark(e.print)
		}
		if e.counters.Events >= e.look {
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
			if end, over := e.other(ctx, ev.At, it); over {
				return end
			}
			continue
		}
		e.counters.Events++
		e.counters.LastMessage = ev.At
		e.print.add(ev.At, it, 0)
		s := &e.seats[it.to()]
		if s.crashed {
			e.counters.ToDead++
			e.typed.happen(lost, it.to(), it.from(), it.index())
			continue
		}
		e.counters.Delivered++
		s.depth = max(s.depth, it.depth())
		e.typed.receive(it.to(), it.from(), it.index())
		if len(e.outbox) == 1 && e.links.constant { // what leave does, without a loop
			e.queue.At(ev.At.Add(e.links.always), des.Delivery, e.outbox[0])
			e.outbox = e.outbox[:0]
		} else if len(e.outbox) > 0 {
			e.leave(ev.At, s)
		}
		if e.observer != nil {
			e.observer.Stepped(it.to())
		}
	}
}

// other lets happen what is no delivery, and in a careful run those too.
func (e *engine) other(ctx context.Context, now des.Time, it item) (end End, over bool) {
	switch it.what() {
	case stop:
		if next, ok := e.queue.Peek(); ok && next.At == now {
			e.queue.At(now, des.Probe, it) // what is due at the limit itself still happens
			return 0, false
		}
		e.idle = 0
		return e.unless(OutOfTime), true
	case alarm: // of an observer, and so no event of the run
		e.clock.Fire()
		if ctx.Err() != nil { // a ticker alone would never come to the limits
			return Interrupted, true
		}
		return 0, false
	}
	if !e.careful {
		e.planned(now, it)
		return 0, false
	}
	e.happen(now, it)
	return Quiescent, e.atRest()
}

// planned lets happen what is no delivery.
func (e *engine) planned(now des.Time, it item) {
	what, to := it.what(), it.to()
	if what == keep {
		return
	}
	e.counters.Events++
	e.print.add(now, it, uint64(it.index()))
	if !e.typed.happen(what, to, 0, it.index()) {
		return
	}
	if e.careful {
		e.depart(now, &e.seats[to], -1)
	} else {
		e.leave(now, &e.seats[to])
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
	e.strike(now, to)
}

// checkEvery is how much work, in events and messages, is done between two
// looks at the limits.
const checkEvery = 1 << 14

// limits looks at what ends a run before it is quiescent, and says when to
// look again.
func (e *engine) limits(ctx context.Context) (end End, over bool) {
	limit := e.cfg.MaxEvents
	switch {
	case ctx.Err() != nil:
		return Interrupted, true
	case e.stopped:
		return Stopped, true
	case e.full || e.cfg.MaxPending > 0 && e.queue.Len()+e.rough.room.count+len(e.rough.parked) > e.cfg.MaxPending:
		return OutOfRoom, true
	case e.atRest(): // the run has just become a careful one
		return Quiescent, true
	case limit > 0 && e.counters.Events >= limit:
		return e.unless(OutOfEvents), true
	}
	e.look = e.counters.Events + checkEvery
	if limit > 0 {
		e.look = min(e.look, limit)
	}
	return 0, false
}

// unless is how a run ends that has met a limit: it may have been quiescent
// before.
func (e *engine) unless(limit End) End {
	if e.nothingLeft() {
		return Quiescent
	}
	return limit
}

// post counts a message and puts it into the outbox.
func (e *engine) post(s *seat, to protocols.ID, kind, bits int, index uint32) {
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

// leave ends a step of a process: what it has sent is handed to its links.
func (e *engine) leave(now des.Time, s *seat) {
	if k := uint64(len(e.outbox)); k > 1 { // to send much is work too
		e.look -= min(k, e.look)
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

func (e *engine) plan(id protocols.ID, t des.Time, what happening) {
	if int(id) < 0 || int(id) >= len(e.seats) {
		panic(fmt.Sprintf("netem: address %d outside 0..%d", id, len(e.seats)-1))
	}
	e.queue.At(t, des.Fault, newItem(what, 0, id, 0, 0, 0))
}

func (s *seat) crash() {
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

// What follows is the part of protocols.Node that knows no message.

func (s *seat) ID() protocols.ID { return protocols.ID(s.id) }

func (s *seat) Degree() int { return s.engine.cfg.Topology.Degree(s.ID()) }

func (s *seat) Neighbor(port int) protocols.ID {
	if port == 0 {
		return protocols.ID(s.first)
	}
	return s.engine.cfg.Topology.Neighbor(s.ID(), port)
}

func (s *seat) SetTimer(t protocols.Timer, after time.Duration) {
	MustBeTimer(s.ID(), t, after)
	e := s.engine
	if t <= protocols.Background && !e.careful {
		e.takeCare()
		e.look = 0
	}
	at := e.expiry(s, after)
	if i := s.find(t); i >= 0 {
		timer := e.timers[s.id][i].timer
		if _, armed := e.queue.Armed(timer); !armed && t <= protocols.Background {
			e.rough.ambient++ // it had expired, and was told to wait
		}
		e.queue.Reset(timer, at)
		return
	}
	if e.queue.Timers() == des.MaxTimers {
		e.full, e.look = true, 0 // the run ends before it goes on without this timer
		return
	}
	if e.timers == nil {
		e.timers = make([][]armed, len(e.seats))
	}
	timer := e.queue.NewTimer(des.Timeout, newItem(timeout, 0, s.ID(), 0, 0, uint32(int32(t))))
	e.timers[s.id] = append(e.timers[s.id], armed{t, timer})
	e.queue.Reset(timer, at)
	if t <= protocols.Background {
		e.rough.ambient++
	}
}

// expiry is the instant in which a process's clock will have gone on by after.
func (e *engine) expiry(s *seat, after time.Duration) des.Time {
	now := e.queue.Now()
	if e.rough.clocks != nil {
		c := &e.rough.clocks[s.id]
		return max(now, c.when(c.shows(now).After(after)))
	}
	if des.Time(after) >= des.MaxTime-now {
		return des.MaxTime
	}
	return now.Add(after)
}

func (s *seat) StopTimer(t protocols.Timer) {
	if i := s.find(t); i >= 0 {
		s.engine.disarm(s.engine.timers[s.id][i])
		s.engine.timers[s.id] = slices.Delete(s.engine.timers[s.id], i, i+1)
	}
}

// disarm gives a timer back.
func (e *engine) disarm(a armed) {
	if _, pending := e.queue.Armed(a.timer); pending && a.label <= protocols.Background {
		e.rough.ambient--
	}
	e.queue.Release(a.timer)
}

func (s *seat) find(t protocols.Timer) int {
	if s.engine.timers == nil {
		return -1
	}
	return slices.IndexFunc(s.engine.timers[s.id], func(a armed) bool { return a.label == t })
}

func (s *seat) Intn(n int) int {
	e := s.engine
	if e.choices == nil {
		e.choices = make([]des.Stream, len(e.seats))
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
func (s *seat) Now() time.Duration {
	e := s.engine
	if e.rough.clocks != nil {
		return time.Duration(e.rough.clocks[s.id].shows(e.queue.Now()))
	}
	return time.Duration(e.queue.Now())
}

// Suspects makes the node a perfect failure detector, unless the run is blind.
func (s *seat) Suspects(p protocols.ID) bool {
	return s.engine.seats[p].crashed && !s.engine.cfg.Blind
}

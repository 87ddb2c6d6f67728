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
	observer Observer
	tracer   Tracer

	queue  *des.Queue[item]
	links  links
	seats  []seat
	clock  *des.Clock
	outbox []item // what the running handler has sent

	counters Counters
	print    fingerprint
	work     int // left until the limits that cost a look are looked at
	end      End // why next returned ended
}

// seat is a process in the eyes of the runtime.
type seat struct {
	engine      *engine
	id, first   protocols.ID // first is the neighbour behind port 0
	sent        uint64
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

// happening is what an event is.
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
	ended // no event: the run is over
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

func (it item) from() protocols.ID     { return protocols.ID(it.who >> (addressBits + 16)) }
func (it item) to() protocols.ID       { return protocols.ID(it.who >> 16 & addressMask) }
func (it item) what() happening        { return happening(it.who >> 8 & 0xff) }
func (it item) kind() int              { return int(it.who & 0xff) }
func (it item) depth() uint32          { return uint32(it.more >> 32) }
func (it item) index() uint32          { return uint32(it.more) }
func (it item) label() protocols.Timer { return protocols.Timer(int32(it.more)) }

func (e *engine) reset(cfg *Config, kinds int) {
	n := cfg.Topology.Len()
	if n > addressMask || kinds > maxKinds {
		panic(fmt.Sprintf("netem: %d processes and %d kinds of messages; at most %d and %d", n, kinds, addressMask, maxKinds))
	}
	e.cfg, e.observer, e.tracer, e.clock = *cfg, nil, nil, nil
	e.queue.Clear()
	e.links.reset(cfg)
	e.outbox, e.work = e.outbox[:0], 0
	e.counters = Counters{Sent: make([]uint64, kinds)}
	e.print = fingerprintStart
	e.seats = slices.Grow(e.seats[:0], n)[:n]
	choices := des.NewStream(cfg.Seed, "choice")
	for i := range e.seats {
		s := &e.seats[i]
		*s = seat{engine: e, id: protocols.ID(i), choices: choices.Sub(uint64(i)), timers: s.timers[:0]}
		if s.Degree() > 0 {
			s.first = cfg.Topology.Neighbor(s.id, 0)
		}
	}
	if cfg.MaxTime > 0 {
		e.queue.At(cfg.MaxTime, des.Probe, newItem(stop, 0, 0, 0, 0, 0))
	}
}

// next lets the next event happen as far as the engine goes, and says what it
// is and to whom; more is the index of the message, or the label of the timer.
func (e *engine) next(ctx context.Context) (what happening, to, from protocols.ID, more uint32) {
	if e.work <= 0 && !e.goesOn(ctx) {
		return ended, 0, 0, 0
	}
	ev, ok := e.queue.Next()
	if !ok {
		e.end = Quiescent
		return ended, 0, 0, 0
	}
	e.work--
	e.counters.Events++
	it := ev.Item
	what, to, from, more = it.what(), it.to(), it.from(), it.index()
	if what != deliver {
		return e.nextPlanned(ev.At, it)
	}
	e.print.add(ev.At, it, 0)
	e.counters.LastMessage = ev.At
	s := &e.seats[to]
	if s.crashed {
		e.counters.ToDead++
		return lost, to, from, more
	}
	e.counters.Delivered++
	if depth := it.depth(); depth > s.depth {
		s.depth = depth
		e.counters.CausalDepth = max(e.counters.CausalDepth, depth)
	}
	return what, to, from, more
}

// nextPlanned is next for what is no delivery.
func (e *engine) nextPlanned(now des.Time, it item) (what happening, to, from protocols.ID, more uint32) {
	if it.what() == stop {
		e.counters.Events-- // the limit is no event of the run
		e.end = OutOfTime
		if e.queue.Len() == 0 {
			e.end = Quiescent
		}
		return ended, 0, 0, 0
	}
	e.print.add(now, it, uint64(it.index()))
	return it.what(), it.to(), it.from(), it.index()
}

// checkEvery is how much work, in events and messages, is done between two
// looks at the limits that cost a look.
const checkEvery = 1 << 14

// goesOn looks at what would end the run from outside.
func (e *engine) goesOn(ctx context.Context) bool {
	e.work = checkEvery
	switch limit := e.cfg.MaxEvents; {
	case ctx.Err() != nil:
		e.end = Interrupted
		return false
	case e.cfg.MaxPending > 0 && e.queue.Len() > e.cfg.MaxPending:
		e.end = OutOfRoom
		return false
	case limit > 0 && e.counters.Events >= limit:
		e.end = OutOfEvents
		if e.queue.Len() == 0 {
			e.end = Quiescent
		}
		return false
	case limit > 0:
		e.work = int(min(checkEvery, limit-e.counters.Events))
	}
	return true
}

// post counts a message and puts it into the outbox.
func (e *engine) post(s *seat, to protocols.ID, kind, bits int, index uint32) {
	if to != s.first && to != s.id {
		s.mustReach(to)
	}
	e.counters.Sent[kind]++
	e.counters.Bits += uint64(bits)
	s.sent++
	e.outbox = append(e.outbox, newItem(deliver, s.id, to, kind, s.depth+1, index))
}

// leave ends a step of a process: what it has sent is handed to its links.
func (e *engine) leave(s *seat) {
	if len(e.outbox) == 0 {
		return
	}
	now := e.queue.Now()
	e.work -= len(e.outbox)
	if e.links.constant {
		at := now.Add(e.links.always)
		for _, it := range e.outbox {
			e.queue.At(at, des.Delivery, it)
		}
	} else {
		for _, it := range e.outbox {
			e.queue.At(e.links.arrival(now, s.id, it.to()), des.Delivery, it)
		}
	}
	e.outbox = e.outbox[:0]
}

// stepped tells the observer that a process has handled an event.
func (e *engine) stepped(id protocols.ID) {
	if e.observer != nil {
		e.observer.Stepped(id)
	}
}

// tell is stepped for an event that may be a fault.
func (e *engine) tell(what happening, id protocols.ID) {
	switch what {
	case crash:
		e.observer.Crashed(id)
	case restart:
		e.observer.Restarted(id)
	case start, timeout:
		e.observer.Stepped(id)
	}
}

func (e *engine) plan(id protocols.ID, t des.Time, what happening) {
	if int(id) < 0 || int(id) >= len(e.seats) {
		panic(fmt.Sprintf("netem: address %d outside 0..%d", id, len(e.seats)-1))
	}
	e.queue.At(t, des.Fault, newItem(what, 0, id, 0, 0, 0))
}

func (s *seat) mustReach(to protocols.ID) {
	topology := s.engine.cfg.Topology
	if _, ok := topology.Port(s.id, to); !ok {
		panic(fmt.Sprintf("netem: process %d has no link to %d on the %s", s.id, to, topology))
	}
}

func (s *seat) crash() {
	s.crashed = true
	for _, t := range s.timers {
		s.engine.queue.Release(t.timer)
	}
	s.timers = s.timers[:0]
}

// What follows is the part of protocols.Node that knows no message.

func (s *seat) ID() protocols.ID { return s.id }

func (s *seat) Degree() int { return s.engine.cfg.Topology.Degree(s.id) }

func (s *seat) Neighbor(port int) protocols.ID {
	if port == 0 {
		return s.first
	}
	return s.engine.cfg.Topology.Neighbor(s.id, port)
}

func (s *seat) SetTimer(t protocols.Timer, after time.Duration) {
	if after < 0 {
		panic(fmt.Sprintf("netem: process %d sets timer %d to %v", s.id, t, after))
	}
	q := s.engine.queue
	at := q.Now().Add(after)
	if i := s.find(t); i >= 0 {
		q.Reset(s.timers[i].timer, at)
		return
	}
	timer := q.NewTimer(des.Timeout, newItem(timeout, 0, s.id, 0, 0, uint32(int32(t))))
	s.timers = append(s.timers, armed{t, timer})
	q.Reset(timer, at)
}

func (s *seat) StopTimer(t protocols.Timer) {
	if i := s.find(t); i >= 0 {
		s.engine.queue.Release(s.timers[i].timer)
		s.timers = slices.Delete(s.timers, i, i+1)
	}
}

func (s *seat) find(t protocols.Timer) int {
	for i := range s.timers {
		if s.timers[i].label == t {
			return i
		}
	}
	return -1
}

func (s *seat) Intn(n int) int { return s.choices.Intn(n) }

// Suspects makes the node a perfect failure detector.
func (s *seat) Suspects(p protocols.ID) bool { return s.engine.seats[p].crashed }

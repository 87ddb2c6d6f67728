package netem

import (
	"bullring/des"
	"bullring/protocols"
)

// lane is the order of the messages under way in a plain run whose delays are all the same
// constant. They arrive in the order in which they were sent. So they wait in a list of their
// own, beside the event queue, which has all other events.
type lane struct {
	open  bool // messages take the lane
	delay des.Time
	last  des.Time // a message that is sent later arrives after des.MaxTime

	// Messages are numbered from 0 in the order of sending. Those before taken have arrived.
	// The others before until arrive now, before anything else happens.
	sent, taken, until uint64

	// The messages that are sent at one instant arrive at one instant: they are a round.
	// The rounds under way are rounds[first:].
	rounds []round
	first  int

	sending des.Time // the instant at which the last round is sent; -1 if there is none
}

// round is the messages that arrive at one instant.
type round struct {
	at  des.Time
	end uint64 // the number after the last message; not yet known of the last round
}

// reset opens the lane of a new run if all delays are the same.
func (l *lane) reset(constant bool, delay des.Time) {
	*l = lane{open: constant, last: des.MaxTime, rounds: l.rounds[:0], sending: -1}
	if constant {
		l.delay, l.last = delay, des.MaxTime-delay
	}
}

// begin begins the round that is sent now.
func (l *lane) begin(now des.Time) {
	if k := len(l.rounds); k > 0 {
		l.rounds[k-1].end = l.sent
	}
	if l.first > len(l.rounds)/2 {
		l.rounds = l.rounds[:copy(l.rounds, l.rounds[l.first:])]
		l.first = 0
	}
	l.rounds = append(l.rounds, round{at: now + l.delay})
	l.sending = now
}

// next is the round that arrives next. Only if there are messages in the lane.
func (l *lane) next() round {
	for ; ; l.first++ {
		r := l.rounds[l.first]
		if l.first == len(l.rounds)-1 {
			r.end = l.sent
		}
		if r.end > l.taken {
			return r
		}
	}
}

// takeLane reports whether the next message of the lane comes before all events of the queue. If
// so, those up to lane.until arrive now. Only if there are messages in the lane.
func (e *engine) takeLane() bool {
	l := &e.lane
	r := l.next()
	if ev, ok := e.queue.Peek(); ok && (ev.At < r.at || ev.At == r.at && ev.Class() < des.Delivery) {
		return false
	}
	if r.at > l.last {
		e.closeLane()
		return false
	}
	e.now, e.counters.LastMessage = r.at, r.at
	e.queue.Advance(r.at)
	l.until = min(r.end, l.taken+e.pause-e.counters.Events)
	return true
}

// closeLane moves the messages in the lane to the event queue, where later ones wait, too.
func (e *engine) closeLane() {
	e.lane.open, e.lane.last, e.lane.sending = false, des.MaxTime, -1
	e.links.makeRoom()
	e.typed.land()
}

// flights has the messages in the lane, in pieces that are used again.
type flights[M any] struct {
	first, last, free *stretch[M]
	made              int // stretches, the last time
}

// stretch is a piece of the lane.
type stretch[M any] struct {
	next    *stretch[M]
	flights [stretchLen]flight[M]
}

const stretchLen = 64

// flight is a message in the lane.
type flight[M any] struct {
	who     uint64 // as in an item
	depth   uint32
	message M
}

// put is the place of the message that is sent with this number.
func (f *flights[M]) put(number uint64) *flight[M] {
	if number%stretchLen == 0 {
		f.extend()
	}
	return &f.last.flights[number%stretchLen]
}

// extend adds a free stretch. If there is none it makes some: first one, later many at a time,
// since the runtime rounds up the size of each piece of memory.
//
//go:noinline
func (f *flights[M]) extend() {
	if f.free == nil {
		const most = 256
		f.made = min(max(2*f.made, 1), most)
		made := make([]stretch[M], f.made)
		for i := range made {
			made[i].next, f.free = f.free, &made[i]
		}
	}
	s := f.free
	f.free, s.next = s.next, nil
	if f.first == nil {
		f.first = s
	} else {
		f.last.next = s
	}
	f.last = s
}

// take is the message with this number, the first in the lane. It stays in its place until the
// next call of put.
func (f *flights[M]) take(number uint64) *flight[M] {
	s := f.first
	if number%stretchLen == stretchLen-1 {
		f.retire()
	}
	return &s.flights[number%stretchLen]
}

// retire makes the first stretch a free one.
func (f *flights[M]) retire() {
	s := f.first
	f.first, s.next, f.free = s.next, f.free, s
}

// trim gives back the memory of the free stretches if they are many. They are allocated many
// at a time, and a stretch in use keeps all that were allocated with it. So none of them may
// point to others, which it would keep, too.
func (f *flights[M]) trim() {
	const many = 1 << 10
	s := f.free
	for i := 0; s != nil && i < many; i++ {
		s = s.next
	}
	for s != nil && f.free != nil {
		f.free, f.free.next = f.free.next, nil
	}
}

// clear removes all messages. It keeps the memory.
func (f *flights[M]) clear() {
	for f.first != nil {
		f.retire()
	}
}

// UnderWay is the number of messages of a kind that will arrive at a process that is alive now. It
// looks at all events that wait.
func (w *Network[M]) UnderWay(kind int) int {
	l, s, count := &w.engine.lane, w.flights.first, w.engine.underWay(kind)
	for number := l.taken; number < l.sent; number++ {
		if w.engine.isUnderWay(item{who: s.flights[number%stretchLen].who}, kind) {
			count++
		}
		if number%stretchLen == stretchLen-1 {
			s = s.next
		}
	}
	return count
}

// Foreteller is a process that takes time outside of this program, and can begin with a message before it
// is its turn. In a plain run whose delays are all the same constant it is told, at an instant, what it is about
// to receive: [protocols.Process].Receive follows with the same messages in the same order, unless the run ends or
// a fault is planned at this instant. A message may be foretold more than once.
type Foreteller[M protocols.Message] interface {
	Foretell(from protocols.ID, m M)
}

// foretell foretells the messages that arrive now.
func (w *Network[M]) foretell() {
	if _, wants := w.seats[0].process.(Foreteller[M]); !wants {
		return
	}
	l, s := &w.engine.lane, w.flights.first
	for number := l.taken; number < l.until; number++ {
		f := &s.flights[number%stretchLen]
		if to := protocols.ID(f.who >> 16 & addressMask); !w.engine.isDown(to) {
			if p, wants := w.seats[to].process.(Foreteller[M]); wants {
				p.Foretell(protocols.ID(f.who>>(addressBits+16)), f.message)
			}
		}
		if number%stretchLen == stretchLen-1 {
			s = s.next
		}
	}
}

// land moves the messages in the lane to the event queue.
func (w *Network[M]) land() {
	l := &w.engine.lane
	for l.taken < l.sent {
		for r := l.next(); l.taken < r.end; l.taken++ {
			f := w.flights.take(l.taken)
			w.engine.queue.At(r.at, des.Delivery, item{f.who, uint64(f.depth)<<32 | uint64(w.put(f.message))})
		}
	}
	l.until = l.taken
}

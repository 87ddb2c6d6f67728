package netem

import (
	"slices"
	"time"

	"bullring/des"
	"bullring/netem/medium"
	"bullring/protocols"
)

// air is the state of a radio medium that processes share. A transmission occupies the transmitter of its
// sender, which sends one after another, and the receiver of each neighbour from the delay of its link on, for
// as long as the transmission lasts. A message is lost if another signal reaches its receiver meanwhile, or if
// its receiver sends meanwhile. Intervals that touch do not overlap.
type air struct {
	engine  *engine
	radio   *medium.Radio
	busy    []des.Time // by process: when its transmitter is free
	signals [][]signal // by process: what reaches its receiver, and what it sends
	present signal     // the transmission of the step at hand, at its sender
	met     Met        // of the message that collides now
}

// signal is a transmission where a process hears it, or at its sender.
type signal struct {
	from       protocols.ID
	begin, end des.Time
	number     uint64 // of the message, in a run with a tracer
}

// Met tells with what a message collided.
type Met struct {
	From   protocols.ID // the other sender; the receiver itself if it was sending
	At     des.Time     // the first instant at which both were in the air
	Number uint64       // of the other message
}

func newAir(e *engine) *air {
	n := e.cfg.Topology.Len()
	return &air{engine: e, radio: e.cfg.Medium, busy: make([]des.Time, n), signals: make([][]signal, n)}
}

// transmit sends a message to its receiver, where copies of it are then heard; a fault may have lost it. A
// message of a broadcast is a part of the transmission to the first neighbour.
func (a *air) transmit(now des.Time, s *host, copies int, delay time.Duration, it item) {
	e := a.engine
	near, alone := e.present.of(it.from()), it.what() == deliver
	if alone || it.to() == near[0] {
		a.begin(now, it)
	}
	var end des.Time
	for _, q := range near {
		switch {
		case q == it.to():
			var overtakes bool
			if end, overtakes = a.reach(s, q, delay); overtakes {
				e.counters.Reordered++
			}
		case alone:
			a.reach(s, q, 0)
		}
	}
	it = it.as(heard)
	if copies == 0 {
		e.drop(cut, it)
		return
	}
	for i := range copies {
		one := it
		if i+1 < copies {
			e.counters.Duplicated++
			one = it.with(e.typed.copy(it.index()))
		}
		if e.moving != nil {
			e.moving.bear(one)
		}
		e.schedule(end, one)
	}
}

// begin lets the sender of a message transmit it, as soon as its transmitter is free.
func (a *air) begin(now des.Time, it item) {
	e, from := a.engine, it.from()
	size := e.typed.bits(it.index())
	begin := max(now, a.busy[from])
	a.busy[from] = begin.After(a.radio.Airtime(size))
	a.present = signal{from, begin, a.busy[from], e.typed.number(it.index())}
	a.put(from, a.present)
	e.counters.BitsAired += uint64(size)
	for _, q := range e.present.of(from) {
		if !e.isDown(q) {
			e.counters.BitsHeard += uint64(size)
		}
	}
}

// reach lets the transmission at hand reach a process, with an extra delay. Signals of a link that keeps the
// order do not overlap. It returns the instant at which the process has heard all of it, and whether that is before
// an earlier signal of the link.
func (a *air) reach(s *host, to protocols.ID, extra time.Duration) (end des.Time, overtakes bool) {
	e, sent := a.engine, a.present
	k := e.links.lineLinkOf(s, to)
	begin := e.links.drawArrival(sent.begin, k.link, extra)
	if e.links.fifo {
		begin = max(begin, k.last)
	}
	end = begin.After(sent.end.Sub(sent.begin))
	_, overtakes = e.links.arrival(end, false, k.link)
	a.put(to, signal{sent.from, begin, end, sent.number})
	return end, overtakes
}

// put adds a signal to those of a process. It first forgets those that no reception can overlap any more, if
// there is no room.
func (a *air) put(id protocols.ID, one signal) {
	all := a.signals[id]
	if len(all) == cap(all) {
		now := a.engine.now
		oldest := now
		for _, s := range all {
			if s.end >= now { // its end is perhaps yet to be handled
				oldest = min(oldest, s.begin)
			}
		}
		all = slices.DeleteFunc(all, func(s signal) bool { return s.end < now && s.end <= oldest })
	}
	a.signals[id] = append(all, one)
}

// hear ends the reception of a message, which its receiver then gets or which is lost.
func (a *air) hear(now des.Time, it item) {
	e := a.engine
	gone := e.isDown(it.to()) || e.moving != nil && e.moving.outlives(it)
	if gone || !a.collides(now, it) {
		e.arrive(now, it.as(deliver))
		return
	}
	e.leftQueue(it)
	e.counters.Events++
	e.counters.Collided++
	e.fingerprint.add(now, it.as(collide), 0)
	e.typed.note(collide, it.to(), it.from(), it.index())
	e.typed.free(it.index())
}

// collides reports whether a message whose reception ends now has met another signal. It notes the first one.
func (a *air) collides(now des.Time, it item) bool {
	all := a.signals[it.to()]
	own := slices.IndexFunc(all, func(s signal) bool { return s.from == it.from() && s.end == now })
	found := false
	for i, s := range all {
		if i == own || s.begin >= all[own].end || all[own].begin >= s.end {
			continue
		}
		if at := max(s.begin, all[own].begin); !found || at < a.met.At {
			a.met, found = Met{s.from, at, s.number}, true
		}
	}
	return found
}

// silence ends the signals from one process at another one, because their link goes down.
func (a *air) silence(from, to protocols.ID) {
	now := a.engine.now
	all := slices.DeleteFunc(a.signals[to], func(s signal) bool { return s.from == from && s.begin >= now })
	for i := range all {
		if all[i].from == from {
			all[i].end = min(all[i].end, now)
		}
	}
	a.signals[to] = all
}

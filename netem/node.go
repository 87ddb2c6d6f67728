package netem

import (
	"slices"
	"time"

	"bullring/des"
	"bullring/protocols"
)

// node is the view that a process has of the network. There is one in a network, at the seat
// of the process that acts.
type node[M protocols.Message] struct {
	*seat[M]
	net *Network[M]
}

// seat is a process and what the network knows of it.
type seat[M protocols.Message] struct {
	process protocols.Process[M]
	host
}

// host is the part of a seat that is independent of the message type. A network may have
// millions: each byte counts.
type host struct {
	id, first int32  // first is the neighbour behind port 0, itself if there is none
	depth     uint32 // the longest causal chain of messages that ends here
	sent      uint32 // messages, modulo 2^32: see engine.carries
}

func newHost(id protocols.ID, t Topology) host {
	first := id
	if t.Degree(id) > 0 {
		first = t.Neighbor(id, 0)
	}
	return host{id: int32(id), first: int32(first)}
}

func (s *host) ID() protocols.ID { return protocols.ID(s.id) }

// Send implements protocols.Node, with the methods that follow. This is the way of each message,
// so what the compiler would not inline here is written out.
func (nd *node[M]) Send(to protocols.ID, m M) {
	w, s := nd.net, nd.seat
	e := &w.engine
	if to != protocols.ID(s.first) {
		MustReach(e.cfg.Topology, s.ID(), to)
	}
	kind := m.Kind()
	if sent := e.counters.Sent; uint(kind) < uint(len(sent)) {
		sent[kind]++
	} else {
		MustBeKind(s.ID(), kind, len(sent))
	}
	e.counters.Bits += uint64(m.Bits())
	if s.sent++; s.sent == 0 {
		e.carry(s.ID(), 1)
	}
	e.sends++
	l := &e.lane
	if l.sending != e.now {
		if !l.open {
			e.post(&s.host, to, kind, w.put(m))
			return
		}
		l.begin(e.now)
	}
	f := w.flights.put(l.sent)
	l.sent++
	f.who = uint64(s.id)<<(addressBits+16) | uint64(to)<<16 | uint64(deliver)<<8 | uint64(kind)
	f.depth, f.message = s.depth+1, m
}

// Broadcast implements protocols.Broadcaster.
func (nd *node[M]) Broadcast(m M) {
	w, s := nd.net, nd.seat
	e, kind := &w.engine, m.Kind()
	MustBeKind(s.ID(), kind, len(e.counters.Sent))
	e.counters.Sent[kind]++
	e.counters.Bits += uint64(m.Bits())
	if s.sent++; s.sent == 0 {
		e.carry(s.ID(), 1)
	}
	if e.careful {
		e.broadcasts = true
		e.outbox = append(e.outbox, newItem(broadcast, s.ID(), s.ID(), kind, s.depth+1, w.put(m)))
		return
	}
	to := e.present.of(s.ID())
	e.sends += uint64(len(to))
	e.counters.Spread(len(to))
	for _, q := range to {
		nd.hand(q, kind, m)
	}
}

// hand puts a message of a plain run on its way, as Send does.
func (nd *node[M]) hand(to protocols.ID, kind int, m M) {
	w, s := nd.net, nd.seat
	e, l := &w.engine, &w.engine.lane
	if !l.open {
		e.post(&s.host, to, kind, w.put(m))
		return
	}
	if l.sending != e.now {
		l.begin(e.now)
	}
	f := w.flights.put(l.sent)
	l.sent++
	f.who, f.depth, f.message = newItem(deliver, s.ID(), to, kind, 0, 0).who, s.depth+1, m
}

// Neighbors implements protocols.Near.
func (nd *node[M]) Neighbors() []protocols.ID { return nd.net.engine.present.of(nd.ID()) }

func (nd *node[M]) Degree() int { return nd.net.engine.cfg.Topology.Degree(protocols.ID(nd.id)) }

func (nd *node[M]) Neighbor(port int) protocols.ID {
	if port == 0 {
		return protocols.ID(nd.first)
	}
	return nd.behind(port)
}

// behind is Neighbor for the other ports. A call to it is short enough for Neighbor to be inlined.
//
//go:noinline
func (nd *node[M]) behind(port int) protocols.ID {
	return nd.net.engine.cfg.Topology.Neighbor(nd.ID(), port)
}

func (nd *node[M]) SetTimer(t protocols.Timer, after time.Duration) {
	nd.net.engine.setTimer(&nd.host, t, after)
}

func (nd *node[M]) StopTimer(t protocols.Timer) { nd.net.engine.stopTimer(&nd.host, t) }

func (nd *node[M]) Intn(n int) int { return nd.net.engine.intn(&nd.host, n) }

func (nd *node[M]) Now() time.Duration {
	if nd.net.engine.cfg.Clockless {
		panic(protocols.ReadsClock(nd.ID()))
	}
	nd.net.engine.loop.reads++
	now := nd.net.engine.reading(&nd.host)
	if r := nd.net.step; r != nil {
		r.Reads = append(r.Reads, now)
	}
	return now
}

// Suspects is a perfect failure detector, unless the run is blind.
func (nd *node[M]) Suspects(p protocols.ID) bool {
	yes := nd.net.engine.isDown(p) && !nd.net.engine.cfg.Blind
	if r := nd.net.step; r != nil {
		r.Suspected = append(r.Suspected, Suspicion{p, yes})
	}
	return yes
}

// armed is a timer of a process.
type armed struct {
	label protocols.Timer
	timer des.Timer
}

// carry notes that the count of messages that a process sent went past 2^32, up or down.
func (e *engine) carry(id protocols.ID, by int) {
	if e.carries == nil {
		e.carries = map[protocols.ID]int{}
	}
	e.carries[id] += by
}

// isDown reports whether a process has crashed.
func (e *engine) isDown(id protocols.ID) bool { return int(id) < len(e.down) && e.down[id] }

func (e *engine) crash(s *host) {
	if e.down == nil {
		e.down = make([]bool, e.cfg.Topology.Len())
	}
	e.down[s.id] = true
	if e.timers == nil {
		return
	}
	for _, t := range e.timers[s.id] {
		e.disarm(t)
	}
	e.timers[s.id] = e.timers[s.id][:0]
}

func (e *engine) setTimer(s *host, t protocols.Timer, after time.Duration) {
	MustBeTimer(s.ID(), t, after)
	if t <= protocols.Background && !e.careful {
		e.checkNow() // the run becomes a careful one
	}
	at := e.expiry(s, after)
	if e.cfg.Late != nil {
		at = at.After(e.cfg.Late.Sample(e.lateness.Uint64()))
	}
	if i := e.find(s, t); i >= 0 {
		timer := e.timers[s.id][i].timer
		if _, armed := e.queue.Armed(timer); !armed && t <= protocols.Background {
			e.extras.ambient++ // it had expired, and the adversary held it
		}
		e.queue.Reset(timer, at)
		return
	}
	if e.queue.Timers() == des.MaxTimers {
		e.outOfTimers = true
		e.checkNow() // the run ends here, and not without this timer
		return
	}
	if e.timers == nil {
		e.timers = make([][]armed, e.cfg.Topology.Len())
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
	now := e.now
	if e.extras.clocks != nil {
		c := &e.extras.clocks[s.id]
		return max(now, c.When(c.Shows(now).After(after)))
	}
	if des.Time(after) >= des.MaxTime-now {
		return des.MaxTime
	}
	return now.Add(after)
}

func (e *engine) stopTimer(s *host, t protocols.Timer) {
	if i := e.find(s, t); i >= 0 {
		e.disarm(e.timers[s.id][i])
		e.timers[s.id] = slices.Delete(e.timers[s.id], i, i+1)
	}
}

// disarm releases a timer.
func (e *engine) disarm(a armed) {
	if _, pending := e.queue.Armed(a.timer); pending && a.label <= protocols.Background {
		e.extras.ambient--
	}
	e.queue.Release(a.timer)
}

// find is the index of a timer of a process, -1 if it is not set.
func (e *engine) find(s *host, t protocols.Timer) int {
	if e.timers == nil {
		return -1
	}
	return slices.IndexFunc(e.timers[s.id], func(a armed) bool { return a.label == t })
}

func (e *engine) intn(s *host, n int) int {
	if e.choices == nil {
		e.choices = make([]des.Stream, e.cfg.Topology.Len())
		parent := e.forks.stream(e.cfg.Seed, "choice")
		for i := range e.choices {
			e.choices[i] = parent.Sub(uint64(i))
		}
	}
	e.counters.Draws++
	c := e.choices[s.id].Intn(n)
	if e.careful {
		c = e.chosen(s, n, c)
	}
	return c
}

// chosen is the result of a random choice in a careful run. drawn is the one that chance has made.
func (e *engine) chosen(s *host, n, drawn int) int {
	if e.extras.altered != nil {
		drawn = e.extras.altered.coin(s.ID(), n, drawn)
	}
	if e.tracer != nil {
		e.drawn = append(e.drawn, drawn)
	}
	return drawn
}

// reading is the time that the clock of a process shows.
func (e *engine) reading(s *host) time.Duration {
	if e.extras.clocks != nil {
		return time.Duration(e.extras.clocks[s.id].Shows(e.now))
	}
	return time.Duration(e.now)
}

// adjust changes the clock of a process, and moves its timers to the instants at which the clock
// shows their times.
func (e *engine) adjust(s *host, step time.Duration, drift int64) {
	now := e.now
	if e.extras.clocks == nil {
		e.extras.clocks = make([]Clock, e.cfg.Topology.Len())
	}
	c := &e.extras.clocks[s.id]
	old := *c
	*c = old.Adjusted(now, step, drift)
	if e.timers == nil {
		return
	}
	for _, t := range e.timers[s.id] {
		if at, pending := e.queue.Armed(t.timer); pending {
			e.queue.Reset(t.timer, max(now, c.When(old.Shows(at))))
		}
	}
}

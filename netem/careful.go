package netem

import (
	"cmp"
	"slices"
	"time"

	"bullring/des"
	"bullring/netem/impair"
	"bullring/protocols"
)

// rough is the state of what only careful runs have.
type rough struct {
	adversary  Adversary
	pending    []intervention // by event, those of one event in the order of asking
	room       waitingRoom    // what waits for a release
	doomed     bool           // the step at hand ends with a crash
	clocks     []clock        // by process; nil as long as all are right
	background []bool         // by kind, nil if no message is so
	service    []bool         // by kind, nil if no message is a transformer's
	ambient    int            // events in the queue that do not keep the run alive
	waiting    int            // messages in the queues of links that do
	parked     map[uint32]parked
}

// intervention is a call for which the adversary asked.
type intervention struct {
	event uint64
	token uint32
}

// parked is a message in the queue of a link, and how many copies of it are.
type parked struct {
	item   item
	copies int
}

// oppose gives the run an adversary.
func (e *engine) oppose(a Adversary) {
	e.rough.adversary = a
	e.takeCare()
}

// takeCare makes the run a careful one. Its links have a state each, even if they
// all delay by the same.
func (e *engine) takeCare() {
	e.careful, e.direct = true, nothing
	if e.links.constant {
		e.links.constant = false
		e.links.makeRoom()
	}
}

// tellApart says which kinds of messages do not keep a run alive, and which are a
// transformer's; nil for none. A run with such messages is a careful one.
func (e *engine) tellApart(background, service []bool) {
	e.rough.background, e.rough.service = background, service
	if background != nil || service != nil {
		e.takeCare()
	}
}

func (e *engine) interveneAfter(events uint64, token uint32) {
	i, _ := slices.BinarySearchFunc(e.rough.pending, events, func(p intervention, events uint64) int {
		return cmp.Or(cmp.Compare(p.event, events), -1) // behind those of the same event
	})
	e.rough.pending = slices.Insert(e.rough.pending, i, intervention{events, token})
}

// happen lets an event of a careful run happen.
func (e *engine) happen(now des.Time, it item) {
	switch it.what() {
	case deliver:
		e.arrive(now, it)
	case timeout:
		e.expire(now, it)
	case damaged:
		e.settled(it)
		e.counters.Events++
		e.counters.Corrupted++
		e.print.add(now, it, 0)
		e.typed.note(damaged, it.to(), it.from(), it.index())
		e.typed.free(it.index())
	case serve:
		e.rough.ambient--
		e.serve(now, it)
	case intervene:
		e.counters.Events++
		e.print.add(now, it, uint64(it.index()))
		e.rough.adversary.Due(it.index())
	case release:
		e.rough.room.releases--
		e.counters.Events++
		e.print.add(now, it, 0)
		e.pass()
		e.release(now)
	case offer:
		e.offer(now)
	default:
		e.planned(now, it)
	}
	for len(e.rough.pending) > 0 && e.rough.pending[0].event <= e.counters.Events {
		e.queue.At(now, des.Fault, newItem(intervene, 0, 0, 0, 0, e.rough.pending[0].token))
		e.rough.pending = e.rough.pending[1:]
	}
}

// atRest reports whether nothing is left but what does not keep a run alive. If
// nothing is left at all, the queue tells.
func (e *engine) atRest() bool {
	return e.rough.ambient+e.rough.room.releases > 0 && e.nothingLeft()
}

// nothingLeft is the same where the queue may be empty. A release is something if
// there is something to be released.
func (e *engine) nothingLeft() bool {
	r := &e.rough
	if r.waiting > 0 || r.room.releases > 0 && r.room.alive > 0 {
		return false
	}
	return e.queue.Len() == e.idle+r.ambient+r.room.releases
}

// schedule puts a message into the queue that arrives at t.
func (e *engine) schedule(t des.Time, it item) {
	if e.isBackground(it) {
		e.rough.ambient++
	}
	e.queue.At(t, des.Delivery, it)
}

// settled tells that a message has left the queue.
func (e *engine) settled(it item) {
	if e.isBackground(it) {
		e.rough.ambient--
	}
}

func (e *engine) isBackground(it item) bool {
	return e.rough.background != nil && e.rough.background[it.kind()]
}

// arrive hands a message to its receiver, or has it wait.
func (e *engine) arrive(now des.Time, it item) {
	e.settled(it)
	if !e.admit(now, it) {
		e.hold(it)
	}
}

// admit hands a message to its receiver, unless a fault prevents it. It reports
// false if the message has to wait for a release.
func (e *engine) admit(now des.Time, it item) bool {
	s := &e.seats[it.to()]
	if a := e.rough.adversary; a != nil && !s.crashed {
		switch wait, gone := a.Arrives(it.to(), it.from(), it.kind()); {
		case gone:
			e.counters.Events++
			e.print.add(now, newItem(cut, it.from(), it.to(), it.kind(), 0, 0), 0)
			e.drop(cut, it)
			return true
		case wait < 0:
			return false
		case wait > 0:
			e.schedule(now.Add(wait), it)
			return true
		}
	}
	e.counters.Events++
	service := e.rough.service != nil && e.rough.service[it.kind()]
	if !service {
		e.counters.LastMessage = now
	}
	e.print.add(now, it, 0)
	if s.crashed {
		e.counters.ToDead++
		e.typed.happen(lost, it.to(), it.from(), it.index())
		e.typed.record()
		return true
	}
	e.counters.Delivered++
	if service {
		e.counters.Service++
	}
	s.depth = max(s.depth, it.depth())
	e.typed.receive(it.to(), it.from(), it.index())
	e.depart(now, s, it.kind())
	if e.observer != nil {
		e.observer.Stepped(it.to())
	}
	e.strike(now, it.to())
	return true
}

// expire lets a timer expire, unless its process does not notice. The label of a
// timer that was made to wait stays its own until then.
func (e *engine) expire(now des.Time, it item) {
	background := protocols.Timer(int32(it.index())) <= protocols.Background
	if background {
		e.rough.ambient--
	}
	if a := e.rough.adversary; a != nil {
		switch wait := a.Expires(it.to()); {
		case wait < 0:
			e.hold(it)
			return
		case wait > 0:
			e.rearm(now.Add(wait), it)
			return
		}
	}
	e.planned(now, it)
}

// rearm lets a timer that has expired expire again.
func (e *engine) rearm(t des.Time, it item) {
	if !e.waits(it) {
		return
	}
	s := &e.seats[it.to()]
	label := protocols.Timer(int32(it.index()))
	if label <= protocols.Background {
		e.rough.ambient++
	}
	e.queue.Reset(e.timers[s.id][s.find(label)].timer, t)
}

// depart ends a step of a careful run: of what the process has sent, it hands to
// the links what leaves before the process crashes, if it does. handled is the
// kind of the message that the step handled, or -1.
func (e *engine) depart(now des.Time, s *seat, handled int) {
	if a := e.rough.adversary; a != nil {
		a.Steps(s.ID(), handled)
		for i, it := range e.outbox {
			leaves, crashes := a.Leaves(it.from(), it.to(), it.kind())
			if crashes {
				if leaves {
					i++
				}
				e.unsend(s, i)
				e.rough.doomed = true
				break
			}
		}
	}
	e.typed.record()
	if k := uint64(len(e.outbox)); k > 1 {
		e.look -= min(k, e.look)
	}
	for _, it := range e.outbox {
		e.hand(now, it)
	}
	e.outbox = e.outbox[:0]
}

// unsend takes back what was sent from the i-th message on.
func (e *engine) unsend(s *seat, i int) {
	for _, it := range e.outbox[i:] {
		e.counters.Sent[it.kind()]--
		e.counters.Bits -= uint64(e.typed.bits(it.index()))
		s.sent--
		e.typed.free(it.index())
	}
	e.outbox = e.outbox[:i]
}

// strike has a process crash whose step ended so.
func (e *engine) strike(now des.Time, id protocols.ID) {
	if !e.rough.doomed {
		return
	}
	e.rough.doomed = false
	e.pass()
	it := newItem(crash, 0, id, 0, 0, 0)
	e.counters.Events++
	e.print.add(now, it, 0)
	if e.typed.happen(crash, id, 0, 0) {
		e.typed.record()
		if e.observer != nil {
			e.observer.Crashed(id)
		}
	}
}

// hand gives a message to its link.
func (e *engine) hand(now des.Time, it item) {
	copies, delay := 1, time.Duration(0)
	if a := e.rough.adversary; a != nil {
		var forge func(int64) int64
		copies, delay, forge = a.Sent(it.from(), it.to(), it.kind())
		if forge != nil {
			e.typed.forge(it.index(), forge)
		}
	}
	if copies == 0 {
		e.drop(cut, it)
		return
	}
	for range copies - 1 {
		e.counters.Duplicated++
		e.forward(now, delay, it.with(e.typed.copy(it.index())))
	}
	e.forward(now, delay, it)
}

// drop has a message lost by its link or by a fault.
func (e *engine) drop(why happening, it item) {
	if why == cut {
		e.counters.Cut++
	} else {
		e.counters.Lost++
	}
	e.typed.note(why, it.to(), it.from(), it.index())
	e.typed.free(it.index())
}

// forward sends a message over its link.
func (e *engine) forward(now des.Time, delay time.Duration, it item) {
	k := e.links.of(&e.seats[it.from()], it.to())
	channel := e.channel(now, k, it)
	latest := e.links.latest(now)
	if channel == nil {
		e.onTheWay(min(e.links.drawn(now, k, delay), latest), false, k, it)
		return
	}
	fate := channel.Offer(now, delay, e.typed.bits(it.index()), it.index())
	if fate.Duplicated {
		e.counters.Duplicated++
	}
	switch {
	case fate.Queued > 0:
		e.counters.Lost += uint64(fate.Lost)
		e.park(now, k, it, fate.Queued)
		return
	case fate.N > 0:
		e.counters.Lost += uint64(fate.Lost)
	case e.links.stable(now): // what is lost before the network is stable is lost
		e.counters.Lost += uint64(fate.Lost - 1)
		e.onTheWay(latest, false, k, it)
		return
	default:
		e.counters.Lost += uint64(fate.Lost - 1)
		e.drop(lose, it)
		return
	}
	for i := range fate.N {
		copied := it
		if i+1 < fate.N {
			copied = it.with(e.typed.copy(it.index()))
		}
		e.carry(fate.Copies[i], latest, k, copied)
	}
}

// carry has a copy of a message arrive, damaged or not.
func (e *engine) carry(c impair.Copy, latest des.Time, k *link, it item) {
	if c.Corrupt != 0 {
		bit := int64(1) << (c.Corrupt % 63)
		if k.channel.Line().Alters() && e.typed.forge(it.index(), func(v int64) int64 { return v ^ bit }) {
			e.counters.Altered++
		} else {
			it = it.but(damaged)
		}
	}
	early := c.Overtook && k.channel.Line().Reorders()
	e.onTheWay(min(c.At, latest), early, k, it)
}

// onTheWay has a message arrive at t. On a link that keeps the order it waits for
// those before it, unless it is early; else it is counted if it overtakes one.
func (e *engine) onTheWay(t des.Time, early bool, k *link, it item) {
	if t < k.last {
		if e.links.fifo && !early {
			t = k.last
		} else {
			e.counters.Reordered++
		}
	}
	k.last = max(k.last, t)
	e.schedule(t, it)
}

// channel is what the link does to messages, nil if it only delays them as the
// network does. Where a fault has changed the line, messages that wait in the
// queue of the old one go over to the new.
func (e *engine) channel(now des.Time, k *link, it item) *impair.Channel {
	if len(e.links.lines) == 0 {
		return nil
	}
	if k.lined == nil {
		k.lined = &lined{}
	}
	old := k.channel
	if !e.links.refresh(now, k, it.from(), it.to()) || old == nil || !old.Slotted() {
		return k.channel
	}
	for _, token := range old.Clear() {
		p := e.unpark(token)
		for i := range p.copies {
			waiting := p.item
			if i+1 < p.copies {
				waiting = waiting.with(e.typed.copy(token))
			}
			e.forward(now, 0, waiting)
		}
	}
	return k.channel
}

// park notes that copies of a message wait in the queue of a link.
func (e *engine) park(now des.Time, k *link, it item, copies int) {
	if e.rough.parked == nil {
		e.rough.parked = map[uint32]parked{}
	}
	e.rough.parked[it.index()] = parked{it, copies}
	if !e.isBackground(it) {
		e.rough.waiting++
	}
	e.awaitService(now, k, it)
}

func (e *engine) unpark(index uint32) parked {
	p := e.rough.parked[index]
	delete(e.rough.parked, index)
	if !e.isBackground(p.item) {
		e.rough.waiting--
	}
	return p
}

// serve delivers what is due on a link on which messages wait.
func (e *engine) serve(now des.Time, it item) {
	k := e.links.of(&e.seats[it.from()], it.to())
	if now == k.service {
		k.service = 0
	}
	if k.channel == nil || !k.channel.Slotted() {
		return
	}
	for {
		token, c, ok := k.channel.Serve(now)
		if !ok {
			break
		}
		p := e.rough.parked[token]
		delivered := p.item
		if p.copies > 1 {
			p.copies--
			e.rough.parked[token] = p
			delivered = delivered.with(e.typed.copy(token))
		} else {
			e.unpark(token)
		}
		e.carry(c, des.MaxTime, k, delivered)
	}
	e.awaitService(now, k, it)
}

// awaitService has the link be served when it next has something to deliver,
// unless it is served before then: it asks again every time.
func (e *engine) awaitService(now des.Time, k *link, it item) {
	t, ok := k.channel.Next()
	if t = max(t, now); ok && (k.service == 0 || t < k.service) {
		k.service = t
		e.rough.ambient++ // the messages keep the run alive, not the service
		e.queue.At(t, des.Delivery, it.but(serve))
	}
}

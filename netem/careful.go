package netem

import (
	"cmp"
	"slices"
	"time"

	"bullring/des"
	"bullring/netem/impair"
	"bullring/protocols"
)

// extras is the state that only careful runs have.
type extras struct {
	adversary  Adversary
	altered    *altered       // nil without an alteration
	pending    []intervention // by event; those of one event in the order of asking
	room       waitingRoom    // the items that the adversary holds
	doomed     bool           // the present step ends with a crash
	left       int            // messages that left in it, with a broadcast; else 0
	clocks     []Clock        // by process; nil as long as all are right
	background []bool         // by kind: messages that do not keep the run alive; nil for none
	service    []bool         // by kind: messages of a transformer; nil for none
	ambient    int            // events in the queue that do not keep the run alive
	waiting    int            // messages in the queues of links that keep it alive
	parked     map[uint32]parked
}

// intervention is a call of Due for which the adversary asked.
type intervention struct {
	event uint64
	token uint32
}

// parked is a message in the queue of a link, and the number of its copies there.
type parked struct {
	item   item
	copies int
}

// oppose gives the run an adversary.
func (e *engine) oppose(a Adversary) {
	e.extras.adversary = a
	e.makeCareful()
}

// makeCareful makes the run a careful one. Each of its links has a state, even if all delays
// are constant.
func (e *engine) makeCareful() {
	if e.careful {
		return
	}
	e.careful, e.fast = true, nothing
	e.hosts = e.typed.hosts(e.hosts[:0])
	if e.lane.open {
		e.closeLane()
	}
}

// move makes the run one whose links may come and go.
func (e *engine) move() *moving {
	if e.moving == nil {
		e.moving = &moving{engine: e, life: map[Link]uint32{}}
		e.makeCareful()
	}
	return e.moving
}

// share makes the run one whose processes share the medium of the configuration.
func (e *engine) share() {
	e.air = newAir(e)
	e.makeCareful()
}

// setKinds sets which kinds of messages do not keep a run alive, and which are a transformer's;
// nil for none. A run with such messages, or with slots, is a careful one.
func (e *engine) setKinds(background, service []bool) {
	e.extras.background, e.extras.service = background, service
	if background != nil || service != nil || e.links.slotted() {
		e.makeCareful()
	}
}

func (e *engine) interveneAfter(events uint64, token uint32) {
	i, _ := slices.BinarySearchFunc(e.extras.pending, events, func(p intervention, events uint64) int {
		return cmp.Or(cmp.Compare(p.event, events), -1) // after those of the same event
	})
	e.extras.pending = slices.Insert(e.extras.pending, i, intervention{events, token})
}

// dispatch hands an event to the part of the engine that handles its type.
func (e *engine) dispatch(now des.Time, it item) {
	switch it.what() {
	case deliver:
		e.arrive(now, it)
	case timeout:
		e.expire(now, it)
	case damaged:
		e.leftQueue(it)
		if e.moving != nil && e.moving.outlives(it) {
			e.loseOnArrival(now, it)
			break
		}
		e.counters.Events++
		e.counters.Corrupted++
		e.fingerprint.add(now, it, 0)
		e.typed.note(damaged, it.to(), it.from(), it.index())
		e.typed.free(it.index())
	case serve:
		e.extras.ambient--
		e.serve(now, it)
	case intervene:
		e.counters.Events++
		e.fingerprint.add(now, it, uint64(it.index()))
		e.extras.adversary.Due(it.index())
	case release:
		e.extras.room.releases--
		e.counters.Events++
		e.fingerprint.add(now, it, 0)
		e.trail.pass(e.counters.Events, e.fingerprint)
		e.release(now)
	case offer:
		e.offer(now)
	case linkUp, linkDown:
		e.moving.change(now, it)
	case heard:
		e.air.hear(now, it)
	default:
		e.applyPlanned(now, it)
	}
	for len(e.extras.pending) > 0 && e.extras.pending[0].event <= e.counters.Events {
		e.atFault(now, newItem(intervene, 0, 0, 0, 0, e.extras.pending[0].token))
		e.extras.pending = e.extras.pending[1:]
	}
}

// underWay is Network.UnderWay, without the messages in the lane.
func (e *engine) underWay(kind int) (count int) {
	look := func(it item, copies int) {
		if e.isUnderWay(it, kind) {
			count += copies
		}
	}
	for _, event := range e.queue.Pending() {
		look(event.Item, 1)
	}
	for _, held := range e.extras.room.queues {
		for _, it := range held.items {
			look(it, 1)
		}
	}
	for _, p := range e.extras.parked {
		look(p.item, p.copies)
	}
	return count
}

// isUnderWay reports whether an item is a message of the kind to a process that is alive.
func (e *engine) isUnderWay(it item, kind int) bool {
	return (it.what() == deliver || it.what() == heard) && it.kind() == kind && !e.isDown(it.to()) && (e.moving == nil || !e.moving.outlives(it))
}

// atRest reports whether the only events left do not keep the run alive. It is false if the
// queue is empty, which Next reports.
func (e *engine) atRest() bool {
	return e.extras.ambient+e.extras.room.releases > 0 && e.nothingLeft()
}

// nothingLeft reports whether no event is left that keeps the run alive. A release does if
// the adversary holds something that does.
func (e *engine) nothingLeft() bool {
	r := &e.extras
	if r.waiting > 0 || r.room.releases > 0 && r.room.alive > 0 {
		return false
	}
	return e.pending() == e.idle+r.ambient+r.room.releases
}

// schedule schedules the arrival of a message.
func (e *engine) schedule(t des.Time, it item) {
	if e.isBackground(it) {
		e.extras.ambient++
	}
	e.queue.At(t, des.Delivery, it)
}

// leftQueue counts a message that has left the event queue.
func (e *engine) leftQueue(it item) {
	if e.isBackground(it) {
		e.extras.ambient--
	}
}

func (e *engine) isBackground(it item) bool {
	return e.extras.background != nil && e.extras.background[it.kind()]
}

// arrive hands a message to its receiver, or holds it.
func (e *engine) arrive(now des.Time, it item) {
	e.leftQueue(it)
	if x := e.extras.altered; x != nil && x.waitsBehind(it) || !e.admit(now, it) {
		e.hold(it)
	}
}

// admit hands a message to its receiver unless a fault prevents it. It returns false if the
// message has to wait for a release.
func (e *engine) admit(now des.Time, it item) bool {
	s := e.hosts[it.to()]
	if e.moving != nil && e.moving.outlives(it) {
		e.loseOnArrival(now, it)
		return true
	}
	if a := e.extras.adversary; a != nil && !e.isDown(it.to()) {
		wait, gone := a.Arrives(it.to(), it.from(), it.kind())
		if x := e.extras.altered; x != nil && x.carried[it.index()] { // only its receiver can delay it
			wait, gone = a.Expires(it.to()), false
		}
		switch {
		case gone:
			e.loseOnArrival(now, it)
			return true
		case wait < 0:
			return false
		case wait > 0:
			e.schedule(now.Add(wait), it)
			return true
		}
	}
	e.counters.Events++
	service := e.extras.service != nil && e.extras.service[it.kind()]
	if !service {
		e.counters.LastMessage = now
	}
	e.fingerprint.add(now, it, 0)
	if e.isDown(it.to()) {
		e.counters.ToDead++
		e.typed.apply(lost, it.to(), it.from(), it.index())
		e.record()
		return true
	}
	e.counters.Delivered++
	if service {
		e.counters.Service++
	}
	e.typed.receive(it.to(), it.from(), it.depth(), it.index())
	e.sendCarefully(now, s, it.kind())
	if e.observer != nil {
		e.observer.Stepped(it.to())
	}
	e.crashIfDoomed(now, it.to())
	return true
}

// expire handles the expiry of a timer unless the adversary delays it. The process keeps a
// delayed timer under its label.
func (e *engine) expire(now des.Time, it item) {
	background := protocols.Timer(int32(it.index())) <= protocols.Background
	if background {
		e.extras.ambient--
	}
	if a := e.extras.adversary; a != nil {
		switch wait := a.Expires(it.to()); {
		case wait < 0:
			e.hold(it)
			return
		case wait > 0:
			e.rearm(now.Add(wait), it)
			return
		}
	}
	e.applyPlanned(now, it)
}

// rearm lets an expired timer expire again at t.
func (e *engine) rearm(t des.Time, it item) {
	if !e.stillWaits(it) {
		return
	}
	s := e.hosts[it.to()]
	label := protocols.Timer(int32(it.index()))
	if label <= protocols.Background {
		e.extras.ambient++
	}
	e.queue.Reset(e.timers[s.id][e.find(s, label)].timer, t)
}

// sendCarefully ends a step of a careful run. It hands the messages in the outbox to their
// links, only those before the crash if the process crashes while it sends. handled is the kind
// of the message that the step handled, or -1.
func (e *engine) sendCarefully(now des.Time, s *host, handled int) {
	if a := e.extras.adversary; a != nil {
		a.Steps(s.ID(), handled)
		for i, it := range e.outbox {
			leaves, crashes := a.Leaves(it.from(), it.to(), it.kind())
			if crashes {
				if leaves {
					i++
				}
				e.unsend(s, i)
				e.extras.doomed = true
				break
			}
		}
	}
	if e.broadcasts {
		e.spread()
	}
	e.record()
	if k := uint64(len(e.outbox)); k > 1 { // each message is work, too
		e.checkEarlier(k)
	}
	for _, it := range e.outbox {
		e.handToLink(now, s, it)
	}
	e.outbox = e.outbox[:0]
}

// record hands the last step to the tracer, if there is one.
func (e *engine) record() {
	if e.tracer != nil {
		e.typed.record()
	}
}

// unsend takes back the messages from the i-th on.
func (e *engine) unsend(s *host, i int) {
	for _, it := range e.outbox[i:] {
		e.counters.Sent[it.kind()]--
		e.counters.Bits -= uint64(e.typed.bits(it.index()))
		if s.sent == 0 {
			e.carry(s.ID(), -1)
		}
		s.sent--
		e.typed.free(it.index())
	}
	e.outbox = e.outbox[:i]
}

// crashIfDoomed crashes a process whose step ends with a crash.
func (e *engine) crashIfDoomed(now des.Time, id protocols.ID) {
	if !e.extras.doomed {
		return
	}
	e.trail.pass(e.counters.Events, e.fingerprint)
	it := newItem(crash, 0, id, 0, 0, 0)
	e.counters.Events++
	e.fingerprint.add(now, it, 0)
	applied := e.typed.apply(crash, id, 0, 0)
	e.extras.doomed = false
	if applied {
		e.record()
		if e.observer != nil {
			e.observer.Crashed(id)
		}
	}
}

// handToLink hands the copies of a message to its link.
func (e *engine) handToLink(now des.Time, s *host, it item) {
	copies, delay := 1, time.Duration(0)
	if a := e.extras.adversary; a != nil {
		var forge func(int64) int64
		copies, delay, forge = a.Sent(it.from(), it.to(), it.kind())
		if forge != nil {
			e.typed.forge(it.index(), forge)
		}
	}
	if e.moving != nil && !e.present.has(it.from(), it.to()) {
		copies = 0
	}
	if e.air != nil && it.from() != it.to() {
		e.air.transmit(now, s, copies, delay, it)
		return
	}
	if x := e.extras.altered; x != nil {
		x.hand(now, s, copies, delay, it)
		return
	}
	if copies == 0 {
		e.drop(cut, it)
		return
	}
	for range copies - 1 {
		e.counters.Duplicated++
		e.transmit(now, s, delay, it.with(e.typed.copy(it.index())))
	}
	e.transmit(now, s, delay, it)
}

// loseOnArrival loses a message that would arrive now.
func (e *engine) loseOnArrival(now des.Time, it item) {
	e.counters.Events++
	e.fingerprint.add(now, newItem(cut, it.from(), it.to(), it.kind(), 0, 0), 0)
	e.drop(cut, it)
}

// spread replaces the broadcasts in the outbox by a message to each present neighbour.
func (e *engine) spread() {
	e.broadcasts, e.extras.left = false, len(e.outbox)
	var all []item
	for _, it := range e.outbox {
		if it.what() != broadcast {
			all = append(all, it)
			continue
		}
		to := e.present.of(it.from())
		e.counters.Spread(len(to))
		if len(to) == 0 {
			if e.air != nil {
				e.air.begin(e.now, it)
			}
			e.typed.free(it.index())
		}
		for i, q := range to {
			index := it.index()
			if i+1 < len(to) {
				index = e.typed.copy(index)
			}
			all = append(all, newItem(e.spreads(), it.from(), q, it.kind(), it.depth(), index))
		}
	}
	e.outbox = all
}

// spreads is the type of the messages to which a broadcast is spread.
func (e *engine) spreads() eventType {
	if e.air != nil {
		return broadcast
	}
	return deliver
}

// drop counts and frees a message that its link or a fault has lost.
func (e *engine) drop(why eventType, it item) {
	if why == cut {
		e.counters.Cut++
	} else {
		e.counters.Lost++
	}
	e.typed.note(why, it.to(), it.from(), it.index())
	e.typed.free(it.index())
}

// transmit sends a message of a process over its link, with an extra delay.
func (e *engine) transmit(now des.Time, s *host, delay time.Duration, it item) {
	k := e.links.lineLinkOf(s, it.to())
	if k.lineState != nil && k.version != e.links.version {
		e.refresh(now, s, k, it)
	}
	latest := e.links.latest(now)
	if k.alone() {
		e.scheduleArrival(min(e.links.drawArrival(now, k.link, delay), latest), false, k, it)
		return
	}
	if k.channel.Simple() {
		switch at, _, lost := k.channel.Pass(now, delay); {
		case !lost:
			e.scheduleArrival(min(at, latest), false, k, it)
		case e.links.stable(now): // a stable network delivers it all the same
			e.scheduleArrival(latest, false, k, it)
		default:
			e.drop(lose, it)
		}
		return
	}
	bits := 0
	if k.channel.Line().Weighs() {
		bits = e.typed.bits(it.index())
	}
	fate := &e.links.fate
	k.channel.Offer(fate, now, delay, bits, it.index())
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
	case e.links.stable(now): // a stable network delivers it all the same
		e.counters.Lost += uint64(fate.Lost - 1)
		e.scheduleArrival(latest, false, k, it)
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
		e.deliverCopy(&fate.Copies[i], latest, k, copied)
	}
}

// deliverCopy schedules the arrival of a copy of a message, damaged or not.
func (e *engine) deliverCopy(c *impair.Copy, latest des.Time, k lineLink, it item) {
	if c.Corrupt != 0 {
		bit := int64(1) << (c.Corrupt % 63)
		if k.channel.Line().Alters() && e.typed.forge(it.index(), func(v int64) int64 { return v ^ bit }) {
			e.counters.Altered++
		} else {
			it = it.as(damaged)
		}
	}
	early := c.Overtook && k.channel.Line().Reorders()
	e.scheduleArrival(min(c.At, latest), early, k, it)
}

// scheduleArrival schedules the arrival of a message at t. On a link that keeps the order the
// message waits for those before it unless it is early. A message that overtakes is counted.
func (e *engine) scheduleArrival(t des.Time, early bool, k lineLink, it item) {
	if e.moving != nil {
		e.moving.bear(it)
	}
	at, overtakes := e.links.arrival(t, early, k.link)
	if overtakes {
		e.counters.Reordered++
	}
	e.schedule(at, it)
}

// refresh gives a link the channel of its present line. If a fault has changed the line, the
// messages in the queue of the old channel go to the new one.
func (e *engine) refresh(now des.Time, s *host, k lineLink, it item) {
	old := k.channel
	if !e.links.refresh(now, k, it.from(), it.to()) || old == nil || !old.Slotted() {
		return
	}
	for _, token := range old.Clear() {
		p := e.unpark(token)
		for i := range p.copies {
			waiting := p.item
			if i+1 < p.copies {
				waiting = waiting.with(e.typed.copy(token))
			}
			e.transmit(now, s, 0, waiting)
		}
	}
}

// park keeps a message whose copies wait in the queue of a link.
func (e *engine) park(now des.Time, k lineLink, it item, copies int) {
	if e.extras.parked == nil {
		e.extras.parked = map[uint32]parked{}
	}
	e.extras.parked[it.index()] = parked{it, copies}
	if !e.isBackground(it) {
		e.extras.waiting++
	}
	e.scheduleService(now, k, it)
}

func (e *engine) unpark(index uint32) parked {
	p := e.extras.parked[index]
	delete(e.extras.parked, index)
	if !e.isBackground(p.item) {
		e.extras.waiting--
	}
	return p
}

// serve delivers the copies that leave the queue of a link now.
func (e *engine) serve(now des.Time, it item) {
	k := e.links.lineLinkOf(e.hosts[it.from()], it.to())
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
		p := e.extras.parked[token]
		delivered := p.item
		if p.copies > 1 {
			p.copies--
			e.extras.parked[token] = p
			delivered = delivered.with(e.typed.copy(token))
		} else {
			e.unpark(token)
		}
		e.deliverCopy(&c, des.MaxTime, k, delivered)
	}
	e.scheduleService(now, k, it)
}

// scheduleService schedules the next service of a link, unless an earlier one is scheduled. It
// is called again after each service.
func (e *engine) scheduleService(now des.Time, k lineLink, it item) {
	if t, ok := k.nextService(now); ok {
		e.extras.ambient++ // the waiting messages keep the run alive, not the service
		e.queue.At(t, des.Delivery, it.as(serve))
	}
}

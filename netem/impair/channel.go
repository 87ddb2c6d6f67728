package impair

import (
	"cmp"
	"slices"
	"time"

	"bullring/des"
)

// Channel is one directed link with a line. Each feature draws from a stream of its own, and
// from another one for the second copies of duplicated messages. It draws the same number of
// words for each message, lost or not. So a clause more or less does not affect the others.
type Channel struct {
	// A message over a simple line touches these 64 bytes of the channel alone, if its delays are independent.
	rules  *Rules
	losses losses
	floor  des.Time // the last arrival of a message that was not early
	latest des.Time // the latest arrival of all
	first  streams

	duplicate luck
	reorder   luck
	corrupt   luck
	streak    int      // messages since the last early one
	busy      des.Time // the end of the last transmission; under Compat, the last time at which a message is due
	delayed   delayed
	second    *streams   // of second copies; nil if messages cannot be duplicated
	slots     *slots     // nil without a slot clause
	held      []des.Time // with a limit, when the messages in the queue leave: a heap
}

// streams are the streams of the features.
type streams struct {
	delay, loss, reorder, corrupt, duplicate des.Stream
}

// The numbers of the streams derived from the channel's. The delays of first copies are drawn
// from the channel's stream itself, as on a link without a line.
const (
	startStream uint64 = iota
	lossStream
	reorderStream
	corruptStream
	duplicateStream
	slotStream
	delayStream // of second copies
	copyStream  // the parent of the streams of second copies
)

// Copy is a copy of a message on its way.
type Copy struct {
	// At is the instant of its arrival.
	At des.Time
	// Corrupt is 0 if the copy is intact. If it is damaged, this random word decides how.
	Corrupt uint64
	// Overtook is set if a message that was sent before arrives after it.
	Overtook bool
}

// Fate tells what happened to a message on the link. Each of its copies, two if it was
// duplicated, is on its way, queued or lost.
type Fate struct {
	Copies     [2]Copy
	N          int // copies on their way: Copies[:N]
	Queued     int // copies that wait in the channel for a slot
	Lost       int // copies that are lost
	Overflow   int // lost copies that found the queue full
	Duplicated bool
}

// Renew has the link draw from streams derived from this one, which has no other use. The link
// keeps its state: its queue, and what correlated features have drawn before.
func (c *Channel) Renew(stream des.Stream) {
	c.first = newStreams(stream, stream)
	if c.rules.twice {
		parent := stream.Sub(copyStream)
		second := newStreams(parent, parent.Sub(delayStream))
		c.second = &second
	}
	if c.slots != nil {
		c.slots.stream = stream.Sub(slotStream)
	}
}

func newStreams(parent, delay des.Stream) streams {
	return streams{
		delay:     delay,
		loss:      parent.Sub(lossStream),
		reorder:   parent.Sub(reorderStream),
		corrupt:   parent.Sub(corruptStream),
		duplicate: parent.Sub(duplicateStream),
	}
}

// Line is the line of the link.
func (c *Channel) Line() *Line { return c.rules.line }

// draws are the random words of one copy of a message.
type draws struct {
	delay, loss, secondLoss, reorder, corrupt, damage uint64
}

// draw fills in d.
func (r *Rules) draw(d *draws, s *streams) {
	d.delay = s.delay.Uint64()
	if r.loss.model != noLoss {
		d.loss = s.loss.Uint64()
		if r.loss.twoWords {
			d.secondLoss = s.loss.Uint64()
		}
	}
	if r.line.reorder.given {
		d.reorder = s.reorder.Uint64()
	}
	if r.line.corrupt.given {
		d.corrupt = s.corrupt.Uint64()
		d.damage = s.corrupt.Uint64()
	}
}

// offer is a message that is handed to the link.
type offer struct {
	now   des.Time
	extra time.Duration
	bits  int
	token uint32
	fate  *Fate
}

// Offer hands a message of so many bits to the link and sets its fate. The instants of successive
// calls do not decrease. extra is added to the delay of the link; a fifo link keeps the order all
// the same. Serve returns the token with each copy that has to wait for a slot.
func (c *Channel) Offer(fate *Fate, now des.Time, extra time.Duration, bits int, token uint32) {
	*fate = Fate{}
	if c.rules.simple {
		at, overtook, lost := c.Pass(now, extra)
		if lost {
			fate.Lost = 1
		} else {
			fate.N, fate.Copies[0] = 1, Copy{At: at, Overtook: overtook}
		}
		return
	}
	var o offer // not a literal, which would be copied: a copy of words just written stalls the processor
	o.now, o.extra, o.bits, o.token, o.fate = now, extra, bits, token, fate
	if r := c.rules; r.compat || r.twice {
		c.passCopies(&o)
	} else {
		c.pass(&o)
	}
}

// Simple reports whether the link loses and delays messages, and does nothing else.
func (c *Channel) Simple() bool { return c.rules.simple }

// Pass is Offer for a simple link: the one copy of a message arrives at that instant, or is lost.
func (c *Channel) Pass(now des.Time, extra time.Duration) (at des.Time, overtook, lost bool) {
	r := c.rules
	lost = c.loses(now)
	delay := r.delay.next(&c.delayed, c.first.delay.Uint64())
	if lost {
		return 0, false, true
	}
	at, overtook = c.settle(now.After(delay).After(extra))
	return at, overtook, false
}

// settle is when a copy arrives that is not early, and whether it overtakes one that was sent later.
func (c *Channel) settle(t des.Time) (at des.Time, overtook bool) {
	if c.rules.fifo {
		t = max(t, c.floor)
	}
	c.floor = t
	overtook = t < c.latest
	c.latest = max(c.latest, t)
	return t, overtook
}

// loses draws whether a message is lost.
func (c *Channel) loses(now des.Time) bool {
	l := &c.rules.loss
	if l.model == noLoss {
		return false
	}
	word, second := c.first.loss.Uint64(), uint64(0)
	if l.twoWords {
		second = c.first.loss.Uint64()
	}
	return l.next(&c.losses, now, word, second)
}

// passCopies takes a message and its second copy, if it has one, through the link. The words of a second
// copy are drawn even if there is none, and so are those for which Linux would not ask.
func (c *Channel) passCopies(o *offer) {
	var first, second draws
	var clone *draws // of the second copy, if there is one
	r := c.rules
	if r.twice {
		r.draw(&second, c.second)
		if o.fate.Duplicated = r.duplicate.next(&c.duplicate, c.first.duplicate.Uint64()); o.fate.Duplicated {
			clone = &second
		}
	}
	if r.compat {
		r.draw(&first, &c.first)
		c.passLinux(o, &first, clone)
		return
	}
	c.pass(o)
	if clone != nil {
		c.passSecond(o, clone)
	}
}

// pass takes a message through the link. Each feature draws and takes its step, even if the message
// is lost.
func (c *Channel) pass(o *offer) {
	r, s := c.rules, &c.first
	lost, corrupt, early, damage := c.loses(o.now), false, false, uint64(0)
	if r.line.corrupt.given {
		corrupt = r.corrupt.next(&c.corrupt, s.corrupt.Uint64())
		damage = s.corrupt.Uint64()
	}
	if r.line.reorder.given {
		early = r.reorder.next(&c.reorder, s.reorder.Uint64())
	}
	c.proceed(o, lost, corrupt, early, r.delay.next(&c.delayed, s.delay.Uint64()), damage)
}

// passSecond takes the second copy of a message through the link. It has the same past as
// the first, and leaves no trace in what follows.
func (c *Channel) passSecond(o *offer, d *draws) {
	r := c.rules
	lost := r.loss.model != noLoss && r.loss.sibling(&c.losses, d.loss, d.secondLoss)
	corrupt := r.line.corrupt.given && r.corrupt.sibling(c.corrupt, d.corrupt)
	early := r.line.reorder.given && r.reorder.sibling(c.reorder, d.reorder)
	c.proceed(o, lost, corrupt, early, r.delay.sibling(&c.delayed, d.delay), d.damage)
}

// proceed puts a copy on its way unless it is lost.
func (c *Channel) proceed(o *offer, lost, corrupt, early bool, delay time.Duration, damage uint64) {
	line := c.rules.line
	if lost || line.limit > 0 && c.full(o.now) {
		o.fate.Lost++
		if !lost {
			o.fate.Overflow++
		}
		return
	}
	copied := newCopy(corrupt, damage)
	if c.early(early) {
		c.leave(o, o.now.After(o.extra), true, copied)
		return
	}
	begin := o.now
	if line.rate.bits > 0 { // messages are transmitted one after another, and then travel
		begin = max(begin, c.busy).After(line.rate.transmission(o.bits))
		c.busy = begin
	}
	c.leave(o, begin.After(delay).After(o.extra), false, copied)
}

func newCopy(corrupt bool, damage uint64) Copy {
	if corrupt {
		return Copy{Corrupt: max(1, damage)}
	}
	return Copy{}
}

// early reports whether a message is early: with a gap, only after so many that were not.
func (c *Channel) early(hit bool) bool {
	if !c.rules.line.reorder.given {
		return false
	}
	if !hit || c.streak < c.rules.line.gap-1 {
		c.streak++
		return false
	}
	c.streak = 0
	return true
}

// leave settles the arrival of a copy, or makes it wait for a slot from then on.
func (c *Channel) leave(o *offer, at des.Time, early bool, copied Copy) {
	overtook := at < c.latest
	if early {
		c.latest = max(c.latest, at)
	} else {
		at, overtook = c.settle(at)
	}
	copied.At, copied.Overtook = at, overtook
	if c.Slotted() {
		c.slots.push(o.now, waiting{due: at, early: early, bytes: (int64(o.bits) + 7) / 8, token: o.token, copy: copied})
		o.fate.Queued++
		return
	}
	if c.rules.line.limit > 0 {
		c.held = heapPush(c.held, at, sooner)
	}
	o.fate.Copies[o.fate.N] = copied
	o.fate.N++
}

// full reports whether the queue, which holds the messages that have not left, has reached the
// limit.
func (c *Channel) full(now des.Time) bool {
	if c.Slotted() {
		return len(c.slots.waiting) >= c.rules.line.limit
	}
	for len(c.held) > 0 && c.held[0] <= now {
		_, c.held = heapPop(c.held, sooner)
	}
	return len(c.held) >= c.rules.line.limit
}

func sooner(a, b *des.Time) bool { return *a < *b }

// Arrivals are the instants of arrivals on a channel that matter to later messages.
type Arrivals struct{ floor, latest des.Time }

// Arrivals returns those so far.
func (c *Channel) Arrivals() Arrivals { return Arrivals{c.floor, c.latest} }

// Restore takes back the arrivals that the channel has decided since then. It keeps everything
// else that it has drawn and counted.
func (c *Channel) Restore(a Arrivals) { c.floor, c.latest = a.floor, a.latest }

// Arrives notes an arrival that the channel has not decided.
func (c *Channel) Arrives(at des.Time) { c.floor, c.latest = max(c.floor, at), max(c.latest, at) }

// Slotted reports whether messages wait in the channel for slots.
func (c *Channel) Slotted() bool { return c.slots != nil }

// Next is the instant at which the channel has the next copy to deliver. ok is false if none
// waits.
func (c *Channel) Next() (at des.Time, ok bool) {
	if !c.Slotted() {
		return 0, false
	}
	return c.slots.when()
}

// Serve returns the next copy that leaves the link now, with its token. ok is false if none
// is left.
func (c *Channel) Serve(now des.Time) (token uint32, copied Copy, ok bool) {
	if !c.Slotted() {
		return 0, Copy{}, false
	}
	m, ok := c.slots.serve(now)
	m.copy.At = now
	return m.token, m.copy, ok
}

// Clear drops the waiting copies. It returns their tokens, each once, in the order in which
// the messages were offered.
func (c *Channel) Clear() []uint32 {
	if !c.Slotted() {
		return nil
	}
	left := c.slots.waiting
	c.slots.waiting = nil
	slices.SortFunc(left, func(a, b waiting) int { return cmp.Compare(a.order, b.order) })
	tokens := make([]uint32, len(left))
	for i, m := range left {
		tokens[i] = m.token
	}
	return slices.Compact(tokens) // the copies of a message are neighbours
}

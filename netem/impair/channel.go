package impair

import (
	"cmp"
	"slices"
	"time"

	"bullring/des"
)

// Channel is one directed link on which a line works. All its chance comes from
// streams of its own, one a feature and, for the second copy of messages that are
// duplicated, another; from each it draws equally many words a message, whatever
// becomes of the message. So a clause more or less changes nothing about what the
// others do.
type Channel struct {
	line   *Line
	compat bool
	fifo   bool
	twice  bool // messages can be duplicated

	chance    [2]streams // of a message and of its copy
	delay     delayer
	loss      loser
	duplicate lottery
	reorder   lottery
	corrupt   lottery

	streak int        // messages that were not early, since the last that was
	floor  des.Time   // the last arrival, where the order is kept
	latest des.Time   // the latest arrival of all
	busy   des.Time   // until when the rate is taken up; under Compat, when the last message is due
	held   []des.Time // with a limit, when what is in the queue leaves: a heap
	slots  slots
}

// streams are those of the features.
type streams struct {
	delay, loss, reorder, corrupt, duplicate des.Stream
}

// The names of the streams, derived from that of the channel. The delays of the
// messages themselves are drawn from the channel's stream itself, so that a simple
// line can be sampled without a channel.
const (
	startStream uint64 = iota
	lossStream
	reorderStream
	corruptStream
	duplicateStream
	slotStream
	delayStream // of second copies
	copyStream  // the parent of those of second copies
)

// Copy is a copy of a message on its way.
type Copy struct {
	// At is when it arrives.
	At des.Time
	// Corrupt is not 0 if it is damaged, and then the random word that decides
	// how.
	Corrupt uint64
	// Overtook is set if a message that was sent before arrives after it.
	Overtook bool
}

// Fate is what became of one message handed to the link. Each of its copies, two
// if it was duplicated, is on its way, queued or lost.
type Fate struct {
	Copies     [2]Copy
	N          int // copies on their way: Copies[:N]
	Queued     int // copies that wait in the channel for a slot
	Lost       int // copies that are lost
	Overflow   int // of them, for want of room in the queue
	Duplicated bool
}

// NewChannel returns a link on which the line works from now on. stream is the
// parent of its streams and should not be used for anything else. A fifo link
// keeps the order of messages but of those that a reorder clause makes early; any
// other lets a message overtake those before it if its delay is shorter.
func NewChannel(l *Line, mode Mode, stream des.Stream, fifo bool, now des.Time) *Channel {
	c := &Channel{line: l, compat: mode == Compat, fifo: fifo, twice: l.Duplicates()}
	c.chance[0] = newStreams(stream, stream)
	if c.twice {
		second := stream.Sub(copyStream)
		c.chance[1] = newStreams(second, second.Sub(delayStream))
	}
	start := stream.Sub(startStream)
	c.duplicate = newLottery(l.duplicate, mode, start.Uint64())
	c.reorder = newLottery(l.reorder, mode, start.Uint64())
	c.corrupt = newLottery(l.corrupt, mode, start.Uint64())
	c.loss = newLoser(&l.loss, mode, start.Uint64(), now)
	c.delay = newDelayer(&l.delay, mode, start.Uint64())
	if l.slot.given {
		c.slots = slots{slot: &l.slot, stream: stream.Sub(slotStream)}
		if l.slot.spread != nil {
			c.slots.jitter = newJitter(l.slot.spread, mode)
		}
		c.slots.open(now)
	}
	return c
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

// Line is the line that works on the link.
func (c *Channel) Line() *Line { return c.line }

// draws are the random words of one copy of a message.
type draws struct {
	delay, loss, lossToo, reorder, corrupt, damage uint64
}

func (c *Channel) draw(s *streams) (d draws) {
	l := c.line
	d.delay = s.delay.Uint64()
	if l.loss.model != noLoss {
		d.loss = s.loss.Uint64()
		if c.loss.twoWords {
			d.lossToo = s.loss.Uint64()
		}
	}
	if l.reorder.given {
		d.reorder = s.reorder.Uint64()
	}
	if l.corrupt.given {
		d.corrupt = s.corrupt.Uint64()
		d.damage = s.corrupt.Uint64()
	}
	return d
}

// offer is a message that is handed to the link.
type offer struct {
	now   des.Time
	extra time.Duration
	bits  int
	token uint32
	fate  Fate
}

// Offer hands a message of so many bits to the link at now, which is not before
// any time it was told of. extra is a delay that something else imposes on top of
// the link's own; a link that keeps the order keeps it all the same. The token comes
// back from Serve for each copy that has to wait for a slot.
func (c *Channel) Offer(now des.Time, extra time.Duration, bits int, token uint32) Fate {
	o := offer{now: now, extra: extra, bits: bits, token: token}
	first := c.draw(&c.chance[0])
	var second draws
	duplicated := false
	if c.twice {
		second = c.draw(&c.chance[1])
		word := c.chance[0].duplicate.Uint64()
		if c.compat {
			duplicated = c.duplicate.linux(word)
		} else {
			duplicated = c.duplicate.next(word)
		}
	}
	o.fate.Duplicated = duplicated
	if c.compat {
		c.passLinux(&o, &first, &second)
		return o.fate
	}
	c.pass(&o, &first)
	if duplicated {
		c.passToo(&o, &second)
	}
	return o.fate
}

// pass takes a message through the link. Every feature goes a step on, even if
// the message is lost.
func (c *Channel) pass(o *offer, d *draws) {
	lost := c.line.loss.model != noLoss && c.loss.next(o.now, d.loss, d.lossToo)
	corrupt := c.line.corrupt.given && c.corrupt.next(d.corrupt)
	early := c.line.reorder.given && c.reorder.next(d.reorder)
	c.proceed(o, lost, corrupt, early, c.delay.next(d.delay), d.damage)
}

// passToo takes the second copy of a message through the link: another one after
// the same past, which leaves no trace in what follows.
func (c *Channel) passToo(o *offer, d *draws) {
	lost := c.line.loss.model != noLoss && c.loss.sibling(d.loss, d.lossToo)
	corrupt := c.line.corrupt.given && c.corrupt.sibling(d.corrupt)
	early := c.line.reorder.given && c.reorder.sibling(d.reorder)
	c.proceed(o, lost, corrupt, early, c.delay.sibling(d.delay), d.damage)
}

// proceed has a copy be lost or put on its way.
func (c *Channel) proceed(o *offer, lost, corrupt, early bool, delay time.Duration, damage uint64) {
	if lost || c.full(o.now) {
		o.fate.Lost++
		if !lost {
			o.fate.Overflow++
		}
		return
	}
	var copied Copy
	if corrupt {
		copied.Corrupt = max(1, damage)
	}
	if c.early(early) {
		c.leave(o, o.now.After(o.extra), true, copied)
		return
	}
	begin := o.now
	if c.line.rate.bits > 0 { // the messages take turns, and are under way afterwards
		begin = max(begin, c.busy).After(c.line.rate.transmission(o.bits))
		c.busy = begin
	}
	c.leave(o, begin.After(delay).After(o.extra), false, copied)
}

// early reports whether a message is early: with a gap, after so many that were
// not.
func (c *Channel) early(hit bool) bool {
	if !c.line.reorder.given {
		return false
	}
	if !hit || c.streak < c.line.gap-1 {
		c.streak++
		return false
	}
	c.streak = 0
	return true
}

// leave settles when a copy arrives, or has it wait for a slot from then on.
func (c *Channel) leave(o *offer, at des.Time, early bool, copied Copy) {
	if !early {
		if c.fifo {
			at = max(at, c.floor)
		}
		c.floor = at
	}
	copied.At, copied.Overtook = at, at < c.latest
	c.latest = max(c.latest, at)
	if c.slots.slot != nil {
		c.slots.push(o.now, waiting{due: at, early: early, bytes: (int64(o.bits) + 7) / 8, token: o.token, copy: copied})
		o.fate.Queued++
		return
	}
	if c.line.limit > 0 {
		c.held = heapPush(c.held, at, sooner)
	}
	o.fate.Copies[o.fate.N] = copied
	o.fate.N++
}

// full reports whether the queue is: there all is held that has not left.
func (c *Channel) full(now des.Time) bool {
	if c.line.limit == 0 {
		return false
	}
	if c.slots.slot != nil {
		return len(c.slots.waiting) >= c.line.limit
	}
	for len(c.held) > 0 && c.held[0] <= now {
		_, c.held = heapPop(c.held, sooner)
	}
	return len(c.held) >= c.line.limit
}

func sooner(a, b *des.Time) bool { return *a < *b }

// Slotted reports whether messages wait in the channel for slots.
func (c *Channel) Slotted() bool { return c.slots.slot != nil }

// Next is when the channel next has something to deliver, if anything waits.
func (c *Channel) Next() (des.Time, bool) { return c.slots.when() }

// Serve takes what leaves the link at now, one copy a call; its At is now. ok is
// false when nothing does any more.
func (c *Channel) Serve(now des.Time) (token uint32, copied Copy, ok bool) {
	m, ok := c.slots.serve(now)
	m.copy.At = now
	return m.token, m.copy, ok
}

// Clear forgets what waits and returns the tokens, once each, in the order in
// which the messages came.
func (c *Channel) Clear() []uint32 {
	left := c.slots.waiting
	c.slots.waiting = nil
	slices.SortFunc(left, func(a, b waiting) int { return cmp.Compare(a.order, b.order) })
	var tokens []uint32
	for i, m := range left {
		// The copies of a message came one right after the other.
		if i == 0 || m.token != left[i-1].token {
			tokens = append(tokens, m.token)
		}
	}
	return tokens
}

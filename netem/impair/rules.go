package impair

import "bullring/des"

// Rules are what all channels of a line share. They follow from the line, the mode, and whether links keep the
// order, and do not change. What changes is in the channels. A network can have millions of them, so
// they are small.
type Rules struct {
	line      *Line
	mode      Mode
	compat    bool
	fifo      bool
	twice     bool // messages can be duplicated
	simple    bool // see Channel.Simple
	loss      lossProcess
	delay     delayer
	duplicate lottery
	reorder   lottery
	corrupt   lottery
}

// RulesOf returns the rules of a line. If a link is fifo, only messages that a reorder clause
// makes early overtake others; else each message with a shorter delay may.
func RulesOf(l *Line, mode Mode, fifo bool) *Rules {
	return &Rules{
		line:      l,
		mode:      mode,
		compat:    mode == Compat,
		fifo:      fifo,
		twice:     l.Duplicates(),
		simple:    mode == Exact && !l.Duplicates() && !l.reorder.given && !l.corrupt.given && l.rate.bits == 0 && l.limit == 0 && !l.slot.given,
		loss:      newLossProcess(&l.loss, mode),
		delay:     newDelayer(&l.delay, mode),
		duplicate: newLottery(l.duplicate, mode),
		reorder:   newLottery(l.reorder, mode),
		corrupt:   newLottery(l.corrupt, mode),
	}
}

// NewChannel returns a link with these rules from now on. It derives its streams from stream,
// which has no other use.
func (r *Rules) NewChannel(stream des.Stream, now des.Time) *Channel {
	c := &Channel{rules: r}
	c.Renew(stream)
	start := stream.Sub(startStream)
	c.duplicate = r.duplicate.begin(start.Uint64())
	c.reorder = r.reorder.begin(start.Uint64())
	c.corrupt = r.corrupt.begin(start.Uint64())
	c.losses = r.loss.begin(start.Uint64(), now)
	c.delayed = r.delay.begin(start.Uint64())
	if r.line.slot.given {
		c.slots = newSlots(&r.line.slot, r.mode, stream.Sub(slotStream), now)
	}
	return c
}

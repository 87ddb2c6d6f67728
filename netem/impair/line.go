package impair

import (
	"time"

	"bullring/des"
)

// Line is what a link does to messages. It does not change.
type Line struct {
	delay     delay
	loss      loss
	duplicate chance
	reorder   chance
	gap       int // of reorder, 0 without this clause
	corrupt   chance
	altered   bool // corrupt messages are delivered
	rate      rate
	limit     int // of the messages in the queue, 0 for none
	slot      slot
}

// chance is a probability, and the correlation of each decision with the last one.
type chance struct {
	given          bool
	p, correlation des.Probability
}

// WithDelay returns a copy of the line whose delay is d.
func (l *Line) WithDelay(d des.Distribution) *Line {
	c := *l
	c.delay = delay{kind: plainDelay, law: d}
	return &c
}

// WithoutLoss returns a copy of the line without its loss clause. A full queue still loses
// messages.
func (l *Line) WithoutLoss() *Line {
	c := *l
	c.loss = loss{}
	return &c
}

// HasDelay reports whether the line has a delay clause.
func (l *Line) HasDelay() bool { return l.delay.kind != noDelay }

// Loses reports whether the line can lose messages, by chance or in a full queue.
func (l *Line) Loses() bool { return l.loss.possible() || l.limit > 0 }

// Duplicates reports whether the line can duplicate messages.
func (l *Line) Duplicates() bool { return l.duplicate.p > 0 }

// Corrupts reports whether the line can corrupt messages.
func (l *Line) Corrupts() bool { return l.corrupt.p > 0 }

// Alters reports whether the line delivers corrupt messages, altered, to an algorithm that
// opts in. Otherwise the receiver recognises and drops them.
func (l *Line) Alters() bool { return l.altered }

// Reorders reports whether messages can overtake others even on links that keep the order.
func (l *Line) Reorders() bool { return l.reorder.p > 0 }

// Slotted reports whether messages wait for slots.
func (l *Line) Slotted() bool { return l.slot.given }

// Limited reports whether the queue of the link has a limit.
func (l *Line) Limited() bool { return l.limit > 0 }

// Weighs reports whether the fate of a message depends on its size.
func (l *Line) Weighs() bool { return l.rate.bits > 0 || l.slot.given }

// Mean is the expected delay, without the effects of rate, slots and early messages.
func (l *Line) Mean() time.Duration {
	if l.delay.law == nil {
		return 0
	}
	return l.delay.law.Mean()
}

// Quantile is the delay that a fraction u/2^64 of the delays do not exceed, without the
// same effects.
func (l *Line) Quantile(u uint64) time.Duration {
	if l.delay.law == nil {
		return 0
	}
	return l.delay.law.Quantile(u)
}

// Bounds is the range of the time from the offer of a message to its arrival, in either
// mode. If the delay has no upper bound or a queue can grow, bounded is false and most has
// no meaning. A rate is not bounded even with a limit, because the size of messages is not
// known here.
func (l *Line) Bounds() (least, most time.Duration, bounded bool) {
	bounded = l.rate.bits == 0
	if l.delay.law != nil {
		var finite bool
		least, most, finite = l.delay.law.Bounds()
		bounded = bounded && finite
	}
	if l.Reorders() {
		least = 0
	}
	wait, finite := l.slot.longestWait(l.limit)
	return least, most + wait, bounded && finite
}

// Package impair is what a link does to the messages that it is handed: it
// delays, loses, duplicates, reorders and corrupts them, it has a rate and a
// queue. What it does is written in one line, in the words of Linux's tc-netem:
//
//	delay 20ms 5ms 25% distribution pareto loss gemodel 1% 10% duplicate 0.5%
//
// A Line is what was understood of such a text; it is a value that never changes
// and prints as it is read. A Channel is one directed link on which a line works,
// with all state and all chance of its own. Between the random words that it draws
// and what becomes of a message there are integers alone.
package impair

import (
	"time"

	"bullring/des"
)

// Line is what a link does to messages. It does not change once it is made.
type Line struct {
	delay     delay
	loss      loss
	duplicate chance
	reorder   chance
	gap       int // of reorder, 0 without such a clause
	corrupt   chance
	altered   bool // corrupt messages are delivered
	rate      rate
	limit     int // messages in the queue, 0 without a limit
	slot      slot
}

// chance is a clause of a probability, and the correlation of what it decides with what it
// decided last.
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

// HasDelay reports whether the line says anything of the delay.
func (l *Line) HasDelay() bool { return l.delay.kind != noDelay }

// Simple reports whether the line does nothing but delay each message by a
// duration of its own from the distribution, whatever the mode. Who knows that may
// sample it without a channel, with one random word a message.
func (l *Line) Simple() (des.Distribution, bool) {
	return l.delay.law, l.delay.kind == plainDelay && *l == Line{delay: l.delay}
}

// Loses reports whether the line can lose messages, be it for want of room.
func (l *Line) Loses() bool { return l.loss.possible() || l.limit > 0 }

// Duplicates reports whether the line can duplicate messages.
func (l *Line) Duplicates() bool { return l.duplicate.p > 0 }

// Corrupts reports whether the line can corrupt messages.
func (l *Line) Corrupts() bool { return l.corrupt.p > 0 }

// Alters reports whether corrupt messages are delivered, altered, to an algorithm
// that opts in. Otherwise the receiver recognises and drops them.
func (l *Line) Alters() bool { return l.altered }

// Reorders reports whether messages overtake others even where the links keep the
// order otherwise.
func (l *Line) Reorders() bool { return l.reorder.p > 0 }

// Slotted reports whether messages wait for slots, whatever their delay.
func (l *Line) Slotted() bool { return l.slot.given }

// Mean is the expected delay. What the rate, the slots and messages that are
// early do to it is left out.
func (l *Line) Mean() time.Duration {
	if l.delay.law == nil {
		return 0
	}
	return l.delay.law.Mean()
}

// Quantile is the delay that the fraction u/2^64 of the delays do not exceed. It leaves
// out what Mean does.
func (l *Line) Quantile(u uint64) time.Duration {
	if l.delay.law == nil {
		return 0
	}
	return l.delay.law.Quantile(u)
}

// Bounds is the range of the time from when a message is handed to the link to
// its arrival, in either mode. Without an upper bound, bounded is false and max
// is meaningless: the delay has none, or a queue can grow. That of a rate can,
// however few messages it holds: their size is not known here.
func (l *Line) Bounds() (least, most time.Duration, bounded bool) {
	bounded = true
	if l.delay.law != nil {
		least, most, bounded = l.delay.law.Bounds()
	}
	if l.Reorders() {
		least = 0
	}
	if l.rate.bits > 0 {
		bounded = false
	}
	if wait, ok := l.slot.longestWait(l.limit); ok {
		most += wait
	} else {
		bounded = false
	}
	return least, most, bounded
}

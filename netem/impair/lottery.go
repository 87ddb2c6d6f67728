package impair

import (
	"math/bits"

	"bullring/des"
)

// lottery decides for each message whether an event of a certain probability happens.
// Under Exact the decisions are a stationary chain of two states with the wanted correlation
// of neighbours: after a hit the probability is P + C(1-P), after a miss P(1-C).
type lottery struct {
	afterMiss, afterHit des.Probability
	numbers             correlated // of Compat
	threshold           uint32     // of Compat
	compat              bool
	hit, before         bool // the last decision, and the one before
}

func newLottery(c chance, mode Mode, start uint64) lottery {
	if mode == Compat {
		return lottery{compat: true, threshold: linuxProbability(c.p), numbers: newCorrelated(c.correlation, start)}
	}
	afterMiss := c.p.Times(c.correlation.Not())
	return lottery{afterMiss: afterMiss, afterHit: afterMiss + c.correlation, hit: c.p.Hit(start)} // P(1-C) + C
}

// next decides for the next message.
func (l *lottery) next(r uint64) bool {
	if l.compat {
		return l.threshold > 0 && l.threshold >= l.numbers.draw(r)
	}
	l.before = l.hit
	l.hit = l.sibling(r)
	return l.hit
}

// sibling decides for the second copy of the last message, under Exact.
func (l *lottery) sibling(r uint64) bool {
	if l.before {
		return l.afterHit.Hit(r)
	}
	return l.afterMiss.Hit(r)
}

// correlated is Linux's source of correlated numbers: a moving average, whose values crowd
// in the middle of the range.
type correlated struct {
	rho  uint64 // plus 1, or 0
	last uint64
}

func newCorrelated(correlation des.Probability, start uint64) correlated {
	c := correlated{rho: uint64(linuxProbability(correlation)), last: start >> 32}
	if c.rho > 0 {
		c.rho++
	}
	return c
}

// draw makes a 32-bit number of a random word.
func (c *correlated) draw(r uint64) uint32 {
	r >>= 32
	if c.rho == 0 {
		return uint32(r)
	}
	// The sum has at most 64 bits. At a correlation of 1 nothing of r is left.
	c.last = (r*(1<<32-c.rho) + c.last*c.rho) >> 32
	return uint32(c.last)
}

// linuxProbability is p in units of 1/(2^32-1), rounded.
func linuxProbability(p des.Probability) uint32 {
	hi, lo := bits.Mul64(uint64(p), 1<<32-1)
	lo, carry := bits.Add64(lo, 1<<62, 0)
	return uint32((hi+carry)<<1 | lo>>63)
}

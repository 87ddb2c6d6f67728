package impair

import (
	"math/bits"

	"bullring/des"
)

// lottery decides, message by message, whether something of a certain probability
// happens. Under Exact the decisions are a stationary chain of two states whose
// correlation, from one to the next, is the wanted one: after a hit the
// probability is P + C(1-P), after a miss P(1-C).
type lottery struct {
	afterMiss, afterHit des.Probability
	hit, before         bool // what was decided last, and before that

	correlated
	threshold uint32 // of Compat
}

func newLottery(c chance, mode Mode, start uint64) lottery {
	l := lottery{
		afterMiss: c.p.Times(c.correlation.Not()),
		hit:       c.p.Hit(start),
	}
	if mode == Compat {
		l.threshold, l.correlated = linuxProbability(c.p), newCorrelated(c.correlation, start)
	}
	l.afterHit = l.afterMiss + c.correlation // P(1-C) + C
	return l
}

// next decides.
func (l *lottery) next(r uint64) bool {
	l.before = l.hit
	l.hit = l.sibling(r)
	return l.hit
}

// sibling decides for another message after the same past as that of the last
// one.
func (l *lottery) sibling(r uint64) bool {
	if l.before {
		return l.afterHit.Hit(r)
	}
	return l.afterMiss.Hit(r)
}

// linux decides as Linux does.
func (l *lottery) linux(r uint64) bool {
	return l.threshold > 0 && l.threshold >= l.draw(r)
}

// correlated is Linux's source of correlated numbers: a moving average, whose
// values crowd around the middle of the range.
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
	// At a correlation of 1 nothing of r is left; the sum has 64 bits at most.
	c.last = (r*(1<<32-c.rho) + c.last*c.rho) >> 32
	return uint32(c.last)
}

// linuxProbability is p in units of 1/(2^32-1), rounded.
func linuxProbability(p des.Probability) uint32 {
	hi, lo := bits.Mul64(uint64(p), 1<<32-1)
	lo, carry := bits.Add64(lo, 1<<62, 0)
	return uint32((hi+carry)<<1 | lo>>63)
}

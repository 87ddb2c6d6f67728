package impair

import (
	"math/bits"

	"bullring/des"
)

// lottery decides for each message whether an event of a certain probability happens.
// Under Exact the decisions are a stationary chain of two states with the wanted correlation
// of neighbours: after a hit the probability is P + C(1-P), after a miss P(1-C).
type lottery struct {
	p                   des.Probability
	afterMiss, afterHit des.Probability
	rho                 correlated // of Compat
	threshold           uint32     // of Compat
	compat              bool
}

// luck is the state of a lottery on a channel.
type luck struct {
	last        uint32 // of Compat: the last correlated number
	hit, before bool   // the last decision, and the one before
}

func newLottery(c chance, mode Mode) lottery {
	if mode == Compat {
		return lottery{compat: true, threshold: linuxProbability(c.p), rho: newCorrelated(c.correlation)}
	}
	afterMiss := c.p.Times(c.correlation.Not())
	return lottery{p: c.p, afterMiss: afterMiss, afterHit: afterMiss + c.correlation} // P(1-C) + C
}

// begin returns the state before the first message.
func (l *lottery) begin(start uint64) luck {
	if l.compat {
		return luck{last: uint32(start >> 32)}
	}
	return luck{hit: l.p.Hit(start)}
}

// next decides for the next message.
func (l *lottery) next(s *luck, r uint64) bool {
	if l.compat {
		return l.threshold > 0 && l.threshold >= l.rho.draw(&s.last, r)
	}
	s.before = s.hit
	s.hit = l.sibling(*s, r)
	return s.hit
}

// sibling decides for the second copy of the last message, under Exact.
func (l *lottery) sibling(s luck, r uint64) bool {
	if s.before {
		return l.afterHit.Hit(r)
	}
	return l.afterMiss.Hit(r)
}

// correlated is Linux's source of correlated numbers: a moving average, whose values crowd
// in the middle of the range. It is the correlation plus 1 in units of 2^-32, or 0.
type correlated uint64

func newCorrelated(correlation des.Probability) correlated {
	rho := correlated(linuxProbability(correlation))
	if rho > 0 {
		rho++
	}
	return rho
}

// draw makes a 32-bit number of a random word and of the last number.
func (rho correlated) draw(last *uint32, r uint64) uint32 {
	r >>= 32
	if rho == 0 {
		return uint32(r)
	}
	// The sum has at most 64 bits. At a correlation of 1 nothing of r is left.
	*last = uint32((r*uint64(1<<32-rho) + uint64(*last)*uint64(rho)) >> 32)
	return *last
}

// linuxProbability is p in units of 1/(2^32-1), rounded.
func linuxProbability(p des.Probability) uint32 {
	hi, lo := bits.Mul64(uint64(p), 1<<32-1)
	lo, carry := bits.Add64(lo, 1<<62, 0)
	return uint32((hi+carry)<<1 | lo>>63)
}

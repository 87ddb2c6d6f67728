package des

import (
	"fmt"
	"math/bits"
	"time"
)

// Distribution is a distribution of durations, which are not negative. A duration is
// computed from one random word, in integers: it is the same on every machine.
type Distribution interface {
	// Sample is the duration that belongs to the random word r.
	Sample(r uint64) time.Duration
	// Quantile is the duration that a fraction u/2^64 of the durations do not exceed.
	// Sample has the same durations in another order of the words.
	Quantile(u uint64) time.Duration
	// Mean is the expected duration.
	Mean() time.Duration
	// Bounds is the range of the durations. Without an upper bound, bounded is false
	// and max has no meaning.
	Bounds() (min, max time.Duration, bounded bool)
	// String prints the distribution as ParseDistribution reads it.
	String() string
}

// Constant returns the distribution whose only duration is d.
func Constant(d time.Duration) Distribution {
	mustNotBeNegative(d)
	return constant(d)
}

type constant time.Duration

func (c constant) Sample(uint64) time.Duration   { return time.Duration(c) }
func (c constant) Quantile(uint64) time.Duration { return time.Duration(c) }
func (c constant) Mean() time.Duration           { return time.Duration(c) }
func (c constant) String() string                { return time.Duration(c).String() }
func (c constant) Bounds() (lo, hi time.Duration, bounded bool) {
	return time.Duration(c), time.Duration(c), true
}

// Uniform returns the uniform distribution over lo, lo+1ns, ..., hi. It panics
// if hi < lo.
func Uniform(lo, hi time.Duration) Distribution {
	mustNotBeNegative(lo)
	if hi < lo {
		panic(fmt.Sprintf("des: Uniform(%v, %v): the lower bound is above the upper", lo, hi))
	}
	return uniform{lo, hi}
}

type uniform struct{ lo, hi time.Duration }

func (u uniform) Sample(r uint64) time.Duration {
	// The bias without rejection, span/2^64, would not show in 10^9 samples of spans up
	// to a minute. With rejection the number of draws would depend on the draws.
	k, _ := bits.Mul64(r, uint64(u.hi-u.lo)+1)
	return u.lo + time.Duration(k)
}

func (u uniform) Quantile(r uint64) time.Duration { return u.Sample(r) }

func (u uniform) Mean() time.Duration { return u.lo + (u.hi-u.lo)/2 }
func (u uniform) String() string      { return fmt.Sprintf("uniform(%v,%v)", u.lo, u.hi) }
func (u uniform) Bounds() (lo, hi time.Duration, bounded bool) {
	return u.lo, u.hi, true
}

// Exponential returns the exponential distribution with this mean.
func Exponential(mean time.Duration) Distribution {
	mustNotBeNegative(mean)
	exponential.load()
	return exponentialDist(mean)
}

type exponentialDist time.Duration

func (e exponentialDist) Sample(r uint64) time.Duration {
	return scale(time.Duration(e), exponential.at(r))
}

func (e exponentialDist) Quantile(u uint64) time.Duration { return e.Sample(ascending(u)) }

func (e exponentialDist) Mean() time.Duration { return time.Duration(e) }
func (e exponentialDist) String() string      { return fmt.Sprintf("exp(%v)", time.Duration(e)) }
func (e exponentialDist) Bounds() (lo, hi time.Duration, bounded bool) {
	return 0, 0, false
}

func mustNotBeNegative(d time.Duration) {
	if d < 0 {
		panic(fmt.Sprintf("des: negative duration %v", d))
	}
}

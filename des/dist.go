package des

import (
	"errors"
	"fmt"
	"math/bits"
	"strings"
	"time"
)

//go:generate go run ./internal/quantiles

// Distribution is a distribution of durations that are never negative. One
// duration costs one random word, whatever the distribution, and is computed
// from it in integers: it is the same on every machine.
type Distribution interface {
	// Sample is the duration that belongs to the random word r.
	Sample(r uint64) time.Duration
	// Mean is the expected duration.
	Mean() time.Duration
	// Bounds is the range of the durations; without an upper bound, bounded
	// is false and max is meaningless.
	Bounds() (min, max time.Duration, bounded bool)
	// String prints the distribution as ParseDistribution reads it.
	String() string
}

// Constant returns the distribution of a duration that is always d.
func Constant(d time.Duration) Distribution {
	mustNotBeNegative(d)
	return constant(d)
}

type constant time.Duration

func (c constant) Sample(uint64) time.Duration { return time.Duration(c) }
func (c constant) Mean() time.Duration         { return time.Duration(c) }
func (c constant) String() string              { return time.Duration(c).String() }
func (c constant) Bounds() (lo, hi time.Duration, bounded bool) {
	return time.Duration(c), time.Duration(c), true
}

// Uniform returns the uniform distribution over lo, lo+1ns, ..., hi. It panics
// if hi < lo.
func Uniform(lo, hi time.Duration) Distribution {
	mustNotBeNegative(lo)
	if hi < lo {
		panic(fmt.Sprintf("des: uniform from %v down to %v", lo, hi))
	}
	return uniform{lo, hi}
}

type uniform struct{ lo, hi time.Duration }

func (u uniform) Sample(r uint64) time.Duration {
	// The bias of a multiplication without rejection, span/2^64, is below
	// what 10^9 samples could show for spans up to a minute; a rejection
	// would make the number of draws depend on the draws.
	k, _ := bits.Mul64(r, uint64(u.hi-u.lo)+1)
	return u.lo + time.Duration(k)
}

func (u uniform) Mean() time.Duration { return u.lo + (u.hi-u.lo)/2 }
func (u uniform) String() string      { return fmt.Sprintf("uniform(%v,%v)", u.lo, u.hi) }
func (u uniform) Bounds() (lo, hi time.Duration, bounded bool) {
	return u.lo, u.hi, true
}

// Exponential returns the exponential distribution of that mean.
func Exponential(mean time.Duration) Distribution {
	mustNotBeNegative(mean)
	return exponentialDist(mean)
}

type exponentialDist time.Duration

func (e exponentialDist) Sample(r uint64) time.Duration {
	return scale(time.Duration(e), exponential.at(r))
}

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

const (
	octaves  = 32
	cellLog  = 6
	cells    = 1 << cellLog
	fracLog  = 20
	pointLog = 32 // quantiles are in units of 2^-32
)

// quantiles is the inverse of a distribution function, in fixed point, dense
// where it is steep: each half of (0, 1) is cut into octaves towards its outer
// end, each octave into 64 cells, and a cell is a straight line. lower is the
// quantile at v/2, upper the one at 1-v/2; from v = 2^-32 in entry 0 to v = 1 in
// the last.
type quantiles struct {
	lower, upper [octaves*cells + 1]int64
}

// at is the quantile that belongs to the random word r.
func (q *quantiles) at(r uint64) int64 {
	half := &q.lower
	if r>>63 == 1 {
		half = &q.upper
	}
	v := r << 1
	octave := bits.LeadingZeros64(v)
	if octave >= octaves {
		return half[0]
	}
	v <<= octave + 1
	i := (octaves-1-octave)*cells + int(v>>(64-cellLog))
	frac := int64(v << cellLog >> (64 - fracLog))
	return half[i] + (half[i+1]-half[i])*frac>>fracLog
}

// scale is d times q, which is in units of 2^-32, rounded. It saturates at the
// longest duration.
func scale(d time.Duration, q int64) time.Duration {
	hi, lo := bits.Mul64(uint64(d), uint64(q))
	lo, carry := bits.Add64(lo, 1<<(pointLog-1), 0)
	hi += carry
	if hi >= 1<<(pointLog-1) {
		return 1<<63 - 1
	}
	return time.Duration(hi<<(64-pointLog) | lo>>pointLog)
}

// MaxDuration is the longest duration that ParseDistribution accepts as a
// constant, a bound or a mean: with it a run of a hundred thousand messages
// one after another stays before MaxTime.
const MaxDuration = 12 * time.Hour

// ParseDistribution reads a constant duration (`1ms`), `uniform(0,2ms)` or
// `exp(1ms)`. Durations are Go's: a number and a unit, ns, us, ms, s, m or h.
func ParseDistribution(text string) (Distribution, error) {
	name, args, call := strings.Cut(strings.TrimSpace(text), "(")
	if !call {
		d, err := parseDuration(name)
		if err != nil {
			return nil, fmt.Errorf("delay %q: %w; allowed are a duration such as 1ms, uniform(0,2ms) or exp(1ms)", text, err)
		}
		return Constant(d), nil
	}
	args, closed := strings.CutSuffix(args, ")")
	if !closed {
		return nil, fmt.Errorf("delay %q: the closing parenthesis is missing", text)
	}
	var ds []time.Duration
	for arg := range strings.SplitSeq(args, ",") {
		d, err := parseDuration(strings.TrimSpace(arg))
		if err != nil {
			return nil, fmt.Errorf("delay %q: %w", text, err)
		}
		ds = append(ds, d)
	}
	switch name = strings.TrimSpace(name); {
	case name == "uniform" && len(ds) == 2 && ds[0] <= ds[1]:
		return Uniform(ds[0], ds[1]), nil
	case name == "uniform" && len(ds) == 2:
		return nil, fmt.Errorf("delay %q: the lower bound is above the upper", text)
	case name == "uniform":
		return nil, fmt.Errorf("delay %q: uniform takes two durations, as in uniform(0,2ms)", text)
	case name == "exp" && len(ds) == 1:
		return Exponential(ds[0]), nil
	case name == "exp":
		return nil, fmt.Errorf("delay %q: exp takes one duration, the mean, as in exp(1ms)", text)
	}
	return nil, fmt.Errorf("delay %q: unknown distribution %q; allowed are a duration such as 1ms, uniform(0,2ms) or exp(1ms)", text, name)
}

func parseDuration(text string) (time.Duration, error) {
	switch d, err := time.ParseDuration(text); {
	case text == "":
		return 0, errors.New("a duration is missing")
	case err != nil && strings.Trim(text, "0123456789.") == "":
		return 0, fmt.Errorf("%q lacks a unit, as in %sms", text, text)
	case err != nil:
		return 0, fmt.Errorf("%q is not a duration", text)
	case d < 0:
		return 0, fmt.Errorf("%q is negative", text)
	case d > MaxDuration:
		return 0, fmt.Errorf("%q is above %v", text, MaxDuration)
	default:
		return d, nil
	}
}

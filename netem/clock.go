package netem

import (
	"math/bits"
	"time"

	"bullring/des"
	"bullring/protocols"
)

// Clock is the clock of a process. At the instant since it showed shown, and from then on it
// gains drift nanoseconds a second. The zero Clock is right.
type Clock struct {
	since, shown des.Time
	drift        int64
}

const second = int64(time.Second)

// Shows is the reading of the clock at t.
func (c *Clock) Shows(t des.Time) des.Time {
	d := t - c.since
	return c.shown + d + des.Time(scaled(int64(d), c.drift, second))
}

// When is the first instant at which the clock shows t or more.
func (c *Clock) When(t des.Time) des.Time {
	d := int64(t - c.shown)
	if d <= 0 {
		return c.since
	}
	at := c.since.After(time.Duration(scaled(d, second, second+c.drift)))
	for at < des.MaxTime && c.Shows(at) < t { // the division rounds down
		at++
	}
	return at
}

// Adjusted is the clock after it was set forward by step at now. From then on it gains drift
// nanoseconds a second, or loses them, less than a second a second.
func (c *Clock) Adjusted(now des.Time, step time.Duration, drift int64) Clock {
	return Clock{since: now, shown: c.Shows(now).Add(step), drift: max(drift, 1-second)}
}

// scaled is a*b/c, rounded towards zero and at most MaxTime, for a >= 0 and c > 0.
func scaled(a, b, c int64) int64 {
	negative := b < 0
	if negative {
		b = -b
	}
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	if hi >= uint64(c) {
		return int64(des.MaxTime)
	}
	q, _ := bits.Div64(hi, lo, uint64(c))
	r := int64(min(q, uint64(des.MaxTime)))
	if negative {
		return -r
	}
	return r
}

// Reading is the reading of a process's clock.
func (w *Network[M]) Reading(id protocols.ID) time.Duration {
	return w.engine.reading(&w.seats[id].host)
}

// AdjustClock sets the clock of a process forward by step, or back if step is negative. From
// now on the clock gains drift nanoseconds a second, or loses them, less than a second a
// second. Timers expire when this clock shows their time.
func (w *Network[M]) AdjustClock(id protocols.ID, step time.Duration, drift int64) {
	w.engine.adjust(&w.seats[id].host, step, drift)
}

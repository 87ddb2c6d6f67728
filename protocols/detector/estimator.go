package detector

import (
	"math"
	"time"
)

// estimator foretells the heartbeats of one life of a neighbour.
type estimator interface {
	// heard notes the latest heartbeat, by its number, and returns the deadline of the
	// next one. Instants are those of the clock of the observer.
	heard(now time.Duration, number uint64) (deadline time.Duration)
}

// estimators returns a function that makes estimators. The configuration is complete.
func (c Config) estimators() func() estimator {
	switch c.Method {
	case Adaptive:
		return func() estimator {
			return &adaptive{period: c.Period, margin: c.Margin, offsets: window{size: c.Window}}
		}
	case Phi:
		z := quantile(c.Threshold)
		return func() estimator {
			return &accrual{first: c.First, deviation: float64(c.Deviation), quantile: z, intervals: window{size: c.Window}}
		}
	}
	return func() estimator { return constant(c.Timeout) }
}

// constant is the fixed timeout.
type constant time.Duration

func (c constant) heard(now time.Duration, _ uint64) time.Duration {
	return now + time.Duration(c)
}

// adaptive is NFD-E of Chen, Toueg and Aguilera. Heartbeat i leaves at i periods of the
// clock of the sender and arrives at A_i. So A_i less i periods, on average over the
// window, is the arrival of a heartbeat 0, and the next heartbeat is expected its number
// of periods later. Clocks need not agree.
type adaptive struct {
	period, margin time.Duration
	origin         time.Duration // the first A_i less i periods
	offsets        window        // the later ones, less origin
}

func (a *adaptive) heard(now time.Duration, number uint64) time.Duration {
	zeroth := now - time.Duration(number)*a.period
	if len(a.offsets.values) == 0 {
		a.origin = zeroth
	}
	a.offsets.add(zeroth - a.origin)
	return a.origin + a.offsets.mean() + time.Duration(number+1)*a.period + a.margin
}

// accrual is phi. It takes the intervals between heartbeats for normally distributed, with
// the mean and the deviation of the window. So phi reaches the threshold when the present
// interval exceeds the mean by quantile deviations.
type accrual struct {
	first     time.Duration
	deviation float64 // the lower bound, in nanoseconds
	quantile  float64
	before    time.Duration // the heartbeat before
	begun     bool
	intervals window
}

func (a *accrual) heard(now time.Duration, _ uint64) time.Duration {
	interval := now - a.before
	a.before = now
	if !a.begun {
		a.begun = true
		return now + a.first
	}
	a.intervals.add(interval)
	wait := float64(a.intervals.mean()) + float64(a.quantile*max(a.deviation, a.intervals.deviation()))
	return now + time.Duration(min(max(wait, 0), forever))
}

// forever is some 70 years in nanoseconds, the length of the longest run.
const forever = 1 << 61

// window is the last durations of a series, at most size of them.
type window struct {
	values []time.Duration
	next   int // the index of the oldest, when the window is full
	size   int
	sum    time.Duration
}

func (w *window) add(d time.Duration) {
	w.sum += d
	if len(w.values) < w.size {
		w.values = append(w.values, d)
		return
	}
	w.sum -= w.values[w.next]
	w.values[w.next] = d
	w.next = (w.next + 1) % w.size
}

// mean is the mean, rounded towards 0 to a nanosecond.
func (w *window) mean() time.Duration { return w.sum / time.Duration(len(w.values)) }

// deviation is the standard deviation of the window as a whole population, in
// nanoseconds. Every product in a sum is rounded by itself, so that the result is the
// same on every machine.
func (w *window) deviation() float64 {
	mean, squares := w.mean(), 0.0
	for _, d := range w.values {
		x := float64(d - mean)
		squares += float64(x * x)
	}
	return math.Sqrt(squares / float64(len(w.values)))
}

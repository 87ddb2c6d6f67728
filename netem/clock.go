package netem

import (
	"math/bits"
	"time"

	"bullring/des"
	"bullring/protocols"
)

// clock is what a process has for a clock: from the instant since on, at which
// it showed shown, it gains drift nanoseconds a second.
type clock struct {
	since, shown des.Time
	drift        int64
}

const second = int64(time.Second)

// shows is what the clock shows at t.
func (c *clock) shows(t des.Time) des.Time {
	d := t - c.since
	return c.shown + d + des.Time(scaled(int64(d), c.drift, second))
}

// when is the instant at which the clock reaches t, to the nanosecond: it then
// shows t or more.
func (c *clock) when(t des.Time) des.Time {
	d := int64(t - c.shown)
	if d <= 0 {
		return c.since
	}
	at := c.since.After(time.Duration(scaled(d, second, second+c.drift)))
	for at < des.MaxTime && c.shows(at) < t { // the division rounds down
		at++
	}
	return at
}

// scaled is a*b/c, rounded towards zero, and at most the last instant; a is not
// negative and c positive.
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

// Reading is what the clock of the process at an address shows.
func (w *Network[M]) Reading(id protocols.ID) time.Duration { return w.engine.seats[id].Now() }

// AdjustClock sets the clock of a process forward by step, back if it is
// negative, and has it gain drift nanoseconds a second from now on, lose them if
// that is negative; above -1 s a second. Timers run on that clock: they expire
// when it shows their time.
func (w *Network[M]) AdjustClock(id protocols.ID, step time.Duration, drift int64) {
	w.engine.adjust(&w.engine.seats[id], step, drift)
}

func (e *engine) adjust(s *seat, step time.Duration, drift int64) {
	now := e.queue.Now()
	if e.rough.clocks == nil {
		e.rough.clocks = make([]clock, len(e.seats))
	}
	c := &e.rough.clocks[s.id]
	old := *c
	*c = clock{since: now, shown: old.shows(now).Add(step), drift: max(drift, 1-second)}
	if e.timers == nil {
		return
	}
	for _, t := range e.timers[s.id] {
		if at, pending := e.queue.Armed(t.timer); pending {
			e.queue.Reset(t.timer, max(now, c.when(old.shows(at))))
		}
	}
}

package des

import (
	"fmt"
	"time"

	"github.com/jonboulle/clockwork"
)

// Alarm is the part of a [Queue] that a clock needs: the present instant and one
// timer.
type Alarm interface {
	Now() Time
	Reset(tm Timer, t Time)
	Cancel(tm Timer) bool
}

// Clock is a clockwork.Clock on virtual time, for code that runs inside the event
// loop. It counts time from [Origin]. Callbacks run in the loop, at their instant, in
// the order (instant, setting); there are no goroutines.
//
// One call of Fire runs everything that is due. A running ticker keeps a run from
// coming to rest.
//
// Code inside the loop cannot wait, because time passes only when the loop goes on:
// Sleep panics, and a channel of After, a timer or a ticker delivers only when its
// instant has come.
//
// clockwork.WithTimeout and clockwork.WithDeadline do not work with this clock: they
// use real time with every clock except clockwork's own fake.
type Clock struct {
	alarm   Alarm
	timer   Timer
	waiters *Queue[*waiter]
	set     Time // the instant of the alarm, MaxTime+1 without one
}

var _ clockwork.Clock = (*Clock)(nil)

// Origin is the instant 0 of virtual time.
var Origin = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// NewClock returns a clock that runs on a queue. It takes over the timer: whenever the
// timer expires, the loop has to call [Clock.Fire].
func NewClock(alarm Alarm, timer Timer) *Clock {
	return &Clock{alarm: alarm, timer: timer, waiters: NewQueue[*waiter](), set: MaxTime + 1}
}

// Fire runs the callbacks and timers that are due. The loop calls it when the clock's
// timer expires.
func (c *Clock) Fire() {
	c.set = MaxTime + 1
	for {
		e, ok := c.waiters.Peek()
		if !ok || e.At > c.alarm.Now() {
			break
		}
		c.waiters.Next()
		e.Item.expire(e.At)
	}
	c.arm()
}

// arm sets the alarm to the first waiter.
func (c *Clock) arm() {
	e, ok := c.waiters.Peek()
	switch {
	case !ok:
		c.alarm.Cancel(c.timer)
		c.set = MaxTime + 1
	case e.At != c.set:
		c.set = e.At
		c.alarm.Reset(c.timer, max(e.At, c.alarm.Now()))
	}
}

// Now returns the present instant.
func (c *Clock) Now() time.Time { return c.wall(c.alarm.Now()) }

// Since returns how long ago t was.
func (c *Clock) Since(t time.Time) time.Duration { return c.Now().Sub(t) }

// Until returns how far ahead t is.
func (c *Clock) Until(t time.Time) time.Duration { return t.Sub(c.Now()) }

// Sleep panics: the instant comes only after the caller has returned.
func (c *Clock) Sleep(d time.Duration) {
	panic(fmt.Sprintf("des: Sleep(%v) on the virtual clock would never return; use AfterFunc to continue later", d))
}

// After returns a channel that receives the instant when d has passed.
func (c *Clock) After(d time.Duration) <-chan time.Time { return c.NewTimer(d).Chan() }

// AfterFunc calls f in the event loop when d has passed.
func (c *Clock) AfterFunc(d time.Duration, f func()) clockwork.Timer {
	return c.newWaiter(d, 0, f)
}

// NewTimer returns a timer whose channel receives the instant when d has passed.
func (c *Clock) NewTimer(d time.Duration) clockwork.Timer {
	return c.newWaiter(d, 0, nil)
}

// NewTicker returns a ticker whose channel receives the instant every d. A tick that
// finds the channel full is dropped. NewTicker panics unless d > 0.
func (c *Clock) NewTicker(d time.Duration) clockwork.Ticker {
	return ticker{c.newWaiter(d, mustBePositive(d), nil)}
}

func mustBePositive(d time.Duration) time.Duration {
	if d <= 0 {
		panic(fmt.Sprintf("des: a ticker of %v; the period must be positive", d))
	}
	return d
}

func (c *Clock) wall(t Time) time.Time { return Origin.Add(time.Duration(t)) }

// waiter is a timer or a ticker.
type waiter struct {
	clock  *Clock
	timer  Timer // in clock.waiters; 0 if not armed
	period time.Duration
	f      func()
	ch     chan time.Time
}

func (c *Clock) newWaiter(d, period time.Duration, f func()) *waiter {
	w := &waiter{clock: c, period: period, f: f}
	if f == nil {
		w.ch = make(chan time.Time, 1)
	}
	w.arm(d)
	return w
}

func (w *waiter) arm(d time.Duration) {
	c := w.clock
	if w.timer == 0 {
		w.timer = c.waiters.NewTimer(Timeout, w)
	}
	c.waiters.Reset(w.timer, c.alarm.Now().After(max(d, 0)))
	c.arm()
}

// disarm stops the waiter and empties its channel, as the timers of Go 1.23 do. It reports
// whether it stopped anything.
func (w *waiter) disarm() bool {
	stopped := false
	select {
	case <-w.ch: // never ready without a channel
		stopped = true
	default:
	}
	if w.timer == 0 {
		return stopped
	}
	stopped = w.clock.waiters.Cancel(w.timer) || stopped
	w.clock.waiters.Release(w.timer)
	w.timer = 0
	w.clock.arm()
	return stopped
}

func (w *waiter) expire(at Time) {
	c := w.clock
	if w.period > 0 {
		c.waiters.Reset(w.timer, at.After(w.period))
	} else {
		c.waiters.Release(w.timer)
		w.timer = 0
	}
	if w.f != nil {
		w.f()
		return
	}
	select {
	case w.ch <- c.wall(at):
	default:
	}
}

// Chan returns the channel, nil for a timer of AfterFunc.
func (w *waiter) Chan() <-chan time.Time { return w.ch }

// Reset re-arms the timer. It reports whether it was armed.
func (w *waiter) Reset(d time.Duration) bool {
	armed := w.disarm()
	w.arm(d)
	return armed
}

// Stop disarms the timer. It reports whether it was armed.
func (w *waiter) Stop() bool { return w.disarm() }

// ticker gives a waiter the methods of a clockwork.Ticker.
type ticker struct{ w *waiter }

func (t ticker) Chan() <-chan time.Time { return t.w.ch }

func (t ticker) Reset(d time.Duration) {
	t.w.period = mustBePositive(d)
	t.w.Reset(d)
}

func (t ticker) Stop() { t.w.Stop() }

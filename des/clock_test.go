package des_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"bullring/des"

	"github.com/jonboulle/clockwork"
)

// loop is the smallest event loop with a clock: the items of its queue are functions to
// call.
type loop struct {
	*des.Clock
	queue *des.Queue[func()]
}

func newLoop() *loop {
	l := &loop{queue: des.NewQueue[func()]()}
	alarm := l.queue.NewTimer(des.Probe, func() { l.Fire() })
	l.Clock = des.NewClock(l.queue, alarm)
	return l
}

// step handles one event.
func (l *loop) step() bool {
	e, ok := l.queue.Next()
	if ok {
		e.Item()
	}
	return ok
}

func (l *loop) run() {
	for l.step() {
	}
}

// at schedules a call of f that the clock knows nothing of.
func (l *loop) at(d time.Duration, c des.Class, f func()) {
	l.queue.At(des.Time(d), c, f)
}

// elapsed is the present instant by the clock.
func (l *loop) elapsed() time.Duration { return l.Since(des.Origin) }

// arrived receives an instant, as a duration since the beginning; -1 if the channel is empty.
func arrived(ch <-chan time.Time) time.Duration {
	select {
	case t := <-ch:
		return t.Sub(des.Origin)
	default:
		return -1
	}
}

// panicOf is the text of the value with which f panics.
func panicOf(f func()) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprint(r)
		}
	}()
	f()
	return ""
}

func TestClockIsAClockworkClock(t *testing.T) {
	var _ clockwork.Clock = newLoop()
}

func TestClockTellsVirtualTime(t *testing.T) {
	l := newLoop()
	if !l.Now().Equal(des.Origin) {
		t.Errorf("the clock starts at %v; want %v", l.Now(), des.Origin)
	}
	const when = 90 * time.Minute
	l.at(when, des.Fault, func() {
		if got := l.Now(); !got.Equal(des.Origin.Add(when)) {
			t.Errorf("Now() = %v at %v", got, when)
		}
		if got := l.Since(des.Origin.Add(time.Hour)); got != 30*time.Minute {
			t.Errorf("Since = %v; want 30m", got)
		}
		if got := l.Until(des.Origin.Add(2 * time.Hour)); got != 30*time.Minute {
			t.Errorf("Until = %v; want 30m", got)
		}
	})
	l.run()
	if l.elapsed() != when {
		t.Error("the event did not happen")
	}
}

// Callbacks run in the order (instant, setting). A duration that is not positive means now.
func TestAfterFuncOrder(t *testing.T) {
	l := newLoop()
	var got []string
	for i, d := range []time.Duration{5, 3, 5, -7, 3, 0, 1} {
		l.AfterFunc(d, func() { got = append(got, fmt.Sprintf("%d at %d", i, l.elapsed())) })
	}
	if got != nil {
		t.Fatalf("AfterFunc itself called %v", got)
	}
	l.run()
	want := []string{"3 at 0", "5 at 0", "6 at 1", "1 at 3", "4 at 3", "0 at 5", "2 at 5"}
	if !slices.Equal(got, want) {
		t.Errorf("called %v; want %v", got, want)
	}
}

func TestAfterFuncHasNoChannel(t *testing.T) {
	if newLoop().AfterFunc(1, func() {}).Chan() != nil {
		t.Error("the timer of AfterFunc has a channel")
	}
}

func TestTimerChannels(t *testing.T) {
	l := newLoop()
	timer, after, never := l.NewTimer(4).Chan(), l.After(2), l.NewTimer(3)
	never.Stop()
	l.at(2, des.Timeout, func() {
		if arrived(after) != -1 {
			t.Error("the channel has the instant before the clock's class has come")
		}
	})
	l.run()
	if got := arrived(after); got != 2 {
		t.Errorf("After gave %d; want 2", got)
	}
	if got := arrived(timer); got != 4 {
		t.Errorf("the timer gave %d; want 4", got)
	}
	if got := arrived(timer); got != -1 {
		t.Errorf("the timer gave %d as well", got)
	}
	if got := arrived(never.Chan()); got != -1 {
		t.Errorf("the stopped timer gave %d", got)
	}
}

// Stop and Reset report whether the timer was armed. A stopped or expired timer can be armed
// again.
func TestStopAndReset(t *testing.T) {
	l := newLoop()
	var calls []time.Duration
	tm := l.AfterFunc(10, func() { calls = append(calls, l.elapsed()) })
	expect := func(what string, got, want bool) {
		t.Helper()
		if got != want {
			t.Errorf("at %d: %s = %v; want %v", l.elapsed(), what, got, want)
		}
	}
	l.at(1, des.Fault, func() { expect("Stop of an armed timer", tm.Stop(), true) })
	l.at(2, des.Fault, func() { expect("Stop of a stopped timer", tm.Stop(), false) })
	l.at(3, des.Fault, func() { expect("Reset of a stopped timer", tm.Reset(4), false) })
	l.at(4, des.Fault, func() { expect("Reset of an armed timer", tm.Reset(5), true) })
	l.at(20, des.Fault, func() { expect("Stop of an expired timer", tm.Stop(), false) })
	l.at(21, des.Fault, func() { expect("Reset of an expired timer", tm.Reset(2), false) })
	l.run()
	if want := []time.Duration{9, 23}; !slices.Equal(calls, want) {
		t.Errorf("called at %v; want %v", calls, want)
	}
}

// A timer that is reset comes last among those of its instant.
func TestResetLosesThePlaceInTheOrder(t *testing.T) {
	l := newLoop()
	var got []string
	a := l.AfterFunc(5, func() { got = append(got, "a") })
	l.AfterFunc(5, func() { got = append(got, "b") })
	a.Reset(5)
	l.run()
	if strings.Join(got, "") != "ba" {
		t.Errorf("called %v; want b, a", got)
	}
}

func TestStopWithinTheInstant(t *testing.T) {
	l := newLoop()
	var second clockwork.Timer
	l.AfterFunc(5, func() {
		if !second.Stop() {
			t.Error("the second timer of the instant is no longer armed")
		}
	})
	second = l.AfterFunc(5, func() { t.Error("the stopped timer expired") })
	l.run()
}

// A callback finds its own timer disarmed and may arm it again.
func TestReentrancy(t *testing.T) {
	l := newLoop()
	var calls []time.Duration
	var tm clockwork.Timer
	tm = l.AfterFunc(2, func() {
		calls = append(calls, l.elapsed())
		if tm.Stop() {
			t.Error("the timer is armed during its own callback")
		}
		if len(calls) < 4 && tm.Reset(time.Duration(len(calls)-1)) {
			t.Error("the timer was armed when its callback reset it")
		}
	})
	l.run()
	if want := []time.Duration{2, 2, 3, 5}; !slices.Equal(calls, want) {
		t.Errorf("called at %v; want %v", calls, want)
	}
}

// A timer that a callback sets for the present instant expires at that instant, after those
// that were set before.
func TestCallbacksThatSetMoreAtTheSameInstant(t *testing.T) {
	l := newLoop()
	var got []string
	note := func(name string) func() {
		return func() { got = append(got, fmt.Sprintf("%s at %d", name, l.elapsed())) }
	}
	l.AfterFunc(5, func() {
		note("a")()
		l.AfterFunc(0, func() {
			note("c")()
			l.AfterFunc(0, note("d"))
		})
		l.AfterFunc(1, note("e"))
	})
	l.AfterFunc(5, note("b"))
	l.run()
	want := []string{"a at 5", "b at 5", "c at 5", "d at 5", "e at 6"}
	if !slices.Equal(got, want) {
		t.Errorf("called %v; want %v", got, want)
	}
}

func TestTickerDropsTicksThatFindTheChannelFull(t *testing.T) {
	l := newLoop()
	ticker := l.NewTicker(10)
	var got []time.Duration
	look := func() { got = append(got, arrived(ticker.Chan())) }
	l.at(10, des.Timeout, look) // the clock's class comes later at this instant
	l.at(11, des.Timeout, look)
	l.at(35, des.Timeout, look) // the tick at 20; the one at 30 was dropped
	l.at(36, des.Timeout, look)
	l.at(41, des.Timeout, look)
	l.at(45, des.Timeout, ticker.Stop)
	l.at(60, des.Timeout, look)
	l.run()
	if want := []time.Duration{-1, 10, 20, -1, 40, -1}; !slices.Equal(got, want) {
		t.Errorf("the channel gave %v; want %v", got, want)
	}
	if l.elapsed() != 60 {
		t.Errorf("the stopped ticker kept the loop alive until %d", l.elapsed())
	}
}

func TestTickerReset(t *testing.T) {
	l := newLoop()
	ticker := l.NewTicker(10)
	var got []time.Duration
	var watch func()
	watch = func() {
		if at := arrived(ticker.Chan()); at >= 0 {
			got = append(got, at)
		}
		if l.elapsed() < 60 {
			l.at(l.elapsed()+1, des.Fault, watch)
		}
	}
	watch()
	l.at(25, des.Timeout, func() { ticker.Reset(4) })
	l.at(34, des.Timeout, ticker.Stop)
	l.at(50, des.Timeout, func() { ticker.Reset(3) })
	l.at(57, des.Timeout, ticker.Stop)
	l.run()
	if want := []time.Duration{10, 20, 29, 33, 53, 56}; !slices.Equal(got, want) {
		t.Errorf("ticks at %v; want %v", got, want)
	}
}

func TestTickersNeedAPositivePeriod(t *testing.T) {
	l := newLoop()
	good := l.NewTicker(1)
	for _, d := range []time.Duration{0, -time.Second} {
		for name, f := range map[string]func(){
			"NewTicker": func() { l.NewTicker(d) },
			"Reset":     func() { good.Reset(d) },
		} {
			if got := panicOf(f); !strings.Contains(got, "must be positive") || !strings.Contains(got, d.String()) {
				t.Errorf("%s(%v) panics with %q; want a sentence that names the period", name, d, got)
			}
		}
	}
}

func TestSleepPointsToAfterFunc(t *testing.T) {
	got := panicOf(func() { newLoop().Sleep(time.Second) })
	if !strings.Contains(got, "AfterFunc") || !strings.Contains(got, "1s") {
		t.Errorf("Sleep panics with %q; want a sentence that names AfterFunc", got)
	}
}

// The clock shares the queue with other events. At one instant the class of the clock's
// timer decides the order.
func TestClockInterleavesWithOtherEvents(t *testing.T) {
	for _, class := range []des.Class{des.Fault, des.Probe} {
		queue := des.NewQueue[func()]()
		var clock *des.Clock
		clock = des.NewClock(queue, queue.NewTimer(class, func() { clock.Fire() }))
		var got []string
		for d := range time.Duration(4) {
			at := 3 - d // from the last to the first: every setting moves the alarm
			clock.AfterFunc(at, func() { got = append(got, fmt.Sprintf("clock %d", clock.Since(des.Origin))) })
			queue.At(des.Time(at), des.Delivery, func() { got = append(got, fmt.Sprintf("event %d", queue.Now())) })
		}
		for {
			e, ok := queue.Next()
			if !ok {
				break
			}
			e.Item()
		}
		var want []string
		for at := range 4 {
			both := []string{fmt.Sprintf("clock %d", at), fmt.Sprintf("event %d", at)}
			if class == des.Probe {
				slices.Reverse(both)
			}
			want = append(want, both...)
		}
		if !slices.Equal(got, want) {
			t.Errorf("a clock of class %v: %v; want %v", class, got, want)
		}
	}
}

// An idle clock leaves nothing in the queue, so a run can end.
func TestIdleClockLeavesNothingPending(t *testing.T) {
	l := newLoop()
	a, b := l.AfterFunc(5, func() {}), l.NewTicker(3)
	if l.queue.Len() != 1 {
		t.Errorf("%d events pending for two waiters; want the one alarm", l.queue.Len())
	}
	a.Stop()
	b.Stop()
	if l.queue.Len() != 0 {
		t.Errorf("%d events pending for no waiter", l.queue.Len())
	}
}

// Expired and stopped timers are forgotten: a clock on which timer follows timer does not
// grow.
func TestExpiredTimersAreForgotten(t *testing.T) {
	l := newLoop()
	live := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	round := func() {
		for range 50_000 {
			l.AfterFunc(1, func() {})
			l.AfterFunc(5, func() {}).Stop()
			l.step()
		}
	}
	round() // lets the queues find their size
	before := live()
	round()
	round()
	if grown := live() - before; grown > 1<<20 {
		t.Errorf("%d bytes more are in use after 200,000 timers more", grown)
	}
	runtime.KeepAlive(l)
}

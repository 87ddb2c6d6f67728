package des_test

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"bullring/des"

	"github.com/jonboulle/clockwork"
	"pgregory.net/rapid"
)

// loop is the smallest event loop with a clock in it: an item of the queue is
// what is to be done.
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

// step lets one event happen.
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

// at has f called at an instant by an event that is none of the clock's.
func (l *loop) at(d time.Duration, c des.Class, f func()) {
	l.queue.At(des.Time(d), c, f)
}

// elapsed is the present instant as the clock tells it.
func (l *loop) elapsed() time.Duration { return l.Since(des.Origin) }

// arrived takes what is in a channel, as a duration since the beginning; -1 if
// there is nothing.
func arrived(ch <-chan time.Time) time.Duration {
	select {
	case t := <-ch:
		return t.Sub(des.Origin)
	default:
		return -1
	}
}

// panicOf is what f panics with, as text.
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

// Callbacks come in the order (instant, setting), whatever the order of the
// calls; a duration that is not positive means now.
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

// Stop and Reset report whether the timer was armed; a stopped and an expired
// timer can be armed again.
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

// A timer that is reset is set anew: among those of its instant it comes last.
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

// What a callback sets for the present instant happens at it, after what was
// set before.
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

// The clock shares the queue with other events: each instant belongs to both,
// and the class of the clock's timer decides who is first at it.
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

// A clock on which nothing waits leaves nothing in the queue, so that a run
// can end.
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

// A timer that has expired, or was stopped, is forgotten: a clock on which
// timer follows timer does not grow.
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

// stopper is what the model has of a clockwork.Timer.
type stopper interface {
	Stop() bool
	Reset(time.Duration) bool
}

// world is a clock as the model test drives it.
type world interface {
	afterFunc(time.Duration, func()) stopper
	advance() bool // to the next instant at which something is due
	elapsed() time.Duration
}

func (l *loop) advance() bool { return l.step() }
func (l *loop) afterFunc(d time.Duration, f func()) stopper {
	return l.AfterFunc(d, f)
}

// naive is a clock as a list of timers that is searched whenever it is asked.
type naive struct {
	now     time.Duration
	setting int
	armed   []*naiveTimer
}

type naiveTimer struct {
	n       *naive
	at      time.Duration
	setting int
	f       func()
}

func (n *naive) elapsed() time.Duration { return n.now }

func (n *naive) afterFunc(d time.Duration, f func()) stopper {
	t := &naiveTimer{n: n, f: f}
	t.Reset(d)
	return t
}

func (n *naive) advance() bool {
	first := n.first()
	if first == nil {
		return false
	}
	n.now = first.at
	for first != nil && first.at == n.now {
		first.Stop()
		first.f()
		first = n.first()
	}
	return true
}

func (n *naive) first() *naiveTimer {
	if len(n.armed) == 0 {
		return nil
	}
	return slices.MinFunc(n.armed, func(a, b *naiveTimer) int {
		if a.at != b.at {
			return cmp.Compare(a.at, b.at)
		}
		return a.setting - b.setting
	})
}

func (t *naiveTimer) Stop() bool {
	i := slices.Index(t.n.armed, t)
	if i < 0 {
		return false
	}
	t.n.armed = slices.Delete(t.n.armed, i, i+1)
	return true
}

func (t *naiveTimer) Reset(d time.Duration) bool {
	armed := t.Stop()
	t.n.setting++
	t.at, t.setting = t.n.now+max(d, 0), t.n.setting
	t.n.armed = append(t.n.armed, t)
	return armed
}

// action is one call of a random program.
type action struct {
	verb   string
	d      time.Duration
	target int
}

// play runs a program and returns all that could be seen. Every callback does
// one of the inner actions while there are any left.
func play(w world, outer, inner []action) (seen []string) {
	var timers []stopper
	var do func(a action)
	set := func(d time.Duration) {
		id := len(timers)
		timers = append(timers, nil)
		timers[id] = w.afterFunc(d, func() {
			seen = append(seen, fmt.Sprintf("%d expires at %d", id, w.elapsed()))
			if len(inner) > 0 {
				a := inner[0]
				inner = inner[1:]
				do(a)
			}
		})
	}
	do = func(a action) {
		switch {
		case a.verb == "set":
			set(a.d)
		case a.verb == "advance":
			seen = append(seen, fmt.Sprintf("advance %v to %d", w.advance(), w.elapsed()))
		case len(timers) == 0:
		case a.verb == "stop":
			i := a.target % len(timers)
			seen = append(seen, fmt.Sprintf("stop %d %v", i, timers[i].Stop()))
		case a.verb == "reset":
			i := a.target % len(timers)
			seen = append(seen, fmt.Sprintf("reset %d %v", i, timers[i].Reset(a.d)))
		}
	}
	for _, a := range outer {
		do(a)
	}
	for w.advance() {
	}
	return seen
}

// TestClockAgainstModel plays random programs on the clock and on a list. The
// durations have few distinct values, so that most instants have several
// timers.
func TestClockAgainstModel(t *testing.T) {
	actions := func(verbs ...string) *rapid.Generator[[]action] {
		return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) action {
			return action{
				verb:   rapid.SampledFrom(verbs).Draw(t, "verb"),
				d:      rapid.SampledFrom([]time.Duration{-1, 0, 0, 1, 2, 3, 7, 1 << 20, 1 << 40}).Draw(t, "d"),
				target: rapid.IntRange(0, 30).Draw(t, "target"),
			}
		}), 0, 60)
	}
	rapid.Check(t, func(t *rapid.T) {
		outer := actions("set", "set", "stop", "reset", "advance").Draw(t, "outer")
		inner := actions("set", "stop", "reset").Draw(t, "inner")
		got, want := play(newLoop(), outer, inner), play(&naive{}, outer, inner)
		if !slices.Equal(got, want) {
			t.Fatalf("the clock did\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
}

package des

import (
	"fmt"
	"slices"
	"testing"

	"bullring/des/yardstick"

	"pgregory.net/rapid"
)

// model is a queue that sorts a slice whenever it is asked.
type model struct {
	now    Time
	seq    uint64
	events []Event[int]
	timers map[Timer]uint64 // key of the present setting
}

func (m *model) at(t Time, c Class, item int) {
	m.seq++
	m.events = append(m.events, Event[int]{t, makeKey(c, m.seq, 0), item})
}

func (m *model) reset(tm Timer, t Time, c Class, item int) {
	m.cancel(tm)
	m.seq++
	key := makeKey(c, m.seq, tm)
	m.events = append(m.events, Event[int]{t, key, item})
	m.timers[tm] = key
}

func (m *model) cancel(tm Timer) bool {
	key, armed := m.timers[tm]
	if armed {
		m.events = slices.DeleteFunc(m.events, func(e Event[int]) bool { return e.key == key })
		delete(m.timers, tm)
	}
	return armed
}

func (m *model) pending() []Event[int] {
	slices.SortFunc(m.events, compareEvents)
	return m.events
}

func (m *model) next() (Event[int], bool) {
	if len(m.events) == 0 {
		return Event[int]{}, false
	}
	e := m.pending()[0]
	m.events = slices.Delete(m.events, 0, 1)
	delete(m.timers, e.slot())
	m.now = e.At
	return e, true
}

// TestQueueAgainstModel makes the same calls of the queue and of the model. Delays are drawn
// on very different scales, with few distinct values each, so that ties, moved timers and
// changes of the window width are common.
func TestQueueAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &machine{queue: NewQueue[int]()}
		m.reset()
		t.Repeat(rapid.StateMachineActions(m))
	})
}

// machine is the queue and the model. Its exported methods are the actions, Check is called
// after each of them.
type machine struct {
	queue  *Queue[int]
	model  *model
	timers []testTimer
	item   int // the last one
}

type testTimer struct {
	name  Timer
	class Class
	item  int
}

func (m *machine) reset() { m.model, m.timers = &model{timers: map[Timer]uint64{}}, nil }

var (
	anyClass = rapid.SampledFrom([]Class{Fault, Delivery, Timeout, Probe})
	anyDelay = rapid.Custom(func(t *rapid.T) Time {
		scale := rapid.SampledFrom([]Time{0, 1, 100, 1 << 15, 1 << 20, 1 << 24, 1 << 33, 1 << 45}).Draw(t, "scale")
		return scale * Time(rapid.IntRange(0, 6).Draw(t, "steps"))
	})
)

// timer draws one of the timers.
func (m *machine) timer(t *rapid.T) int {
	if len(m.timers) == 0 {
		t.Skip("no timer")
	}
	return rapid.IntRange(0, len(m.timers)-1).Draw(t, "timer")
}

func (m *machine) At(t *rapid.T) {
	c, d, k := anyClass.Draw(t, "class"), anyDelay.Draw(t, "delay"), rapid.IntRange(1, 300).Draw(t, "count")
	for i := range k {
		m.item++
		at := m.queue.Now() + d + Time(i%3)
		m.queue.At(at, c, m.item)
		m.model.at(at, c, m.item)
	}
}

func (m *machine) Next(t *rapid.T) {
	got, ok := m.queue.Next()
	want, wok := m.model.next()
	if ok != wok || got != want {
		t.Fatalf("Next() = %v, %v; want %v, %v", got, ok, want, wok)
	}
	if ok && m.queue.Now() != want.At {
		t.Fatalf("Now() = %v after an event at %v", m.queue.Now(), want.At)
	}
}

func (m *machine) Advance(t *rapid.T) {
	at := m.queue.Now() + anyDelay.Draw(t, "by")
	if pending := m.model.pending(); len(pending) > 0 {
		at = min(at, pending[0].At)
	}
	m.queue.Advance(at)
	if m.queue.Now() != at {
		t.Fatalf("Now() = %v after Advance(%v)", m.queue.Now(), at)
	}
}

func (m *machine) Drain(t *rapid.T) {
	for range rapid.IntRange(1, 400).Draw(t, "count") {
		m.Next(t)
	}
}

func (m *machine) NewTimer(t *rapid.T) {
	m.item++
	c := anyClass.Draw(t, "class")
	m.timers = append(m.timers, testTimer{m.queue.NewTimer(c, m.item), c, m.item})
}

func (m *machine) Reset(t *rapid.T) {
	tm, at := m.timers[m.timer(t)], m.queue.Now()+anyDelay.Draw(t, "delay")
	m.queue.Reset(tm.name, at)
	m.model.reset(tm.name, at, tm.class, tm.item)
}

func (m *machine) Cancel(t *rapid.T) {
	name := m.timers[m.timer(t)].name
	if got, want := m.queue.Cancel(name), m.model.cancel(name); got != want {
		t.Fatalf("Cancel() = %v; want %v", got, want)
	}
}

func (m *machine) Release(t *rapid.T) {
	i := m.timer(t)
	m.model.cancel(m.timers[i].name)
	m.queue.Release(m.timers[i].name)
	m.timers = slices.Delete(m.timers, i, i+1)
}

func (m *machine) Peek(t *rapid.T) {
	got, ok := m.queue.Peek()
	if want := m.model.pending(); ok != (len(want) > 0) || ok && got != want[0] {
		t.Fatalf("Peek() = %v, %v; want the first of %v", got, ok, want)
	}
}

func (m *machine) Clear(t *rapid.T) {
	if rapid.IntRange(0, 20).Draw(t, "rarely") > 0 {
		t.Skip()
	}
	m.queue.Clear()
	m.reset()
}

func (m *machine) Check(t *rapid.T) {
	if m.queue.Len() != len(m.model.events) {
		t.Fatalf("Len() = %d; want %d", m.queue.Len(), len(m.model.events))
	}
	if got, want := m.queue.Pending(), m.model.pending(); !slices.Equal(got, want) {
		t.Fatalf("Pending() = %v; want %v", got, want)
	}
}

// TestQueueLarge compares the queue with the heap on runs that are long enough
// for windows to adapt, over delays whose scale jumps.
func TestQueueLarge(t *testing.T) {
	for seed := range uint64(30) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := NewStream(seed, "large")
			q, h := NewQueue[int](), &yardstick.Heap[int]{}
			push := func(item int) {
				scale := uint(r.Intn(34))
				if r.Intn(3) > 0 {
					scale = uint(seed)
				}
				c := Class(r.Intn(4))
				at := q.Now() + Time(r.Intn(1000))<<scale>>4
				q.At(at, c, item)
				h.At(int64(at), uint8(c), item)
			}
			for i := range 20000 {
				push(i)
			}
			for i := 0; ; i++ {
				got, ok := q.Next()
				want, _ := h.Next()
				if int64(got.At) != want.At || got.Item != want.Item {
					t.Fatalf("event %d is %v; want %v", i, got, want)
				}
				if !ok {
					break
				}
				if i < 200_000 && (i/5000%2 == 0 || i%2 == 0) {
					push(i)
				}
			}
		})
	}
}

func TestQueueRefusesThePast(t *testing.T) {
	for name, move := range map[string]func(*Queue[int]){
		"Next":    func(q *Queue[int]) { q.At(5, Delivery, 0); q.Next() },
		"Advance": func(q *Queue[int]) { q.Advance(5) },
	} {
		q := NewQueue[int]()
		move(q)
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("scheduling before now, after %s, did not panic", name)
				}
			}()
			q.At(4, Delivery, 0)
		}()
	}
}

// TestTimerOfAnEarlierClass: a timer is released while its event is queued, and its name is
// given to a timer of an earlier class at the same instant. The new timer does not wait for
// the old event. (The model test found that it did.)
func TestTimerOfAnEarlierClass(t *testing.T) {
	q := NewQueue[string]()
	q.At(0, Delivery, "message")
	late := q.NewTimer(Delivery, "late")
	q.Reset(late, 0)
	q.Release(late)
	q.Reset(q.NewTimer(Fault, "fault"), 0)
	for _, want := range []string{"fault", "message"} {
		if e, _ := q.Next(); e.Item != want {
			t.Errorf("next is %q; want %q", e.Item, want)
		}
	}
}

func TestCancelledTimersAreSweptOut(t *testing.T) {
	q := NewQueue[int]()
	for i := range 100_000 {
		tm := q.NewTimer(Timeout, i)
		q.Reset(tm, 1e12+Time(i))
		q.Cancel(tm)
		q.Release(tm)
	}
	queued := 0
	q.each(func(*Event[int]) { queued++ })
	if queued > 2*target {
		t.Errorf("%d events queued for no pending timer", queued)
	}
}

func TestSteadyStateDoesNotAllocate(t *testing.T) {
	for _, spread := range []int{1, 1000, 2_000_000} {
		q, r := NewQueue[[2]uint64](), NewStream(1, "allocations")
		tm := q.NewTimer(Timeout, [2]uint64{})
		for range 5000 {
			q.At(Time(r.Intn(spread)), Delivery, [2]uint64{})
		}
		hold := func() {
			for range 10_000 {
				e, _ := q.Next()
				q.At(e.At+1e6+Time(r.Intn(spread)), Delivery, e.Item)
				q.Reset(tm, e.At+5e6)
			}
		}
		for range 20 {
			hold()
		}
		if n := testing.AllocsPerRun(20, hold) / 10_000; n > 0.01 {
			t.Errorf("spread %d: %v allocations an event", spread, n)
		}
	}
}

// TestPeekThenSchedule: peeking at an event in a far window does not delay an event that is
// scheduled before that window. (On 32-bit machines it did.)
func TestPeekThenSchedule(t *testing.T) {
	q := NewQueue[string]()
	q.At(1<<40, Delivery, "far")
	q.Peek()
	q.At(1<<20, Delivery, "near")
	for _, want := range []string{"near", "far"} {
		if e, _ := q.Next(); e.Item != want {
			t.Errorf("next is %q; want %q", e.Item, want)
		}
	}
}

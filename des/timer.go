package des

import "fmt"

// Timer names a timer of a queue. The zero Timer is none.
type Timer uint32

// MaxTimers is the largest number of timers of a queue.
const MaxTimers = maxSlot

// timers holds the timers of a queue. A timer is re-armed lazily: setting it writes its
// slot, and its one event in the queue is moved when it becomes the earliest. The caller of
// the queue sees no difference.
type timers[T any] struct {
	slots []slot[T] // slot 0 is not used
	free  []Timer
	spent int // queued events that will not fire: the timer was re-armed earlier, or disarmed
}

type slot[T any] struct {
	at, queuedAt Time
	key          uint64 // of the present setting, 0 if disarmed
	queued       uint64 // key of the event in the queue, 0 for none
	class        Class
	item         T
}

func (ts *timers[T]) init() { ts.slots = make([]slot[T], 1) }

func (ts *timers[T]) clear() {
	clear(ts.slots)
	ts.slots, ts.free, ts.spent = ts.slots[:1], ts.free[:0], 0
}

// NewTimer returns a disarmed timer. When it expires, Next returns an event of this class
// and item. NewTimer panics if the queue has MaxTimers timers.
func (q *Queue[T]) NewTimer(c Class, item T) Timer {
	ts := &q.timers
	if k := len(ts.free); k > 0 {
		t := ts.free[k-1]
		ts.free = ts.free[:k-1]
		ts.slots[t].class, ts.slots[t].item = c, item
		return t
	}
	if len(ts.slots) > maxSlot {
		panic(fmt.Sprintf("des: more than %d timers", maxSlot))
	}
	ts.slots = append(ts.slots, slot[T]{class: c, item: item})
	return Timer(len(ts.slots) - 1)
}

// Timers is the number of timers, without the released ones.
func (q *Queue[T]) Timers() int { return len(q.timers.slots) - 1 - len(q.timers.free) }

// Release disarms a timer and removes it. A later timer may get its name.
func (q *Queue[T]) Release(t Timer) {
	q.Cancel(t)
	var none T
	q.timers.slots[t].item = none
	q.timers.free = append(q.timers.free, t)
}

// Reset arms or re-arms the timer to expire at t. Among the events of its class at t it is
// then the latest. It panics if t is before Now.
func (q *Queue[T]) Reset(tm Timer, t Time) {
	q.seq++
	q.check(t)
	s := &q.timers.slots[tm]
	if s.key == 0 {
		q.live++
		if s.queued != 0 {
			q.timers.spent--
		}
	}
	s.at, s.key = t, makeKey(s.class, q.seq, tm)
	switch {
	case s.queued == 0:
	case s.queuedAt < t || s.queuedAt == t && s.queued < s.key:
		return // the event in the queue comes first, and will be moved
	default:
		q.timers.spent++ // the event in the queue is too late
	}
	s.queued, s.queuedAt = s.key, t
	q.put(Event[T]{At: t, key: s.key})
	q.sweep()
}

// Cancel disarms the timer. It reports whether the timer was armed.
func (q *Queue[T]) Cancel(tm Timer) bool {
	s := &q.timers.slots[tm]
	if s.key == 0 {
		return false
	}
	s.key = 0
	q.live--
	q.timers.spent++
	q.sweep()
	return true
}

// Armed reports whether the timer is armed, and when it expires.
func (q *Queue[T]) Armed(tm Timer) (Time, bool) {
	s := &q.timers.slots[tm]
	return s.at, s.key != 0
}

// fires is called when an event of a timer leaves the queue. It reports whether the timer
// expires, and then completes the event. If the timer was re-armed, its event goes back
// into the queue.
func (q *Queue[T]) fires(e *Event[T]) bool {
	tm := e.slot()
	s := &q.timers.slots[tm]
	switch {
	case s.queued != e.key:
		q.timers.spent--
		return false
	case s.key == 0:
		s.queued = 0
		q.timers.spent--
		return false
	case s.key != e.key:
		s.queued, s.queuedAt = s.key, s.at
		q.put(Event[T]{At: s.at, key: s.key})
		return false
	}
	s.key, s.queued = 0, 0
	e.Item = s.item
	return true
}

// resolve returns the pending event that a queued one stands for. ok is false if there is
// none: the timer was disarmed, or has another event in the queue.
func (q *Queue[T]) resolve(e *Event[T]) (pending Event[T], ok bool) {
	tm := e.slot()
	if tm == 0 {
		return *e, true
	}
	s := &q.timers.slots[tm]
	if s.queued != e.key || s.key == 0 {
		return Event[T]{}, false
	}
	return Event[T]{s.at, s.key, s.item}, true
}

// sweep removes the events that will not fire, once they are the majority.
func (q *Queue[T]) sweep() {
	if q.timers.spent <= target+q.live {
		return
	}
	all := make([]Event[T], 0, q.live)
	q.each(func(e *Event[T]) {
		if f, ok := q.resolve(e); ok {
			all = append(all, f)
		}
	})
	q.dropCurrent()
	q.future.clear()
	for i := range q.timers.slots {
		q.timers.slots[i].queued = 0
	}
	q.timers.spent = 0
	q.future.current = uint64(q.now) >> q.future.shift
	q.openWindow()
	for i := range all {
		if tm := all[i].slot(); tm != 0 {
			s := &q.timers.slots[tm]
			s.queued, s.queuedAt = s.key, s.at
		}
		q.put(all[i])
	}
}

package des

import (
	"fmt"
	"slices"
)

// Queue is the event set of one run: the pending events in the order (time, class,
// insertion). Create one with [NewQueue]. It is not safe for concurrent use: a goroutine
// needs a queue of its own.
//
// Scheduling and taking an event cost an amortised constant, for any number of pending
// events, and allocate nothing in the steady state.
type Queue[T any] struct {
	now  Time
	seq  uint64
	live int // pending events, armed timers included

	// The events that the current window held when it became current. run is in order
	// and served from head. If the bucket was in order already, rest is the chunk that
	// run shows, followed by the chunks to come.
	run  []Event[T]
	head int
	rest *chunk[T]

	side   side[T]   // the events scheduled into the current window since then
	future future[T] // the windows after it
	timers timers[T]
}

// NewQueue returns an empty queue at time 0.
func NewQueue[T any]() *Queue[T] {
	q := &Queue[T]{}
	q.future.init()
	q.timers.init()
	q.openWindow()
	return q
}

// Now is the instant of the last event that Next returned, or a later one to which Advance
// moved it; 0 before.
func (q *Queue[T]) Now() Time { return q.now }

// Advance moves Now forward to t. No event before t may be pending.
func (q *Queue[T]) Advance(t Time) { q.now = t }

// Len is the number of pending events, armed timers included.
func (q *Queue[T]) Len() int { return q.live }

// At schedules an event. It panics if t is before Now or after [MaxTime].
func (q *Queue[T]) At(t Time, c Class, item T) {
	q.seq++
	q.live++
	key := makeKey(c, q.seq, 0)
	// The common case, without a call: t is in a near window after the current one, whose
	// bucket has room. Such a t is neither in the past nor too late.
	f := &q.future
	if w := uint64(t) >> (f.shift & 63); w-f.current-1 < ringLen-1 {
		if c := f.near[w%ringLen]; c != nil && c.n < chunkLen {
			e := c.append(t, key)
			e.At, e.key, e.Item = t, key, item
			return
		}
	}
	q.check(t)
	if t < q.side.end {
		q.side.push(Event[T]{t, key, item})
		if q.side.pushes%tooMany == 0 {
			q.narrow()
		}
		return
	}
	*q.future.place(t, key) = Event[T]{t, key, item}
}

// check refuses an event at t that has the latest insertion number.
func (q *Queue[T]) check(t Time) {
	if t < q.now || t > MaxTime || q.seq > maxSeq {
		q.refuse(t)
	}
}

func (q *Queue[T]) refuse(t Time) {
	switch {
	case t < q.now:
		panic(fmt.Sprintf("des: event scheduled at %v, which is before now (%v)", t, q.now))
	case t > MaxTime:
		panic(fmt.Sprintf("des: event scheduled at %v, which is after the last instant (%v)", t, MaxTime))
	}
	panic(fmt.Sprintf("des: more than %d events scheduled since the queue was new or cleared", uint64(maxSeq)))
}

// put schedules an event that has its key.
func (q *Queue[T]) put(e Event[T]) {
	if e.At < q.side.end {
		q.side.push(e)
		return
	}
	*q.future.place(e.At, e.key) = e
}

// Next removes the earliest event and returns it; Now is then its instant. It returns
// false if nothing is pending.
func (q *Queue[T]) Next() (Event[T], bool) {
	if q.head < len(q.run) {
		if e := &q.run[q.head]; e.At < q.side.bound && e.slot() == 0 {
			q.head++
			q.now = e.At
			q.live--
			return *e, true
		}
	}
	return q.nextOfAll()
}

// nextOfAll is Next for the case that the earliest event may be in side, or belong to a timer.
func (q *Queue[T]) nextOfAll() (Event[T], bool) {
	for q.settle() {
		var e Event[T]
		if q.sideFirst() {
			e = q.side.pop()
		} else {
			e = q.run[q.head]
			q.head++
		}
		if e.slot() == 0 || q.fires(&e) {
			q.now = e.At
			q.live--
			return e, true
		}
	}
	return Event[T]{}, false
}

// Peek returns the earliest event without removing it. It returns false if nothing is
// pending.
func (q *Queue[T]) Peek() (Event[T], bool) {
	for q.settle() {
		var head *Event[T]
		fromSide := q.sideFirst()
		if fromSide {
			head = q.side.first()
		} else {
			head = &q.run[q.head]
		}
		if e, ok := q.resolve(head); ok && e.key == head.key {
			return e, true
		}
		// The timer of this event has been re-armed or disarmed: remove the event, as
		// Next would.
		var spent Event[T]
		if fromSide {
			spent = q.side.pop()
		} else {
			spent = *head
			q.head++
		}
		q.fires(&spent)
	}
	return Event[T]{}, false
}

// Pending returns the pending events in order. It sorts them.
func (q *Queue[T]) Pending() []Event[T] {
	all := make([]Event[T], 0, q.live)
	q.each(func(e *Event[T]) {
		if f, ok := q.resolve(e); ok {
			all = append(all, f)
		}
	})
	slices.SortFunc(all, compareEvents)
	return all
}

// Clear removes all events and timers and goes back to time 0. It keeps the memory for the
// next run.
func (q *Queue[T]) Clear() {
	q.dropCurrent()
	q.future.clear()
	q.timers.clear()
	q.now, q.seq, q.live = 0, 0, 0
	q.openWindow()
}

// settle brings the earliest event to the head of run, or into side. It returns false if the queue
// holds nothing.
func (q *Queue[T]) settle() bool {
	for q.head == len(q.run) {
		switch {
		case q.rest != nil:
			q.refill()
		case q.side.n > 0:
			return true
		case !q.advance():
			return false
		}
	}
	return true
}

// sideFirst reports whether the earliest event is in side. Call settle first.
func (q *Queue[T]) sideFirst() bool {
	s := &q.side
	if s.n == 0 {
		return false
	}
	first := s.first()
	s.bound = first.At
	return q.head == len(q.run) || first.before(&q.run[q.head])
}

// refill continues with the next chunk of a bucket that was in order.
func (q *Queue[T]) refill() {
	done := q.rest
	q.rest = done.next
	q.future.pool.put(done)
	q.show()
}

func (q *Queue[T]) show() {
	q.run, q.head = nil, 0
	if q.rest != nil {
		q.run = q.rest.events[:q.rest.n]
	}
}

// advance makes the next window with events the current one.
func (q *Queue[T]) advance() bool {
	b := q.future.next(q.side.pushes)
	if b == nil {
		return false
	}
	q.openWindow()
	if b.head.sorted() {
		q.rest = b.head
		q.show()
	} else {
		q.run, q.head = q.future.sort(b), 0
	}
	q.future.retire(b)
	return true
}

func (q *Queue[T]) openWindow() {
	q.side.open(q.future.start(), q.future.shift)
}

// narrow is called when thousands of events were scheduled into the current window. It makes
// windows narrower if that many are scheduled, or are due, in a short time.
func (q *Queue[T]) narrow() {
	s := &q.side
	came := widthFor(s.pushes, q.now-s.start)
	due := widthFor(s.n, s.end-max(q.now, s.start))
	if !q.future.narrow(min(came, due), max(q.now, s.start)) {
		return
	}
	var all []Event[T]
	q.eachCurrent(func(e *Event[T]) { all = append(all, *e) })
	q.dropCurrent()
	q.openWindow()
	for i := range all {
		q.put(all[i])
	}
}

// each calls f for every queued event, including those of moved and cancelled timers, in no
// particular order.
func (q *Queue[T]) each(f func(*Event[T])) {
	q.eachCurrent(f)
	q.future.each(f)
}

func (q *Queue[T]) eachCurrent(f func(*Event[T])) {
	for i := q.head; i < len(q.run); i++ {
		f(&q.run[i])
	}
	if q.rest != nil {
		q.rest.next.each(f)
	}
	q.side.each(f)
}

func (q *Queue[T]) dropCurrent() {
	q.future.pool.putAll(q.rest)
	q.run, q.head, q.rest = nil, 0, nil
	q.side.drop()
}

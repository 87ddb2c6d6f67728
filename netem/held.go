package netem

import (
	"slices"

	"bullring/des"
	"bullring/protocols"
)

// waitingRoom holds the messages and timers that the adversary has told to wait
// for a release: a queue for the messages of each link, and one for the timers of
// each process. On a release the queues are asked in the order of what is at their
// heads, and one whose head has to wait again is not asked any more: of ten
// thousand messages that wait for a slow process, a release moves one.
type waitingRoom struct {
	queues   map[waitingQueue]*waiters
	asking   []*waiters // a heap, by what is at the head
	count    int        // of all that wait
	alive    int        // of them, those that keep the run alive
	releases int        // events in the queue that are releases
	came     uint64
}

// waitingQueue names a queue.
type waitingQueue struct {
	to, from protocols.ID
	timers   bool
}

// waiters is one queue.
type waiters struct {
	items []item
	came  []uint64 // when, in the order of all that was ever held
}

// hold has a message or timer wait.
func (e *engine) hold(it item) {
	r := &e.rough.room
	if r.queues == nil {
		r.queues = map[waitingQueue]*waiters{}
	}
	k := waitingQueue{it.to(), it.from(), it.what() == timeout}
	q := r.queues[k]
	if q == nil {
		q = &waiters{}
		r.queues[k] = q
	}
	r.came++
	q.items, q.came = append(q.items, it), append(q.came, r.came)
	r.count++
	if e.keepsAlive(it) {
		r.alive++
	}
}

// keepsAlive reports whether a message or timer keeps the run alive.
func (e *engine) keepsAlive(it item) bool {
	if it.what() == timeout {
		return protocols.Timer(int32(it.index())) > protocols.Background
	}
	return !e.isBackground(it)
}

// releaseAt offers again, at t, what waits then.
func (e *engine) releaseAt(t des.Time) {
	e.rough.room.releases++
	e.queue.At(t, des.Fault, newItem(release, 0, 0, 0, 0, 0))
}

// release asks all queues, from the beginning.
func (e *engine) release(now des.Time) {
	r := &e.rough.room
	r.asking = r.asking[:0]
	for k, q := range r.queues { // their order is that of their heads
		if len(q.items) == 0 {
			delete(r.queues, k)
			continue
		}
		r.asking = append(r.asking, q)
	}
	slices.SortFunc(r.asking, func(a, b *waiters) int { return int(a.came[0]) - int(b.came[0]) })
	e.offer(now)
}

package netem

import (
	"container/heap"

	"bullring/des"
	"bullring/protocols"
)

// waitingRoom has the messages and timers that the adversary holds until a release: a queue
// for the messages of each link, and one for the timers of each process. A release asks the
// queues in the order of their heads. It does not ask a queue again whose head is still held.
// So it looks at a few of ten thousand messages that wait for a slow process.
type waitingRoom struct {
	queues   map[waitingFor]*waiters
	asked    byHead // by the present release
	came     uint64 // items that were ever held
	count    int    // items that are held
	alive    int    // items that are held and keep the run alive
	releases int    // releases in the event queue
}

// waitingFor identifies a queue.
type waitingFor struct {
	to, from protocols.ID
	timers   bool
}

// waiters is one queue.
type waiters struct {
	items []item
	came  []uint64 // their numbers among all items that were ever held
}

// byHead is a heap of queues.
type byHead []*waiters

func (h byHead) Len() int           { return len(h) }
func (h byHead) Less(i, j int) bool { return h[i].came[0] < h[j].came[0] }
func (h byHead) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *byHead) Push(q any)        { *h = append(*h, q.(*waiters)) }

func (h *byHead) Pop() any {
	last := len(*h) - 1
	q := (*h)[last]
	*h = (*h)[:last]
	return q
}

// hold adds a message or timer to the waiting room.
func (e *engine) hold(it item) {
	r := &e.extras.room
	k := waitingFor{it.to(), it.from(), it.what() == timeout}
	q := r.queues[k]
	if q == nil {
		if r.queues == nil {
			r.queues = map[waitingFor]*waiters{}
		}
		q = &waiters{}
		r.queues[k] = q
	}
	r.came++
	q.items, q.came = append(q.items, it), append(q.came, r.came)
	e.countWaiting(it, 1)
}

// countWaiting counts one item more or less.
func (e *engine) countWaiting(it item, by int) {
	r := &e.extras.room
	r.count += by
	background := e.isBackground(it)
	if it.what() == timeout {
		background = protocols.Timer(int32(it.index())) <= protocols.Background
	}
	if !background {
		r.alive += by
	}
}

// releaseAt plans a release.
func (e *engine) releaseAt(t des.Time) {
	e.extras.room.releases++
	e.atFault(t, newItem(release, 0, 0, 0, 0, 0))
}

// release begins to offer the items.
func (e *engine) release(now des.Time) {
	r := &e.extras.room
	r.asked = r.asked[:0]
	for k, q := range r.queues { // in any order, which the heap does not depend on
		if len(q.items) == 0 {
			delete(r.queues, k)
		} else {
			r.asked = append(r.asked, q)
		}
	}
	heap.Init(&r.asked)
	e.offer(now)
}

// offer handles the first item that is not held again, and schedules the next offer: each
// item is an event of its own, before any message that arrives now.
func (e *engine) offer(now des.Time) {
	r := &e.extras.room
	for len(r.asked) > 0 {
		q := r.asked[0]
		before, it := *q, q.items[0]
		q.items, q.came = q.items[1:], q.came[1:]
		e.countWaiting(it, -1)
		if !e.offerAgain(now, it) {
			*q = before
			e.countWaiting(it, 1)
			heap.Pop(&r.asked)
			continue
		}
		if len(q.items) == 0 {
			q.items, q.came = nil, nil
			heap.Pop(&r.asked)
		} else {
			heap.Fix(&r.asked, 0)
		}
		if len(r.asked) > 0 {
			e.atFault(now, newItem(offer, 0, 0, 0, 0, 0))
		}
		return
	}
}

// offerAgain offers an item. It returns false if the item is held again.
func (e *engine) offerAgain(now des.Time, it item) bool {
	if it.what() != timeout {
		return e.admit(now, it)
	}
	if !e.stillWaits(it) {
		return true
	}
	switch wait := e.extras.adversary.Expires(it.to()); {
	case wait < 0:
		return false
	case wait > 0:
		e.rearm(now.Add(wait), it)
	default:
		e.applyPlanned(now, it)
	}
	return true
}

// stillWaits reports whether a held timer still waits. It may have been stopped or set again,
// or its process may have crashed.
func (e *engine) stillWaits(it item) bool {
	s := e.hosts[it.to()]
	i := e.find(s, protocols.Timer(int32(it.index())))
	if i < 0 {
		return false
	}
	_, pending := e.queue.Armed(e.timers[s.id][i].timer)
	return !pending
}

package netem

import (
	"container/heap"

	"bullring/des"
	"bullring/protocols"
)

// waitingRoom holds the messages and timers that the adversary has told to wait
// until a release: a queue for the messages of each link, and one for the timers
// of each process. A release asks the queues in the order of what is at their
// heads, and one whose head has to go on waiting no more than once. So of ten
// thousand messages that wait for a slow process, it looks at a few.
type waitingRoom struct {
	queues   map[waitingFor]*waiters
	asked    byHead
	came     uint64 // how many ever waited
	count    int    // how many do
	alive    int    // of them, those that keep the run alive
	releases int    // that are in the event queue
}

// waitingFor names a queue.
type waitingFor struct {
	to, from protocols.ID
	timers   bool
}

// waiters is one queue.
type waiters struct {
	items []item
	came  []uint64 // the number of each among all that ever waited
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

// hold has a message or timer wait.
func (e *engine) hold(it item) {
	r := &e.rough.room
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
	e.tally(it, 1)
}

// tally counts one more that waits, or one less.
func (e *engine) tally(it item, by int) {
	r := &e.rough.room
	r.count += by
	background := e.isBackground(it)
	if it.what() == timeout {
		background = protocols.Timer(int32(it.index())) <= protocols.Background
	}
	if !background {
		r.alive += by
	}
}

// releaseAt has what waits at t be offered again then.
func (e *engine) releaseAt(t des.Time) {
	e.rough.room.releases++
	e.queue.At(t, des.Fault, newItem(release, 0, 0, 0, 0, 0))
}

// release begins to offer what waits.
func (e *engine) release(now des.Time) {
	r := &e.rough.room
	r.asked = r.asked[:0]
	for k, q := range r.queues { // in any order: the heap has only one
		if len(q.items) == 0 {
			delete(r.queues, k)
		} else {
			r.asked = append(r.asked, q)
		}
	}
	heap.Init(&r.asked)
	e.offer(now)
}

// offer lets the first happen that need not go on waiting, and then the others,
// each as an event of its own before any message that arrives now.
func (e *engine) offer(now des.Time) {
	r := &e.rough.room
	for len(r.asked) > 0 {
		q := r.asked[0]
		before, it := *q, q.items[0]
		q.items, q.came = q.items[1:], q.came[1:]
		e.tally(it, -1)
		if !e.again(now, it) {
			*q = before
			e.tally(it, 1)
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
			e.queue.At(now, des.Fault, newItem(offer, 0, 0, 0, 0, 0))
		}
		return
	}
}

// again offers what has waited, and reports whether it need not any longer.
func (e *engine) again(now des.Time, it item) bool {
	if it.what() != timeout {
		return e.admit(now, it)
	}
	if !e.waits(it) {
		return true
	}
	switch wait := e.rough.adversary.Expires(it.to()); {
	case wait < 0:
		return false
	case wait > 0:
		e.rearm(now.Add(wait), it)
	default:
		e.planned(now, it)
	}
	return true
}

// waits reports whether a timer that was told to wait still does: it may have
// been stopped or set anew, or be gone with its process.
func (e *engine) waits(it item) bool {
	s := &e.seats[it.to()]
	i := s.find(protocols.Timer(int32(it.index())))
	if i < 0 {
		return false
	}
	_, pending := e.queue.Armed(e.timers[s.id][i].timer)
	return !pending
}

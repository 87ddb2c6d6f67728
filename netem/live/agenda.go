package live

import (
	"sync"
	"time"

	"bullring/des"
)

// agenda has what will happen at instants of a run. What is planned for one instant happens in
// the order of planning.
type agenda[T any] struct {
	mutex sync.Mutex
	queue *des.Queue[T]
	look  chan struct{} // something may be due, or the first instant has changed; has room for one
}

func newAgenda[T any]() *agenda[T] {
	return &agenda[T]{queue: des.NewQueue[T](), look: make(chan struct{}, 1)}
}

// add plans something for an instant, which may have passed.
func (a *agenda[T]) add(at des.Time, what T) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	at = max(at, a.queue.Now())
	first, any := a.queue.Peek()
	a.queue.At(at, des.Delivery, what)
	if any && first.At <= at {
		return
	}
	a.wake()
}

// wake lets keep look again.
func (a *agenda[T]) wake() {
	select {
	case a.look <- struct{}{}:
	default:
	}
}

// take removes the first thing that is due now.
func (a *agenda[T]) take(now des.Time) (due des.Event[T], ok bool) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if first, any := a.queue.Peek(); !any || first.At > now {
		return due, false
	}
	return a.queue.Next()
}

// first is the instant of the first thing.
func (a *agenda[T]) first() (at des.Time, ok bool) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	e, ok := a.queue.Peek()
	return e.At, ok
}

// keep calls due, which takes what is due, whenever there is something, until the run is over.
func (a *agenda[T]) keep(r *run, due func()) {
	w := newWaker(a.wake)
	defer w.close()
	for {
		due()
		if at, ok := a.first(); ok {
			w.set(time.Duration(at) - r.now())
		}
		select {
		case <-r.closed:
			return
		case <-a.look:
		}
	}
}

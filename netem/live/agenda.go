package live

import (
	"sync"
	"time"

	"bullring/des"
)

// agenda has what will happen at instants of a run. What is planned for one instant happens in
// the order of planning.
type agenda[T any] struct {
	mutex   sync.Mutex
	queue   *des.Queue[T]
	earlier chan struct{} // the first instant has changed; has room for one
}

func newAgenda[T any]() *agenda[T] {
	return &agenda[T]{queue: des.NewQueue[T](), earlier: make(chan struct{}, 1)}
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
	select {
	case a.earlier <- struct{}{}:
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
	wait := time.NewTimer(0)
	defer wait.Stop()
	for {
		select {
		case <-r.closed:
			return
		case <-a.earlier:
		case <-wait.C:
		}
		due()
		if at, ok := a.first(); ok {
			wait.Reset(time.Duration(at) - r.now())
		}
	}
}

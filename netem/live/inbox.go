package live

import "sync"

// item is an event of a node: a message arrives, a timer expires, or a peer in another OS
// process is gone.
type item struct {
	frame frame
	timer *armed // nil for a message
	gone  bool   // the connection from frame.from has ended
}

// inbox is a queue without a limit: a node that waits for room in the inbox of another one could
// wait for itself. Its zero value is ready.
type inbox struct {
	mutex  sync.Mutex
	filled sync.Cond // uses mutex
	items  []item
	taken  int // of items
	closed bool
}

// put adds an item, unless the inbox is closed.
func (b *inbox) put(it item) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.closed {
		return
	}
	b.items = append(b.items, it)
	b.cond().Signal()
}

// take waits for an item. ok is false if the inbox is closed.
func (b *inbox) take() (it item, ok bool) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	for !b.closed && b.taken == len(b.items) {
		b.items, b.taken = b.items[:0], 0
		b.cond().Wait()
	}
	if b.closed {
		return it, false
	}
	it, b.items[b.taken] = b.items[b.taken], item{}
	b.taken++
	return it, true
}

// close empties the inbox and lets take return.
func (b *inbox) close() {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.closed, b.items, b.taken = true, nil, 0
	b.cond().Broadcast()
}

func (b *inbox) cond() *sync.Cond {
	if b.filled.L == nil {
		b.filled.L = &b.mutex
	}
	return &b.filled
}

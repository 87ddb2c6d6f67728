// Package yardstick helps to test and to measure event sets: it has a plain heap, and a
// comparison of costs for noisy machines.
package yardstick

// Heap is a plain 4-ary heap of events in the order (at, class, insertion). Tests use it as
// the oracle, benchmarks as the yardstick. The zero value is empty.
type Heap[T any] struct {
	seq    uint64
	events []Event[T]
}

// Event is an entry of the heap.
type Event[T any] struct {
	At   int64
	key  uint64
	Item T
}

func (e *Event[T]) before(f *Event[T]) bool {
	return e.At < f.At || e.At == f.At && e.key < f.key
}

// At schedules an event.
func (h *Heap[T]) At(at int64, class uint8, item T) {
	h.seq++
	e := Event[T]{at, uint64(class)<<62 | h.seq, item}
	h.events = append(h.events, e)
	i := len(h.events) - 1
	for i > 0 {
		parent := (i - 1) / 4
		if !e.before(&h.events[parent]) {
			break
		}
		h.events[i] = h.events[parent]
		i = parent
	}
	h.events[i] = e
}

// Next removes the earliest event.
func (h *Heap[T]) Next() (Event[T], bool) {
	if len(h.events) == 0 {
		return Event[T]{}, false
	}
	top, last := h.events[0], h.events[len(h.events)-1]
	h.events = h.events[:len(h.events)-1]
	if n := len(h.events); n > 0 {
		i := 0
		for {
			child := 4*i + 1
			if child >= n {
				break
			}
			least := child
			for c := child + 1; c < min(child+4, n); c++ {
				if h.events[c].before(&h.events[least]) {
					least = c
				}
			}
			if !h.events[least].before(&last) {
				break
			}
			h.events[i] = h.events[least]
			i = least
		}
		h.events[i] = last
	}
	return top, true
}

package des

// heap4 is a plain 4-ary heap of value events: the oracle of the tests, and
// the yardstick of the benchmarks.
type heap4[T any] struct {
	now    Time
	seq    uint64
	events []Event[T]
}

func (h *heap4[T]) At(t Time, c Class, item T) {
	h.seq++
	h.push(Event[T]{t, makeKey(c, h.seq, 0), item})
}

func (h *heap4[T]) push(e Event[T]) {
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

func (h *heap4[T]) Next() (Event[T], bool) {
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
	h.now = top.At
	return top, true
}

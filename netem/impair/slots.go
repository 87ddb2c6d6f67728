package impair

import (
	"math"
	"math/bits"
	"time"

	"bullring/des"
)

// slots are the slots of a channel and the copies that wait for them.
type slots struct {
	slot    *slot
	jitter  jitter // of a spread
	stream  des.Stream
	next    des.Time // the begin of the present slot or of the next one
	packets int64    // the room that is left in it
	bytes   int64
	waiting []waiting // a heap
	order   uint64    // of the next copy
}

// newSlots begins a slot now.
func newSlots(s *slot, mode Mode, stream des.Stream, now des.Time) *slots {
	c := &slots{slot: s, stream: stream, next: now}
	if s.spread != nil {
		c.jitter = newJitter(s.spread, mode)
	}
	c.refill()
	return c
}

// waiting is a copy of a message that waits until it is due, or not at all if it is early.
type waiting struct {
	due   des.Time
	order uint64
	early bool
	bytes int64
	token uint32
	copy  Copy
}

// before puts early copies first, the last one at the head. The others are ordered by the
// instant at which they are due, and then by their order.
func (a *waiting) before(b *waiting) bool {
	switch {
	case a.early != b.early:
		return a.early
	case a.early:
		return a.order > b.order
	case a.due != b.due:
		return a.due < b.due
	}
	return a.order < b.order
}

func (s *slots) refill() {
	s.packets, s.bytes = math.MaxInt64, math.MaxInt64
	if s.slot.packets > 0 {
		s.packets = s.slot.packets
	}
	if s.slot.bytes > 0 {
		s.bytes = s.slot.bytes
	}
}

// advance draws the begin of the next slot.
func (s *slots) advance(now des.Time) {
	r := s.stream.Uint64()
	var pause time.Duration
	if s.slot.spread != nil {
		pause = max(0, s.jitter.sample(r))
	} else {
		part, _ := bits.Mul64(r, uint64(s.slot.most-s.slot.least))
		pause = s.slot.least + time.Duration(part)
	}
	s.next = now.After(pause)
	s.refill()
}

// push makes a copy wait.
func (s *slots) push(now des.Time, m waiting) {
	m.order = s.order
	s.order++
	s.waiting = heapPush(s.waiting, m, (*waiting).before)
	s.poll(now)
}

// poll skips a slot that begins before the copy at the head is due.
func (s *slots) poll(now des.Time) {
	if len(s.waiting) > 0 && !s.waiting[0].early && s.next < s.waiting[0].due {
		s.advance(now)
	}
}

// when is the instant of the next delivery. ok is false if no copy waits.
func (s *slots) when() (at des.Time, ok bool) {
	switch {
	case len(s.waiting) == 0:
		return 0, false
	case s.waiting[0].early:
		return s.waiting[0].due, true
	}
	return max(s.waiting[0].due, s.next), true
}

// serve takes the next copy that leaves now.
func (s *slots) serve(now des.Time) (m waiting, ok bool) {
	s.poll(now)
	if t, any := s.when(); !any || t > now {
		return waiting{}, false
	}
	m, s.waiting = heapPop(s.waiting, (*waiting).before)
	if m.early {
		return m, true
	}
	s.packets--
	s.bytes -= m.bytes
	if s.packets <= 0 || s.bytes <= 0 {
		s.advance(now)
	}
	return m, true
}

// heapPush adds x to a binary heap. Unlike container/heap it does not box the items.
func heapPush[T any](heap []T, x T, before func(a, b *T) bool) []T {
	heap = append(heap, x)
	for i := len(heap) - 1; i > 0; {
		parent := (i - 1) / 2
		if !before(&heap[i], &heap[parent]) {
			break
		}
		heap[i], heap[parent] = heap[parent], heap[i]
		i = parent
	}
	return heap
}

func heapPop[T any](heap []T, before func(a, b *T) bool) (T, []T) {
	top, last := heap[0], len(heap)-1
	heap[0] = heap[last]
	heap = heap[:last]
	for i := 0; ; {
		child := 2*i + 1
		if child >= last {
			return top, heap
		}
		if child+1 < last && before(&heap[child+1], &heap[child]) {
			child++
		}
		if !before(&heap[child], &heap[i]) {
			return top, heap
		}
		heap[i], heap[child] = heap[child], heap[i]
		i = child
	}
}

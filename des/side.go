package des

import (
	"math/bits"
	"slices"
)

const (
	sideBins = 1024
	// crowd is the number of events pushed close to now after which the queue
	// asks whether its windows are too wide.
	crowd = 4 * target
)

// side holds what is scheduled into the current window after that became
// current: a bin is a list, and the earliest bin that holds something is
// sorted when its turn comes.
type side[T any] struct {
	start, end Time
	n          int  // events held
	bound      Time // nothing here is earlier
	shift      uint // a bin is 2^shift ticks wide
	bin        int  // the last bin whose turn has come, -1 for none

	// The events of that bin, and whatever was scheduled for even earlier:
	// active in order from next on, and late as a heap.
	active []Event[T]
	next   int
	late   []Event[T]

	bins  [sideBins]int32 // index of the newest node + 1, 0 for none
	used  [sideBins / 64]uint64
	nodes []node[T]
	free  int32 // index + 1

	pushes, crowding int // since the window became current; since the last look
}

type node[T any] struct {
	event Event[T]
	older int32 // index + 1, 0 for none
}

// open sets an empty side to a window of 2^shift ticks.
func (s *side[T]) open(start Time, shift uint) {
	s.start, s.end = start, start+1<<shift
	s.shift = binShift(shift)
	s.bin, s.bound = -1, MaxTime+1
	s.pushes, s.crowding = 0, 0
}

func (s *side[T]) push(e Event[T]) {
	s.n++
	s.pushes++
	i := int((e.At - s.start) >> s.shift) // negative before the window
	if i <= s.bin || i < 0 {
		s.crowding++
		s.pushActive(e)
		s.bound = min(s.bound, e.At)
		return
	}
	s.bound = min(s.bound, s.start+Time(i)<<s.shift)
	k := s.free
	if k == 0 {
		s.nodes = append(s.nodes, node[T]{})
		k = int32(len(s.nodes))
	} else {
		s.free = s.nodes[k-1].older
	}
	s.nodes[k-1] = node[T]{e, s.bins[i%sideBins]}
	s.bins[i%sideBins] = k
	s.used[i/64%len(s.used)] |= 1 << (i % 64)
}

func (s *side[T]) pushActive(e Event[T]) {
	if k := len(s.active); k == 0 || !e.before(&s.active[k-1]) {
		if s.next > target && s.next > k/2 {
			k = copy(s.active, s.active[s.next:])
			clear(s.active[k:])
			s.active, s.next = s.active[:k], 0
		}
		s.active = append(s.active, e)
		return
	}
	s.late = append(s.late, e)
	i := len(s.late) - 1
	for i > 0 {
		parent := (i - 1) / 4
		if !e.before(&s.late[parent]) {
			break
		}
		s.late[i] = s.late[parent]
		i = parent
	}
	s.late[i] = e
}

// activate gives the earliest bin its turn, if none has it.
func (s *side[T]) activate() {
	if len(s.active) > 0 || len(s.late) > 0 || s.n == 0 {
		return
	}
	i := s.firstBin()
	s.bin = i
	s.used[i/64] &^= 1 << (i % 64)
	k := s.bins[i]
	s.bins[i] = 0
	for k != 0 {
		nd := &s.nodes[k-1]
		s.active = append(s.active, nd.event)
		k, nd.older, s.free = nd.older, s.free, k
	}
	slices.Reverse(s.active)
	if len(s.active) <= smallEnough {
		insertionSort(s.active)
	} else if !slices.IsSortedFunc(s.active, compareEvents) {
		slices.SortFunc(s.active, compareEvents)
	}
	s.bound = s.active[0].At
}

func (s *side[T]) firstBin() int {
	w := max(s.bin, 0) / 64
	for s.used[w] == 0 {
		w++
	}
	return w*64 + bits.TrailingZeros64(s.used[w])
}

// peek shows the earliest active event, nil if no bin has its turn.
func (s *side[T]) peek() *Event[T] {
	switch {
	case len(s.late) == 0 && len(s.active) == 0:
		return nil
	case len(s.late) == 0:
		return &s.active[s.next]
	case len(s.active) == 0 || s.late[0].before(&s.active[s.next]):
		return &s.late[0]
	}
	return &s.active[s.next]
}

// pop removes what peek shows.
func (s *side[T]) pop() Event[T] {
	var e Event[T]
	if len(s.late) > 0 && (len(s.active) == 0 || s.late[0].before(&s.active[s.next])) {
		e = s.popLate()
	} else {
		e = s.active[s.next]
		s.next++
		if s.next == len(s.active) {
			s.active, s.next = s.active[:0], 0
		}
	}
	s.n--
	s.rebound()
	return e
}

func (s *side[T]) rebound() {
	switch p := s.peek(); {
	case p != nil:
		s.bound = p.At
	case s.n == 0:
		s.bound = MaxTime + 1
	default:
		s.bound = s.start + Time(s.firstBin())<<s.shift
	}
}

func (s *side[T]) popLate() Event[T] {
	h := s.late
	e, last := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	s.late = h
	i := 0
	for {
		child := 4*i + 1
		if child >= len(h) {
			break
		}
		least := child
		for c := child + 1; c < min(child+4, len(h)); c++ {
			if h[c].before(&h[least]) {
				least = c
			}
		}
		if !h[least].before(&last) {
			break
		}
		h[i] = h[least]
		i = least
	}
	if len(h) > 0 {
		h[i] = last
	}
	return e
}

func (s *side[T]) each(f func(*Event[T])) {
	for i := s.next; i < len(s.active); i++ {
		f(&s.active[i])
	}
	for i := range s.late {
		f(&s.late[i])
	}
	for _, k := range s.bins {
		for ; k != 0; k = s.nodes[k-1].older {
			f(&s.nodes[k-1].event)
		}
	}
}

// drop empties the side.
func (s *side[T]) drop() {
	clear(s.active)
	clear(s.late)
	clear(s.nodes)
	s.active, s.next, s.late, s.nodes, s.free = s.active[:0], 0, s.late[:0], s.nodes[:0], 0
	clear(s.bins[:])
	clear(s.used[:])
	s.n, s.bin, s.bound = 0, -1, MaxTime+1
}

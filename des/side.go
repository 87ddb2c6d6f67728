package des

import (
	"math/bits"
	"slices"
)

const (
	sideLog  = 12
	sideBins = 1 << sideLog // so many that most events are alone in their bin
)

// side holds the events that are scheduled into the current window after it became
// current. They are in bins. A bin is a list. If the earliest bin with events has several, it
// is sorted and becomes the active bin.
type side[T any] struct {
	start, end Time
	shift      uint // a bin is 2^shift ticks wide
	n          int  // events held
	bound      Time // nothing here is earlier

	// The events of the active bin, and those that have since been scheduled into or
	// before it: active is in order from next on, late is a heap.
	bin    int // the active bin, -1 before the first
	active []Event[T]
	next   int
	late   []Event[T]

	waiting uint            // the earliest other bin with events, sideBins for none
	bins    [sideBins]int32 // index of the newest node + 1, 0 for none
	used    [sideBins / 64]uint64
	nodes   []node[T]
	free    int32 // index + 1

	pushes int // since the window became current
}

type node[T any] struct {
	event Event[T]
	older int32 // index + 1, 0 for none
}

// open sets an empty side to a window of 2^shift ticks.
func (s *side[T]) open(start Time, shift uint) {
	s.start, s.end = start, start+1<<shift
	s.shift = binShift(shift, sideLog)
	s.bin, s.waiting, s.bound = -1, sideBins, MaxTime+1
	s.pushes = 0
}

func (s *side[T]) push(e Event[T]) {
	s.n++
	s.pushes++
	at := (e.At - s.start) >> (s.shift & 63) // negative before the window
	if at <= Time(s.bin) || at < 0 {
		s.pushActive(e)
		return
	}
	i := uint(at)
	k := s.free
	if k == 0 {
		s.nodes = append(s.nodes, node[T]{})
		k = int32(len(s.nodes))
	} else {
		s.free = s.nodes[k-1].older
	}
	nd := &s.nodes[k-1]
	nd.event, nd.older = e, s.bins[i%sideBins]
	s.bins[i%sideBins] = k
	s.used[i/64%(sideBins/64)] |= 1 << (i % 64)
	s.waiting = min(s.waiting, i)
	s.bound = min(s.bound, e.At)
}

func (s *side[T]) pushActive(e Event[T]) {
	s.bound = min(s.bound, e.At)
	k := len(s.active)
	if k == 0 || !e.before(&s.active[k-1]) {
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

// activate makes the waiting bin the active one.
func (s *side[T]) activate() {
	k := s.bins[s.waiting%sideBins]
	s.leaveWaiting()
	for k != 0 {
		nd := &s.nodes[k-1]
		s.active = append(s.active, nd.event)
		k, nd.older, s.free = nd.older, s.free, k
	}
	s.order()
}

// order sorts the events of the active bin, which are in reverse order of scheduling.
func (s *side[T]) order() {
	slices.Reverse(s.active)
	if len(s.active) <= smallEnough {
		insertionSort(s.active)
	} else if !slices.IsSortedFunc(s.active, compareEvents) {
		slices.SortFunc(s.active, compareEvents)
	}
}

// leaveWaiting empties the waiting bin and finds the next one. What is scheduled into it from now
// on is for the active bin.
func (s *side[T]) leaveWaiting() {
	i := s.waiting
	s.bins[i%sideBins] = 0
	s.bin = int(i)
	w := i / 64 % (sideBins / 64)
	s.used[w] &^= 1 << (i % 64)
	for s.used[w] == 0 {
		if w++; w == sideBins/64 {
			s.waiting = sideBins
			return
		}
	}
	s.waiting = w*64 + uint(bits.TrailingZeros64(s.used[w]))
}

// first returns the earliest event. Only if n > 0.
func (s *side[T]) first() *Event[T] {
	if len(s.active)+len(s.late) == 0 {
		nd := &s.nodes[s.bins[s.waiting%sideBins]-1]
		if nd.older == 0 { // the event is alone in its bin, as most are
			return &nd.event
		}
		s.activate()
	}
	if len(s.late) > 0 && (len(s.active) == 0 || s.late[0].before(&s.active[s.next])) {
		return &s.late[0]
	}
	return &s.active[s.next]
}

// pop removes the event that first has returned.
func (s *side[T]) pop() (e Event[T]) {
	s.n--
	switch {
	case len(s.late) > 0 && (len(s.active) == 0 || s.late[0].before(&s.active[s.next])):
		e = s.popLate()
	case len(s.active) > 0:
		e = s.active[s.next]
		s.next++
		if s.next == len(s.active) {
			s.active, s.next = s.active[:0], 0
		}
	default:
		k := s.bins[s.waiting%sideBins]
		nd := &s.nodes[k-1]
		nd.older, s.free = s.free, k
		s.leaveWaiting()
		s.bound = s.waitingStart()
		return nd.event
	}
	if len(s.active)+len(s.late) > 0 {
		s.bound = s.first().At
	} else {
		s.bound = s.waitingStart()
	}
	return e
}

// waitingStart is the start of the waiting bin.
func (s *side[T]) waitingStart() Time {
	if s.waiting == sideBins {
		return MaxTime + 1
	}
	return s.start + Time(s.waiting)<<(s.shift&63)
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
	if s.n > 0 { // otherwise they are empty, and zero
		clear(s.bins[:])
		clear(s.used[:])
	}
	s.n, s.bin, s.waiting, s.bound = 0, -1, sideBins, MaxTime+1
}

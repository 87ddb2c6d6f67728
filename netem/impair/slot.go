package impair

import (
	"fmt"
	"math"
	"math/bits"
	"time"

	"bullring/des"
)

// slot is the slot clause: messages leave the link in slots only, a certain time
// apart, and each slot takes so many of them.
type slot struct {
	given          bool
	least, most    time.Duration // from one slot to the next, uniform
	spread         *spread       // or this
	packets, bytes int64         // that a slot takes, 0 without a limit
}

func parseSlot(l *Line, w *words, read func(string) ([]byte, error)) (err error) {
	l.slot = slot{given: true}
	s := &l.slot
	if w.take("distribution") {
		err = s.parseSpread(w, read)
	} else {
		err = s.parseRange(w)
	}
	for err == nil {
		switch {
		case w.take("packets"):
			s.packets, err = w.count("number of messages", 0, 1<<31-1)
		case w.take("bytes"):
			s.bytes, err = w.count("number of bytes", 0, 1<<31-1)
		default:
			return nil
		}
	}
	return err
}

func (s *slot) parseRange(w *words) (err error) {
	if s.least, err = w.duration("least time between slots"); err != nil {
		return err
	}
	s.most = s.least
	var at word
	if w.number() {
		at = w.list[0]
		if s.most, err = w.duration("longest time between slots"); err != nil {
			return err
		}
	}
	switch {
	case s.most < s.least:
		return w.fail(at, "is below the least time between slots, %v", s.least)
	case s.most == 0:
		return fmt.Errorf("%s: slots that follow on each other without a pause are none; give a time, as in slot 10ms", w.clause)
	}
	return nil
}

func (s *slot) parseSpread(w *words, read func(string) ([]byte, error)) error {
	at, err := w.next("the name of a distribution")
	if err != nil {
		return err
	}
	// The times stand behind the name, that of a table behind its file: the
	// shape is settled last.
	rest := &words{clause: w.clause, end: w.end}
	if at.text == "table" {
		file, err := w.next("the name of a file")
		if err != nil {
			return err
		}
		rest.list = []word{file}
	}
	mean, err := w.duration("delay")
	if err != nil {
		return err
	}
	jitter, err := w.duration("jitter")
	if err != nil {
		return err
	}
	if mean+jitter == 0 {
		return fmt.Errorf("%s: slots that follow on each other without a pause are none; give a time, as in slot distribution normal 10ms 1ms", w.clause)
	}
	s.spread, err = parseSpread(rest, read, at, mean, jitter)
	return err
}

func printSlot(l *Line) string {
	s := &l.slot
	var text string
	switch {
	case !s.given:
		return ""
	case s.spread != nil:
		text = fmt.Sprintf("slot distribution %s %v %v", s.spread.shape(), s.spread.mean, s.spread.jitter)
	case s.most != s.least:
		text = fmt.Sprintf("slot %v %v", s.least, s.most)
	default:
		text = fmt.Sprintf("slot %v", s.least)
	}
	if s.packets > 0 {
		text += fmt.Sprintf(" packets %d", s.packets)
	}
	if s.bytes > 0 {
		text += fmt.Sprintf(" bytes %d", s.bytes)
	}
	return text
}

// longestWait is how long a message can wait for its slot, with at most limit of
// them waiting. What is due leaves in the next slot; where a slot takes a certain
// number, in as many slots as it takes those before it to leave. Every slot takes
// one message at least.
func (s *slot) longestWait(limit int) (wait time.Duration, bounded bool) {
	if !s.given {
		return 0, true
	}
	longest := s.most
	if s.spread != nil {
		if _, longest, bounded = s.spread.law.Bounds(); !bounded {
			return 0, false
		}
	}
	slots := int64(1)
	if s.packets > 0 || s.bytes > 0 {
		if limit == 0 {
			return 0, false
		}
		per := max(1, s.packets)
		if s.bytes > 0 {
			per = 1
		}
		slots += int64(limit) / per
	}
	if hi, lo := bits.Mul64(uint64(slots), uint64(longest)); hi > 0 || lo > math.MaxInt64/2 {
		return 0, false
	}
	return time.Duration(slots) * longest, true
}

// slots is the state of the slots of a channel, and what waits for them.
type slots struct {
	slot    *slot
	jitter  jitter // of a spread
	stream  des.Stream
	next    des.Time // when the next slot begins
	packets int64    // that it still takes
	bytes   int64
	waiting []waiting // a heap
	order   uint64    // of the next one
}

// waiting is a copy of a message that is due at a time, or at once if it is
// early.
type waiting struct {
	due   des.Time
	order uint64
	early bool
	bytes int64
	token uint32
	copy  Copy
}

// before puts early messages first, the last of them at the head, then those
// that are due first; of those due together the one that came first.
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

// open begins a slot at now.
func (s *slots) open(now des.Time) {
	s.next = now
	s.refill()
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

// advance settles when the slot after this one begins.
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

// push has a message wait. If it is due later than the slot at hand begins, it
// waits for another one.
func (s *slots) push(now des.Time, m waiting) {
	m.order = s.order
	s.order++
	s.waiting = heapPush(s.waiting, m, (*waiting).before)
	s.poll(now)
}

// poll passes by a slot that begins before what is at the head is due.
func (s *slots) poll(now des.Time) {
	if len(s.waiting) > 0 && !s.waiting[0].early && s.next < s.waiting[0].due {
		s.advance(now)
	}
}

// when is when there is next something to deliver.
func (s *slots) when() (des.Time, bool) {
	switch {
	case len(s.waiting) == 0:
		return 0, false
	case s.waiting[0].early:
		return s.waiting[0].due, true
	}
	return max(s.waiting[0].due, s.next), true
}

// serve takes what leaves now.
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

// heapPush and heapPop keep a binary heap without boxing what is in it.
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

package des

import (
	"math"
	"math/bits"

	"github.com/google/btree"
)

const (
	ringLen = 4096 // near windows that are found without the tree
	farLog  = 8    // a far bucket covers 2^farLog windows
	// farLen is the number of far buckets that are found again, without the tree. An event
	// beyond them may open another bucket for a window that has one.
	farLen = 1024
	degree = 32 // of the tree

	// A window should deliver about target events: enough to make the tree cheap, and few
	// enough to sort in the first-level cache.
	target    = 1024
	tooMany   = 4 * target
	tooFew    = target / 4
	patience  = 8  // windows with too few events before they become wider
	startLog  = 20 // first width: 2^20 ns, about a millisecond
	widestLog = 56
)

// bucket holds the events of [start, start+2^shift) in the order in which they
// were scheduled.
type bucket[T any] struct {
	head, tail *chunk[T]
	full       int // chunks before the tail
	start      Time
	shift      uint
	id         uint64 // distinguishes buckets of the same span
}

func (b *bucket[T]) len() int { return b.full*chunkLen + int(b.tail.n) }

// lessBucket orders buckets by start. Of those with the same start the widest comes first:
// it has to be split before the narrower ones are complete.
func lessBucket[T any](a, b *bucket[T]) bool {
	if a.start != b.start {
		return a.start < b.start
	}
	if a.shift != b.shift {
		return a.shift > b.shift
	}
	return a.id < b.id
}

// future holds the events after the current window, in a bucket for each window. The tree
// orders all buckets; near and far are short cuts to those of the present width. When the
// width changes, the older buckets stay: when they become the first, wider ones are split
// and narrower ones are joined.
type future[T any] struct {
	shift   uint               // windows are 2^shift ticks wide
	current uint64             // number of the current window: start >> shift
	near    [ringLen]*chunk[T] // the tails of their buckets
	far     [farLen]*bucket[T]
	tree    *btree.BTreeG[*bucket[T]]
	buckets uint64 // opened so far
	spare   []*bucket[T]
	pool    pool[T]

	windows, events int // since the width changed or was found to be right

	count   [sortBins + 1]uint32
	scratch []Event[T]
}

func (f *future[T]) init() {
	f.tree = btree.NewG(degree, lessBucket[T])
	f.shift = startLog
	f.pool.init()
}

func (f *future[T]) start() Time { return Time(f.current << f.shift) }

// place returns the place of an event at t, which is after the current window.
func (f *future[T]) place(t Time, key uint64) *Event[T] {
	w := uint64(t) >> (f.shift & 63)
	if w-f.current >= ringLen {
		return f.extended(f.farBucket(w>>farLog)).append(t, key)
	}
	tail := &f.near[w%ringLen]
	if *tail == nil {
		*tail = f.open(w, f.shift).tail
	} else {
		*tail = f.extended((*tail).bucket)
	}
	return (*tail).append(t, key)
}

func (f *future[T]) farBucket(w uint64) *bucket[T] {
	b := f.far[w%farLen]
	shift := f.shift + farLog
	if b == nil || uint64(b.start)>>shift != w {
		b = f.open(w, shift)
		f.far[w%farLen] = b
	}
	return b
}

func (f *future[T]) open(w uint64, shift uint) *bucket[T] {
	var b *bucket[T]
	if k := len(f.spare); k > 0 {
		b, f.spare = f.spare[k-1], f.spare[:k-1]
	} else {
		b = new(bucket[T])
	}
	c := f.pool.get(b)
	f.buckets++
	*b = bucket[T]{head: c, tail: c, start: Time(w << shift), shift: shift, id: f.buckets}
	f.tree.ReplaceOrInsert(b)
	return b
}

// extended returns the tail of b. It is a new one if the last one is full.
func (f *future[T]) extended(b *bucket[T]) *chunk[T] {
	if b.tail.n == chunkLen {
		c := f.pool.get(b)
		b.tail.next = c
		b.tail = c
		b.full++
	}
	return b.tail
}

// next removes the bucket of the next window, and makes that window the current one. It
// returns nil if there is none. pushed is the number of events that were scheduled into
// the last window while it was current.
func (f *future[T]) next(pushed int) *bucket[T] {
	if f.tree.Len() == 0 {
		return nil
	}
	f.adapt(pushed)
	for {
		b, _ := f.tree.DeleteMin()
		f.forget(b)
		if b.shift <= f.shift && b.len() > tooMany && !b.head.sorted() {
			f.narrowBucket(b)
		}
		if b.shift > f.shift {
			f.current = uint64(b.start)>>f.shift - 1
			f.split(b)
			continue
		}
		f.current = uint64(b.start) >> f.shift
		f.join(b)
		f.windows++
		f.events += b.len()
		return b
	}
}

// forget removes b from the short cuts.
func (f *future[T]) forget(b *bucket[T]) {
	switch b.shift {
	case f.shift:
		if p := &f.near[uint64(b.start)>>b.shift%ringLen]; *p == b.tail {
			*p = nil
		}
	case f.shift + farLog:
		if p := &f.far[uint64(b.start)>>b.shift%farLen]; *p == b {
			*p = nil
		}
	}
}

// split distributes the events of b over buckets of the present width.
func (f *future[T]) split(b *bucket[T]) {
	for c := b.head; c != nil; {
		for i := range c.events[:c.n] {
			e := &c.events[i]
			*f.place(e.At, e.key) = *e
		}
		done := c
		c = c.next
		f.pool.put(done)
	}
	f.retire(b)
}

// join adds to b, the first bucket of the current window, the other buckets that start in
// this window. There are some if the width has changed.
func (f *future[T]) join(b *bucket[T]) {
	end := Time((f.current + 1) << f.shift)
	for {
		narrower, ok := f.tree.Min()
		if !ok || narrower.start >= end {
			return
		}
		f.tree.DeleteMin()
		f.forget(narrower)
		for c := narrower.head; c != nil; {
			for i := range c.events[:c.n] {
				*f.extended(b).append(c.events[i].At, c.events[i].key) = c.events[i]
			}
			done := c
			c = c.next
			f.pool.put(done)
		}
		f.retire(narrower)
	}
}

// adapt makes windows wider if the last ones delivered too few events, and narrower if too
// many were pushed into the last one.
func (f *future[T]) adapt(pushed int) {
	f.events += pushed
	switch {
	case pushed > tooMany:
		f.setShift(int(f.shift) - bits.Len(uint(pushed/target)) + 1)
	case f.windows < patience:
	case f.events < patience*tooFew:
		f.setShift(int(f.shift) + bits.Len(uint(patience*target/max(f.events, 1))) - 1)
	default:
		f.windows, f.events = 0, 0
	}
}

// narrowBucket makes windows narrower because b holds too many events. It leaves them as
// they are if all events of b are at one instant.
func (f *future[T]) narrowBucket(b *bucket[T]) {
	first, last := b.head.events[0].At, b.head.events[0].At
	b.head.each(func(e *Event[T]) { first, last = min(first, e.At), max(last, e.At) })
	f.narrow(widthFor(b.len(), last-first), b.start)
}

// widthFor is the width of a window that delivers target events if n events span d. It is
// unbounded if d is 0.
func widthFor(n int, d Time) uint64 {
	if d <= 0 {
		return math.MaxUint64
	}
	return uint64(d) / uint64(n/target+1)
}

// narrow makes windows at most that wide, and the window that holds now the current one.
// It reports whether it changed anything.
func (f *future[T]) narrow(width uint64, now Time) bool {
	shift := bits.Len64(max(width, 1)) - 1
	if shift >= int(f.shift) {
		return false
	}
	f.setShift(shift)
	f.current = uint64(now) >> f.shift
	return true
}

// setShift changes the width of the windows to come. The caller updates current.
func (f *future[T]) setShift(shift int) {
	shift = min(max(shift, 0), widestLog)
	f.windows, f.events = 0, 0
	if uint(shift) == f.shift {
		return
	}
	f.shift = uint(shift)
	clear(f.near[:])
	clear(f.far[:])
}

// retire keeps b for later use. Its chunks are in use elsewhere.
func (f *future[T]) retire(b *bucket[T]) {
	b.head, b.tail = nil, nil
	f.spare = append(f.spare, b)
}

func (f *future[T]) each(fn func(*Event[T])) {
	f.tree.Ascend(func(b *bucket[T]) bool {
		b.head.each(fn)
		return true
	})
}

// clear drops all events. It empties the short cuts bucket by bucket: few buckets are left
// when a run ends, and emptying all short cuts would take longer than a run of a few events.
func (f *future[T]) clear() {
	f.tree.Ascend(func(b *bucket[T]) bool {
		f.forget(b)
		f.pool.putAll(b.head)
		f.retire(b)
		return true
	})
	f.tree.Clear(true)
	f.shift = startLog
	if f.pool.pointers {
		clear(f.scratch[:cap(f.scratch)])
	}
	f.current, f.windows, f.events = 0, 0, 0
}

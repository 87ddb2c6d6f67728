package des

import "slices"

const (
	sortLog     = 10
	sortBins    = 1 << sortLog
	smallEnough = 48 // up to so many events insertion alone is fastest
	crowdedBin  = 24 // with more events a bin is sorted before the insertion pass
)

// sort returns the events of b in order, in memory that the next call overwrites, and frees
// the chunks of b. It counts the events by bin of time, scatters them stably into the bins,
// and sorts by insertion.
func (f *future[T]) sort(b *bucket[T]) []Event[T] {
	n := b.len()
	f.scratch = slices.Grow(f.scratch[:0], n)[:n]
	if n <= smallEnough {
		i := 0
		b.head.each(func(e *Event[T]) { f.scratch[i] = *e; i++ })
		f.pool.putAll(b.head)
		insertionSort(f.scratch)
		return f.scratch
	}
	start, shift := f.start(), binShift(f.shift, sortLog)
	clear(f.count[:])
	for c := b.head; c != nil; c = c.next {
		for i := range c.events[:c.n] {
			f.count[uint64(c.events[i].At-start)>>shift%sortBins]++
		}
	}
	sum, most := uint32(0), uint32(0)
	for i, c := range f.count {
		f.count[i] = sum
		sum += c
		most = max(most, c)
	}
	for c := b.head; c != nil; c = c.next {
		for i := range c.events[:c.n] {
			e := &c.events[i]
			p := &f.count[uint64(e.At-start)>>shift%sortBins]
			f.scratch[*p] = *e
			*p++
		}
	}
	f.pool.putAll(b.head)
	if most > crowdedBin {
		// count[i] is now the end of bin i.
		from := uint32(0)
		for _, to := range f.count[:sortBins] {
			if to-from > crowdedBin {
				slices.SortFunc(f.scratch[from:to], compareEvents)
			}
			from = to
		}
	}
	insertionSort(f.scratch)
	return f.scratch
}

// binShift is the binary logarithm of the width of a bin, if a window of 2^shift ticks is
// cut into 2^bins bins; a bin is at least one tick wide.
func binShift(shift, bins uint) uint {
	return shift - min(shift, bins)
}

func insertionSort[T any](events []Event[T]) {
	for i := 1; i < len(events); i++ {
		if !events[i].before(&events[i-1]) {
			continue
		}
		e := events[i]
		j := i
		for ; j > 0 && e.before(&events[j-1]); j-- {
			events[j] = events[j-1]
		}
		events[j] = e
	}
}

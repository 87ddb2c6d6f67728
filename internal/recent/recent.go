// Package recent keeps the values that were used last, so that they are not computed again.
package recent

import (
	"slices"
	"sync"
)

// Values holds up to Most values, those that were used last. The zero value is empty. It
// may be used by several goroutines.
type Values[K comparable, V any] struct {
	mutex   sync.Mutex
	entries []entry[K, V] // the one used last at the end
}

// Most is the number of values that are remembered.
const Most = 64

type entry[K comparable, V any] struct {
	key   K
	value V
}

// Get returns the value of a key. It computes the value if it does not remember it.
func (r *Values[K, V]) Get(key K, compute func() V) V {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	i := slices.IndexFunc(r.entries, func(e entry[K, V]) bool { return e.key == key })
	if i < 0 {
		if len(r.entries) == Most {
			r.entries = slices.Delete(r.entries, 0, 1)
		}
		i = len(r.entries)
		r.entries = append(r.entries, entry[K, V]{key, compute()})
	}
	e := r.entries[i]
	copy(r.entries[i:], r.entries[i+1:])
	r.entries[len(r.entries)-1] = e
	return e.value
}

package explore

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
)

// store is what the parts of states share.
type store struct {
	Network
	handlers handlers

	lock    sync.Mutex // needed to add to any part
	changes table      // of contents, timers and watches, by key
	bytes   uint64     // of all parts, about
	problem atomic.Pointer[error]
}

// keeps adds the memory of a part of states: its bytes, and the overhead of an element of
// a list with its entry in a map.
func (st *store) keeps(bytes int) { st.bytes += uint64(bytes) + 150 }

// lookUp is the number of a key. work computes it if the key is new. Two workers may compute
// it at once, and get the same number: work numbers a part of a state by what it is.
func (st *store) lookUp(t *table, key uint64, work func() uint32) uint32 {
	i, ok := t.find(key)
	if !ok {
		i = work()
		st.lock.Lock()
		defer st.lock.Unlock()
		if _, ok := t.find(key); !ok {
			st.put(t, key, i)
		}
	}
	return i
}

// put gives a new key its number. It needs the lock.
func (st *store) put(t *table, key uint64, i uint32) {
	t.put(key, i)
	st.bytes += 30 // of a table that is half full
}

// changed looks up the result of an operation.
func (st *store) changed(of uint32, op, more uint64, work func() uint32) uint32 {
	return st.lookUp(&st.changes, uint64(of)<<36|op<<32|more, work)
}

// fail notes the first reason why the search cannot go on.
func (st *store) fail(err error) {
	if st.problem.Load() == nil {
		st.problem.Store(&err)
	}
}

// limited returns the number if it fits into a key. Otherwise the search fails.
func (st *store) limited(i uint32, of string) uint32 {
	if i >= maxStates {
		st.fail(fmt.Errorf("%w: more than %d %s", errRoom, maxStates, of))
		return 0
	}
	return i
}

// The operations on contents of channels, sets of timers and watches.
const (
	opPush uint64 = iota
	opTake
	opDouble
	opAge
	opSet
	opFire
	opAgeTimers
	opRotate
	opTally
)

// errRoom says that a search ran out of numbers.
var errRoom = errors.New("out of room")

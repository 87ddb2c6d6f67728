package netem

import (
	"bullring/des"
	"bullring/protocols"
)

// plans has the planned starts, crashes, restarts and boots. Those that are planned one after
// another, for one instant and for consecutive processes, are one entry of the event queue: a
// million processes may start at 0.
type plans struct {
	batches []batch
	free    []uint32 // indices of batches that have left the event queue
	newest  int      // the index of the batch that may still grow, -1 for none
	present batch    // its events are due now
	waiting int      // planned events without an entry in the event queue
}

// batch is planned events of one type, for the processes first, first+1, ...
type batch struct {
	at    des.Time
	first protocols.ID
	n     int32
	what  eventType
}

func (p *plans) reset() { *p = plans{batches: p.batches[:0], free: p.free[:0], newest: -1} }

// close ends the newest batch: another event was planned after it.
func (p *plans) close() { p.newest = -1 }

// extend adds an event to the newest batch. It returns false if the event does not belong there.
func (p *plans) extend(id protocols.ID, t des.Time, what eventType) bool {
	if p.newest < 0 {
		return false
	}
	b := &p.batches[p.newest]
	if b.what != what || b.at != t || b.first+protocols.ID(b.n) != id {
		return false
	}
	b.n++
	p.waiting++
	return true
}

// add returns the index of a new batch with one event.
func (p *plans) add(b batch) (index uint32) {
	if k := len(p.free); k > 0 {
		index, p.free = p.free[k-1], p.free[:k-1]
		p.batches[index] = b
	} else {
		index = uint32(len(p.batches))
		p.batches = append(p.batches, b)
	}
	return index
}

// open makes a batch that has left the event queue the present one.
func (p *plans) open(index uint32) {
	p.present = p.batches[index]
	p.free = append(p.free, index)
	p.waiting++
	if p.newest == int(index) {
		p.newest = -1
	}
}

// next is the next event of the present batch. Only if there is one.
func (p *plans) next() item {
	b := &p.present
	it := newItem(b.what, 0, b.first, 0, 0, 0)
	b.first++
	b.n--
	p.waiting--
	return it
}

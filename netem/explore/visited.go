package explore

import (
	"math/bits"
	"unsafe"
)

// visited has the numbers of the visited states, by hash. Its parts let several workers
// add at once.
type visited [visitedParts]visitedPart

const visitedParts = 16

// visitedPart is a table with linear probing whose slots are in the order of their hashes
// (Amble & Knuth, "Ordered hash tables", Computer Journal 17(2), 1974). So a look-up costs
// as little in a table that is almost full, and for states that were added last, which are
// looked up most. A table grows by a quarter, in one run through memory.
type visitedPart struct {
	slots []visitedSlot // the last one is free
	used  int
}

// visitedSlot is a state: 96 bits of its hash, and its number. Among a hundred million
// states two have the same bits with a probability below 10^-13.
type visitedSlot struct {
	print  uint64
	more   uint32
	number uint32 // 1 + the number of the state; 0 is a free slot
}

// partOf is the part of the table for a state.
func partOf(h hash) int { return int(h.second >> 60) }

// find returns the number of a state.
func (v *visited) find(h hash) (uint32, bool) {
	p := &v[partOf(h)]
	if len(p.slots) == 0 {
		return 0, false
	}
	i, found := p.slot(h)
	if !found {
		return 0, false
	}
	return p.slots[i].number - 1, true
}

// home is the first slot in which a state may be. A few slots at the end are the home of
// none.
func (p *visitedPart) home(print uint64) int {
	homes := len(p.slots) - len(p.slots)/64 - 16
	first, _ := bits.Mul64(print, uint64(homes))
	return int(first)
}

// slot is the slot of a state, or the one in which it should be.
func (p *visitedPart) slot(h hash) (i int, found bool) {
	slots, print, more := p.slots, h.first, uint32(h.second)
	for i = p.home(print); i < len(slots); i++ {
		switch s := &slots[i]; {
		case s.number == 0 || s.print > print:
			return i, false
		case s.print == print && s.more == more:
			return i, true
		}
	}
	return i, false
}

// add gives a state that number if it has none, and returns its number.
func (p *visitedPart) add(h hash, number uint32) (has uint32, added bool) {
	if 8*(p.used+1) > 7*len(p.slots) {
		p.grow()
	}
	i, found := p.slot(h)
	if found {
		return p.slots[i].number - 1, false
	}
	for !p.free(i) {
		p.grow()
		i, _ = p.slot(h)
	}
	p.slots[i] = visitedSlot{h.first, uint32(h.second), number + 1}
	p.used++
	return number, true
}

// free moves the states from a slot on to make room, and reports whether there was any.
func (p *visitedPart) free(i int) bool {
	end := i
	for end < len(p.slots) && p.slots[end].number != 0 {
		end++
	}
	if end >= len(p.slots)-1 {
		return false
	}
	copy(p.slots[i+1:end+1], p.slots[i:end])
	return true
}

// renumber changes the number of a state in the table.
func (p *visitedPart) renumber(h hash, number uint32) {
	i, _ := p.slot(h)
	p.slots[i].number = number + 1
}

// settle gives all states of a part the same number.
func (p *visitedPart) settle(number uint32) {
	for i := range p.slots {
		if s := &p.slots[i]; s.number != 0 {
			s.number = number + 1
		}
	}
}

// forget removes the states of a part with that number.
func (p *visitedPart) forget(number uint32) {
	old := p.slots
	for i := range old {
		if old[i].number == number+1 {
			old[i].number = 0
			p.used--
		}
	}
	p.slots = make([]visitedSlot, p.used)
	for fits := false; !fits; fits = p.fill(old) {
		p.widen()
	}
}

// clear removes all states of a part, and keeps its memory.
func (p *visitedPart) clear() {
	clear(p.slots)
	p.used = 0
}

func (p *visitedPart) grow() {
	old := p.slots
	for fits := false; !fits; fits = p.fill(old) {
		p.widen()
	}
}

// widen makes a larger table, without states.
func (p *visitedPart) widen() {
	p.slots = make([]visitedSlot, max(64, len(p.slots)+len(p.slots)/4))
}

// fill copies slots into empty ones, and reports whether they fit.
func (p *visitedPart) fill(old []visitedSlot) bool {
	i := 0
	for _, s := range old {
		if s.number == 0 {
			continue
		}
		if i = max(i, p.home(s.print)); i >= len(p.slots)-1 {
			return false
		}
		p.slots[i] = s
		i++
	}
	return true
}

// size is the memory of the table, in bytes.
func (v *visited) size() (bytes uint64) {
	for i := range v {
		bytes += uint64(len(v[i].slots)) * uint64(unsafe.Sizeof(visitedSlot{}))
	}
	return bytes
}

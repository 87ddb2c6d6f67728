package explore

import "unsafe"

// visited has the numbers of the visited states, by hash. Its parts let several workers
// add at once.
type visited [visitedParts]visitedPart

const visitedParts = 16

type visitedPart struct {
	slots []visitedSlot
	used  int
}

// visitedSlot is a state: 96 bits of its hash, and its number. Among a hundred million
// states two have the same bits with a probability below 10^-13.
type visitedSlot struct {
	print  uint64
	more   uint32
	number uint32 // 1 + the number of the state; 0 is a free slot
}

func (s *visitedSlot) matches(h hash) bool { return s.print == h[0] && s.more == uint32(h[1]) }

// partOf is the part of the table for a state.
func partOf(h hash) int { return int(h[1] >> 60) }

// find returns the number of a state.
func (v *visited) find(h hash) (uint32, bool) {
	p := &v[partOf(h)]
	if len(p.slots) == 0 {
		return 0, false
	}
	number := p.slot(h).number
	return number - 1, number != 0
}

// slot is the slot of a state, or the free slot for it.
func (p *visitedPart) slot(h hash) *visitedSlot {
	mask := len(p.slots) - 1
	i := int(h[0]) & mask
	for p.slots[i].number != 0 && !p.slots[i].matches(h) {
		i = (i + 1) & mask
	}
	return &p.slots[i]
}

// add gives a state that number if it has none, and returns its number.
func (p *visitedPart) add(h hash, number uint32) (has uint32, added bool) {
	if 4*(p.used+1) > 3*len(p.slots) {
		p.grow()
	}
	s := p.slot(h)
	if s.number != 0 {
		return s.number - 1, false
	}
	s.print, s.more, s.number = h[0], uint32(h[1]), number+1
	p.used++
	return number, true
}

// renumber changes the number of a state in the table.
func (p *visitedPart) renumber(h hash, number uint32) { p.slot(h).number = number + 1 }

func (p *visitedPart) grow() {
	old := p.slots
	p.slots = make([]visitedSlot, max(64, 2*len(old)))
	for _, s := range old {
		if s.number != 0 {
			*p.slot(hash{s.print, uint64(s.more)}) = s
		}
	}
}

// size is the memory of the table, in bytes.
func (v *visited) size() (bytes uint64) {
	for i := range v {
		bytes += uint64(len(v[i].slots)) * uint64(unsafe.Sizeof(visitedSlot{}))
	}
	return bytes
}

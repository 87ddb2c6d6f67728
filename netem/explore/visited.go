package explore

import "unsafe"

// visited is the states that were found, by hash, with their numbers. It is in
// parts, so that several workers can add at once.
type visited [visitedParts]visitedPart

const visitedParts = 16

type visitedPart struct {
	slots []visitedSlot
	used  int
}

// visitedSlot is a state: 96 bits of its hash, so that of a hundred million states
// two are taken for one with a probability below 10^-13, and its number.
type visitedSlot struct {
	print  uint64
	more   uint32
	number uint32 // 0 is a free slot, else the number of the state and 1
}

func (s *visitedSlot) is(h hash) bool { return s.print == h[0] && s.more == uint32(h[1]) }

// partOf is the part in which a state is, or will be.
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

// slot is where a state is or, if it is not there, would be.
func (p *visitedPart) slot(h hash) *visitedSlot {
	mask := len(p.slots) - 1
	i := int(h[0]) & mask
	for p.slots[i].number != 0 && !p.slots[i].is(h) {
		i = (i + 1) & mask
	}
	return &p.slots[i]
}

// add gives a state a number if it has none, and returns the number that it has.
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

// renumber gives a state that is there another number.
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

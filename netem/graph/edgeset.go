package graph

import "math/bits"

// edgeSet holds the edges of a graph that is being made, in a table with open addressing and
// linear probing (Knuth, The Art of Computer Programming, volume 3, section 6.4, algorithm L).
type edgeSet struct {
	slots []pair // 0 is an empty one: no process has an edge to itself
}

// removed marks the slot of an edge that has been removed.
const removed pair = 1 << 63

// newEdgeSet returns an empty set with room for so many edges, removed ones included.
func newEdgeSet(most int) *edgeSet { return &edgeSet{make([]pair, most+most/2+1)} }

func (s *edgeSet) clear() { clear(s.slots) }

// find returns the edge between two processes, and its slot or the empty one where it belongs.
func (s *edgeSet) find(a, b int) (pair, *pair) {
	const golden = 0x9e3779b97f4a7c15
	e := pairOf(min(a, b), max(a, b))
	hash, _ := bits.Mul64(uint64(e)*golden, uint64(len(s.slots)))
	for i := hash; ; i++ {
		if i == uint64(len(s.slots)) {
			i = 0
		}
		if slot := &s.slots[i]; *slot == 0 || *slot&^removed == e {
			return e, slot
		}
	}
}

func (s *edgeSet) has(a, b int) bool {
	e, slot := s.find(a, b)
	return a != b && *slot == e
}

// add adds an edge. It reports whether it could: there are no edges from a process to itself, and
// none twice.
func (s *edgeSet) add(a, b int) bool {
	e, slot := s.find(a, b)
	if a == b || *slot == e {
		return false
	}
	*slot = e
	return true
}

func (s *edgeSet) remove(a, b int) {
	_, slot := s.find(a, b)
	*slot |= removed
}

// edges are the edges of the set, which is of no use any more.
func (s *edgeSet) edges() []pair {
	edges := s.slots[:0]
	for _, e := range s.slots {
		if e != 0 && e&removed == 0 {
			edges = append(edges, e)
		}
	}
	return edges
}

// joinable reports whether two of these free ends can be joined.
func (s *edgeSet) joinable(ends []int32) bool {
	for i, a := range ends {
		for _, b := range ends[i+1:] {
			if a != b && !s.has(int(a), int(b)) {
				return true
			}
		}
	}
	return false
}

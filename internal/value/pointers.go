package value

import (
	"slices"
	"unsafe"
)

// pointers numbers pointers in the order in which they are met.
type pointers struct {
	first [few]unsafe.Pointer
	count int
	all   map[unsafe.Pointer]int // if they are more than a few
}

const few = 16

// number returns the number of a pointer, and whether the pointer had one before.
func (ps *pointers) number(p unsafe.Pointer) (i int, known bool) {
	if ps.all == nil {
		if i := slices.Index(ps.first[:ps.count], p); i >= 0 {
			return i, true
		}
		if ps.count < few {
			ps.first[ps.count] = p
			ps.count++
			return ps.count - 1, false
		}
		ps.all = map[unsafe.Pointer]int{}
		for i, q := range ps.first {
			ps.all[q] = i
		}
	}
	i, known = ps.all[p]
	if !known {
		i = len(ps.all)
		ps.all[p] = i
	}
	return i, known
}

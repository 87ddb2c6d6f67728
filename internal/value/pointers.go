package value

import (
	"slices"
	"unsafe"
)

// pointers numbers pointers in the order in which they are met.
type pointers struct {
	first []unsafe.Pointer // all, while they are few
	all   map[unsafe.Pointer]int
}

const few = 16

// number returns the number of a pointer, and whether the pointer had one before.
func (ps *pointers) number(p unsafe.Pointer) (i int, known bool) {
	if ps.all == nil {
		if i := slices.Index(ps.first, p); i >= 0 {
			return i, true
		}
		ps.first = append(ps.first, p)
		if len(ps.first) <= few {
			return len(ps.first) - 1, false
		}
		ps.all = map[unsafe.Pointer]int{}
		for i, q := range ps.first[:few] {
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

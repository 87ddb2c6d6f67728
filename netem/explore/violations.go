package explore

import (
	"cmp"
	"math/bits"
	"slices"
)

// violation is a violation of a property.
type violation struct {
	property int    // 0 is NoPanic
	depth    int    // the number of steps that lead to it
	state    uint64 // the state that violates it, or in which the violating step is taken
	by       uint32 // the kind and the process of the step that violates it, or anyMove; 0 if a state does
}

// anyMove is a step of which the kind and the process do not matter.
const anyMove = 1<<16 - 1

// by is the kind and the process of a move.
func (m move) by() uint32 { return 1<<16 | uint32(m.what)<<8 | uint32(m.who) }

// violations are those that a search has found, and reports. If it reports one, that is the first of the
// nearest. If it reports several, they differ in their property, or in the kind or the process of the step that
// violates it, and each is the first of the nearest of its kind.
type violations struct {
	most int
	list []violation
}

// none is an empty list of as many.
func (vs *violations) none() violations { return violations{most: vs.most} }

func (vs *violations) there() bool { return len(vs.list) > 0 }

// enough reports whether no more have to be found.
func (vs *violations) enough() bool { return len(vs.list) >= vs.most }

// add adds a violation, unless one like it is as near.
func (vs *violations) add(v violation) {
	for i, w := range vs.list {
		if vs.most == 1 || w.property == v.property && w.by == v.by {
			if v.depth < w.depth {
				vs.list[i] = v
			}
			return
		}
	}
	vs.list = append(vs.list, v)
}

// at adds a violation of each property of a set; if one is enough, of the first.
func (vs *violations) at(properties uint64, v violation) {
	for ; properties != 0; properties &= properties - 1 {
		v.property = bits.TrailingZeros64(properties)
		vs.add(v)
		if vs.most == 1 {
			return
		}
	}
}

// nearest are those that are reported, in the order of their depth.
func (vs *violations) nearest() []violation {
	slices.SortStableFunc(vs.list, func(v, w violation) int { return cmp.Compare(v.depth, w.depth) })
	return vs.list[:min(len(vs.list), vs.most)]
}

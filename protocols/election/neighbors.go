package election

import (
	"slices"

	"bullring/protocols"
)

// Neighbors are the processes behind the ports of a process, ascending, each once and without itself.
// On a ring of one or two several ports lead to one process.
func Neighbors[M any](n protocols.Node[M]) []protocols.ID {
	return protocols.NeighborsOf(n.ID(), n)
}

// Remove removes the element i of a list, in place, and keeps the order of the others. It moves
// those on the shorter side, so that a list that is emptied from its beginning takes no more time
// than one that is emptied from its end.
func Remove[T any](list []T, i int) []T {
	if i < len(list)/2 {
		copy(list[1:], list[:i])
		return list[1:]
	}
	return slices.Delete(list, i, i+1)
}

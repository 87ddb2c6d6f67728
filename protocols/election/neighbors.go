package election

import (
	"slices"

	"bullring/protocols"
)

// Neighbors are the processes to which a process has a link, ascending, each once and
// without itself. On a ring of one or two several ports lead to one process.
func Neighbors[M any](n protocols.Node[M]) []protocols.ID {
	all := make([]protocols.ID, 0, n.Degree())
	for port := range n.Degree() {
		if q := n.Neighbor(port); q != n.ID() {
			all = append(all, q)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

package elections

import (
	"slices"

	"bullring/experiments/trial"
	"bullring/protocols"
)

// Parts of bounds for elections on undirected graphs.

// edges is the number of edges between processes that are not dead from the start.
func edges(in *trial.Instance) int {
	if len(in.Dead) == 0 {
		return in.Graph().Edges()
	}
	links := 0
	for p := range protocols.ID(in.N) {
		if !in.IsDead(p) {
			links += len(living(in, p))
		}
	}
	return links / 2
}

// live is the number of processes that are not dead from the start.
func live(in *trial.Instance) int { return in.N - len(in.Dead) }

// living are the neighbours of a process that are not dead from the start, ascending.
func living(in *trial.Instance, p protocols.ID) []protocols.ID {
	neighbors := make([]protocols.ID, 0, in.Topology.Degree(p))
	for port := range in.Topology.Degree(p) {
		if q := in.Topology.Neighbor(p, port); !in.IsDead(q) {
			neighbors = append(neighbors, q)
		}
	}
	slices.Sort(neighbors)
	return neighbors
}

// search is a breadth-first search from a process, made by messages with a constant delay.
// A process that receives several at the same time is the child of the first sender.
type search struct {
	order    []protocols.ID
	parent   []protocols.ID // -1 at the root, and where no path leads
	distance []int          // -1 where no path leads
	deepest  int
}

func searchFrom(in *trial.Instance, root protocols.ID) search {
	s := search{order: []protocols.ID{root}, parent: make([]protocols.ID, in.N), distance: make([]int, in.N)}
	for p := range s.parent {
		s.parent[p], s.distance[p] = -1, -1
	}
	s.distance[root] = 0
	for i := 0; i < len(s.order); i++ {
		p := s.order[i]
		s.deepest = s.distance[p]
		for _, q := range living(in, p) {
			if s.distance[q] < 0 {
				s.parent[q], s.distance[q] = p, s.distance[p]+1
				s.order = append(s.order, q)
			}
		}
	}
	return s
}

// oneInitiator: one process starts, at 0.
func oneInitiator(in *trial.Instance) bool { return in.Initiators.Len() == 1 }

package graph

import "bullring/protocols"

// Links is the number of directed links.
func (g *Graph) Links() int {
	return g.links.get(func() int {
		return g.sum(g.Degree)
	})
}

// Edges is the number of edges: two links in opposite directions count once.
func (g *Graph) Edges() int {
	return g.edges.get(func() int {
		if g.plain {
			return g.Links() / 2
		}
		return g.Links() - g.sum(func(id protocols.ID) int {
			both := 0
			for port := range g.Degree(id) {
				to := g.Neighbor(id, port)
				if _, back := g.Port(to, id); back && to != id {
					both++
				}
			}
			return both
		})/2
	})
}

// sum adds a number of each process.
func (g *Graph) sum(number func(protocols.ID) int) int {
	if g.alike {
		return g.Len() * number(0)
	}
	sum := 0
	for id := range protocols.ID(g.Len()) {
		sum += number(id)
	}
	return sum
}

// all reports whether a property holds for every process.
func (g *Graph) all(holds func(protocols.ID) bool) bool {
	if g.alike {
		return holds(0)
	}
	for id := range protocols.ID(g.Len()) {
		if !holds(id) {
			return false
		}
	}
	return true
}

// Simple reports whether no process has a link to itself, or two links to another process.
func (g *Graph) Simple() bool {
	return g.simple.get(func() bool {
		return g.plain || g.all(func(id protocols.ID) bool {
			for port := range g.Degree(id) {
				to := g.Neighbor(id, port)
				if first, _ := g.Port(id, to); to == id || first != port {
					return false
				}
			}
			return true
		})
	})
}

// Symmetric reports whether each link has a link back: whether the graph is undirected.
func (g *Graph) Symmetric() bool {
	return g.symmetric.get(func() bool {
		return g.plain || g.all(func(id protocols.ID) bool {
			for port := range g.Degree(id) {
				if _, back := g.Port(g.Neighbor(id, port), id); !back {
					return false
				}
			}
			return true
		})
	})
}

// Connected reports whether there is a path between any two processes, regardless of the
// directions of the links.
func (g *Graph) Connected() bool {
	return g.connected.get(func() bool {
		if g.alike || g.Symmetric() {
			return g.StronglyConnected()
		}
		return newWalk(g.Len()).from(0, &both{there: g.rows(), back: g.reversed()}) == g.Len()
	})
}

// StronglyConnected reports whether there is a path from any process to any other.
func (g *Graph) StronglyConnected() bool {
	return g.strongly.get(func() bool {
		w := newWalk(g.Len())
		if w.from(0, g.rows()) < g.Len() {
			return false
		}
		return g.alike || g.Symmetric() || w.from(0, g.reversed()) == g.Len()
	})
}

// Tree reports whether the graph is a tree: undirected, connected, without a cycle.
func (g *Graph) Tree() bool {
	return g.tree.get(func() bool {
		return g.Simple() && g.Symmetric() && g.Edges() == g.Len()-1 && g.Connected()
	})
}

// Distances are the lengths of the shortest paths from a process, by address; -1 without a path.
func (g *Graph) Distances(from protocols.ID) []int32 {
	w := newWalk(g.Len())
	w.from(int32(from), g.rows())
	return w.distance
}

// Eccentricity is the largest distance from a process, or -1 if it does not reach all processes.
func (g *Graph) Eccentricity(id protocols.ID) int {
	return newWalk(g.Len()).eccentricity(int32(id), g.rows())
}

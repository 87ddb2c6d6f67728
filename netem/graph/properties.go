package graph

import (
	"slices"

	"bullring/protocols"
)

// Links is the number of directed links.
func (g *Graph) Links() int {
	return g.links.get(func() int {
		return g.sum(g.Degree)
	})
}

// Edges is the number of edges: two links in opposite directions count once.
func (g *Graph) Edges() int {
	return g.edges.get(func() int {
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
		return g.all(func(id protocols.ID) bool {
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
		return g.all(func(id protocols.ID) bool {
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
		return newWalk(g.Len()).from(0, both{g, reversed(g)}) == g.Len()
	})
}

// StronglyConnected reports whether there is a path from any process to any other.
func (g *Graph) StronglyConnected() bool {
	return g.strongly.get(func() bool {
		w := newWalk(g.Len())
		if w.from(0, g) < g.Len() {
			return false
		}
		return g.alike || g.Symmetric() || w.from(0, reversed(g)) == g.Len()
	})
}

// Tree reports whether the graph is a tree: undirected, connected, without a cycle.
func (g *Graph) Tree() bool {
	return g.Simple() && g.Symmetric() && g.Edges() == g.Len()-1 && g.Connected()
}

// Distances are the lengths of the shortest paths from a process, by address; -1 without a path.
func (g *Graph) Distances(from protocols.ID) []int32 {
	w := newWalk(g.Len())
	w.from(from, g)
	return w.distance
}

// Eccentricity is the largest distance from a process, or -1 if it does not reach all processes.
func (g *Graph) Eccentricity(id protocols.ID) int {
	return newWalk(g.Len()).eccentricity(id, g)
}

// Diameter is the largest distance between two processes, or -1 if the graph is not strongly
// connected.
func (g *Graph) Diameter() int {
	return g.diameter.get(func() int {
		switch {
		case !g.StronglyConnected():
			return -1
		case g.alike:
			return g.Eccentricity(0)
		case g.Tree(): // the farthest process from any process is the end of a longest path
			w := newWalk(g.Len())
			w.from(0, g)
			return w.eccentricity(w.queue[len(w.queue)-1], g)
		case g.Symmetric():
			return g.boundedDiameter()
		}
		w, diameter := newWalk(g.Len()), 0
		for id := range protocols.ID(g.Len()) {
			diameter = max(diameter, w.eccentricity(id, g))
		}
		return diameter
	})
}

// boundedDiameter is the diameter of a connected undirected graph. A process at distance d from
// one of eccentricity e has an eccentricity from max(d, e-d) to e+d. Processes whose bound is not
// above the largest eccentricity so far are skipped (Takes & Kosters 2011, BoundingDiameters).
func (g *Graph) boundedDiameter() int {
	n := g.Len()
	w := newWalk(n)
	lower, upper := make([]int, n), make([]int, n)
	open := make([]protocols.ID, n)
	for i := range open {
		open[i], upper[i] = protocols.ID(i), n
	}
	diameter := 0
	for high := true; len(open) > 0; high = !high {
		// Far processes raise the diameter, central ones lower the upper bounds.
		chosen := open[0]
		for _, id := range open {
			if high && upper[id] > upper[chosen] || !high && lower[id] < lower[chosen] {
				chosen = id
			}
		}
		e := w.eccentricity(chosen, g)
		diameter = max(diameter, e)
		upper[chosen] = e
		for _, id := range open {
			d := int(w.distance[id])
			lower[id] = max(lower[id], d, e-d)
			upper[id] = min(upper[id], e+d)
			diameter = max(diameter, lower[id])
		}
		open = slices.DeleteFunc(open, func(id protocols.ID) bool { return upper[id] <= diameter })
	}
	return diameter
}

// neighborhood is the part of a topology that a walk follows.
type neighborhood interface {
	Degree(id protocols.ID) int
	Neighbor(id protocols.ID, port int) protocols.ID
}

// reversed is the graph with each link reversed. Its ports are in no particular order.
func reversed(g *Graph) *adjacency {
	n := g.Len()
	a := &adjacency{starts: make([]int, n+1)}
	each := func(visit func(from, to protocols.ID)) {
		for from := range protocols.ID(n) {
			for port := range g.Degree(from) {
				visit(from, g.Neighbor(from, port))
			}
		}
	}
	each(func(_, to protocols.ID) { a.starts[to+1]++ })
	for id := range n {
		a.starts[id+1] += a.starts[id]
	}
	a.to = make([]int32, a.starts[n])
	next := append([]int(nil), a.starts[:n]...)
	each(func(from, to protocols.ID) {
		a.to[next[to]] = int32(from)
		next[to]++
	})
	return a
}

// both has the links of two graphs.
type both struct{ there, back neighborhood }

func (b both) Degree(id protocols.ID) int { return b.there.Degree(id) + b.back.Degree(id) }

func (b both) Neighbor(id protocols.ID, port int) protocols.ID {
	if d := b.there.Degree(id); port >= d {
		return b.back.Neighbor(id, port-d)
	}
	return b.there.Neighbor(id, port)
}

// walk searches a graph breadth first. It can be used again, in the same memory.
type walk struct {
	distance []int32
	queue    []protocols.ID
}

func newWalk(n int) *walk {
	return &walk{distance: make([]int32, n), queue: make([]protocols.ID, 0, n)}
}

// from finds the distances from a process, and returns the number of processes that it reaches.
func (w *walk) from(start protocols.ID, links neighborhood) int {
	for i := range w.distance {
		w.distance[i] = -1
	}
	w.distance[start] = 0
	w.queue = append(w.queue[:0], start)
	for i := 0; i < len(w.queue) && len(w.queue) < len(w.distance); i++ {
		id := w.queue[i]
		for port := range links.Degree(id) {
			if to := links.Neighbor(id, port); w.distance[to] < 0 {
				w.distance[to] = w.distance[id] + 1
				w.queue = append(w.queue, to)
			}
		}
	}
	return len(w.queue)
}

func (w *walk) eccentricity(id protocols.ID, links neighborhood) int {
	if w.from(id, links) < len(w.distance) {
		return -1
	}
	return int(w.distance[w.queue[len(w.queue)-1]]) // the last process reached is the farthest
}

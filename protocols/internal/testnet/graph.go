package testnet

import (
	"fmt"
	"iter"
	"slices"

	"bullring/protocols"
)

// Graph is an undirected graph as a topology: the neighbours of each address,
// ascending.
type Graph [][]protocols.ID

// NewGraph returns the graph with n vertices and these edges.
func NewGraph(n int, edges [][2]int) Graph {
	g := make(Graph, n)
	for _, e := range edges {
		for i, p := range e {
			g[p] = append(g[p], protocols.ID(e[1-i]))
		}
	}
	for _, neighbors := range g {
		slices.Sort(neighbors)
	}
	return g
}

// Graphs yields every connected graph with the vertices 0..n-1.
func Graphs(n int) iter.Seq[Graph] {
	return func(yield func(Graph) bool) {
		var pairs [][2]int
		for q := range n {
			for p := range q {
				pairs = append(pairs, [2]int{p, q})
			}
		}
		for mask := range 1 << len(pairs) {
			var edges [][2]int
			for i, e := range pairs {
				if mask>>i&1 == 1 {
					edges = append(edges, e)
				}
			}
			if g := NewGraph(n, edges); g.connected() && !yield(g) {
				return
			}
		}
	}
}

// RandomGraph returns a connected graph with n vertices: a random tree and at most extra random edges. draw is a
// random number from 0 and below a limit.
func RandomGraph(n, extra int, draw func(limit int) int) Graph {
	var edges [][2]int
	for q := 1; q < n; q++ {
		edges = append(edges, [2]int{draw(q), q})
	}
	for range extra {
		p, q := draw(n), draw(n)
		if p != q && !slices.Contains(edges, [2]int{min(p, q), max(p, q)}) {
			edges = append(edges, [2]int{min(p, q), max(p, q)})
		}
	}
	return NewGraph(n, edges)
}

// Len implements netem.Topology.
func (g Graph) Len() int { return len(g) }

// Degree implements netem.Topology.
func (g Graph) Degree(p protocols.ID) int { return len(g[p]) }

// Neighbor implements netem.Topology.
func (g Graph) Neighbor(p protocols.ID, port int) protocols.ID { return g[p][port] }

// Port implements netem.Topology.
func (g Graph) Port(from, to protocols.ID) (int, bool) { return slices.BinarySearch(g[from], to) }

// String lists the neighbours.
func (g Graph) String() string { return fmt.Sprint([][]protocols.ID(g)) }

// Edges are the edges, each once, the smaller address first.
func (g Graph) Edges() [][2]protocols.ID {
	var edges [][2]protocols.ID
	for p, neighbors := range g {
		for _, q := range neighbors {
			if protocols.ID(p) < q {
				edges = append(edges, [2]protocols.ID{protocols.ID(p), q})
			}
		}
	}
	return edges
}

// Distances are the distances from a vertex, -1 where no path leads.
func (g Graph) Distances(from protocols.ID) []int {
	d := make([]int, len(g))
	for p := range d {
		d[p] = -1
	}
	d[from] = 0
	for queue := []protocols.ID{from}; len(queue) > 0; queue = queue[1:] {
		for _, q := range g[queue[0]] {
			if d[q] < 0 {
				d[q] = d[queue[0]] + 1
				queue = append(queue, q)
			}
		}
	}
	return d
}

func (g Graph) connected() bool { return !slices.Contains(g.Distances(0), -1) }

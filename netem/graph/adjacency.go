package graph

import (
	"slices"

	"bullring/protocols"
)

// pair is a link or an edge as one number. Links are sorted by sender and then by receiver.
type pair uint64

func pairOf(from, to int) pair { return pair(from)<<32 | pair(to) }

func (p pair) from() int { return int(p >> 32) }
func (p pair) to() int   { return int(p & (1<<32 - 1)) }

// adjacency lists the neighbours of every process in the order of their addresses: four bytes a
// process and four a link.
type adjacency struct {
	name   string
	starts []int32 // where the list of each process begins in to, and the length of to
	to     []int32
}

// fromEdges makes the undirected graph of these edges, which do not repeat.
func fromEdges(name string, n int, edges []pair) *Graph {
	return &Graph{shape: &shape{Topology: newAdjacency(name, n, edges, true), plain: true}}
}

// fromLinks makes the graph of these links, which do not repeat.
func fromLinks(name string, n int, links []pair) *Graph {
	return &Graph{shape: &shape{Topology: newAdjacency(name, n, links, false)}}
}

// newAdjacency sorts links, and the links back if there are any, into lists. They need not be in
// order.
func newAdjacency(name string, n int, links []pair, back bool) *adjacency {
	// The list of a process is counted two places further on. So the place between can go
	// from its beginning to its end, which is the beginning of the next.
	starts := make([]int32, n+2)
	for _, l := range links {
		starts[l.from()+2]++
		if back {
			starts[l.to()+2]++
		}
	}
	for id := range n {
		starts[id+2] += starts[id+1]
	}
	a := &adjacency{name: name, starts: starts[:n+1], to: make([]int32, starts[n+1])}
	put := func(from, to int) {
		a.to[starts[from+1]] = int32(to)
		starts[from+1]++
	}
	for _, l := range links {
		put(l.from(), l.to())
		if back {
			put(l.to(), l.from())
		}
	}
	for id := range n {
		slices.Sort(a.row(int32(id)))
	}
	return a
}

// row implements rows.
func (a *adjacency) row(id int32) []int32 { return a.to[a.starts[id]:a.starts[id+1]] }

func (a *adjacency) Len() int       { return len(a.starts) - 1 }
func (a *adjacency) String() string { return a.name }

func (a *adjacency) Degree(id protocols.ID) int { return int(a.starts[id+1] - a.starts[id]) }

func (a *adjacency) Neighbor(id protocols.ID, port int) protocols.ID {
	return protocols.ID(a.row(int32(id))[port])
}

func (a *adjacency) Port(from, to protocols.ID) (int, bool) {
	if to < 0 || int(to) >= a.Len() {
		return 0, false
	}
	return slices.BinarySearch(a.row(int32(from)), int32(to))
}

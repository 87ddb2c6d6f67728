package graph

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"bullring/protocols"
)

// maxEdges is the largest number of edges that this package stores for a graph. Making such a
// graph takes about 2 GB.
const maxEdges = 1 << 26

// Topology tells which processes have links. Addresses are 0..Len()-1. Links are directed. A
// topology computes its links if it can, and stores them otherwise.
type Topology interface {
	// Len is the number of processes.
	Len() int
	// Degree is the number of out-neighbours of a process.
	Degree(id protocols.ID) int
	// Neighbor is the address behind a port of a process, in port order.
	Neighbor(id protocols.ID, port int) protocols.ID
	// Port is the port of from that leads to to.
	Port(from, to protocols.ID) (port int, ok bool)
	// String is the name from which netem.ParseTopology makes the topology.
	String() string
}

// Alike is implemented by topologies that can be vertex-transitive. If one is, a property of
// process 0 is a property of all processes.
type Alike interface {
	Alike() bool
}

// Graph is a topology with its properties. It may be used by several goroutines.
type Graph struct {
	*shape
	drawn bool // the weights are drawn from seed
	seed  uint64
	given []int64 // the weights by link, nil if none are given

	weights lazy[[]int32] // those drawn
}

// shape is a graph without weights. Graphs that differ in their weights share it.
type shape struct {
	Topology
	alike bool
	plain bool // simple and undirected, as it was made

	starts    lazy[[]int]
	links     lazy[int]
	edges     lazy[int]
	simple    lazy[bool]
	symmetric lazy[bool]
	connected lazy[bool]
	strongly  lazy[bool]
	tree      lazy[bool]
	diameter  lazy[int]
	interval  lazy[interval]
}

// lazy is a value that is computed once.
type lazy[T any] struct {
	once  sync.Once
	value T
}

func (l *lazy[T]) get(compute func() T) T {
	l.once.Do(func() { l.value = compute() })
	return l.value
}

// Of returns the graph of any topology. It copies nothing.
func Of(t Topology) *Graph {
	if g, ok := t.(*Graph); ok {
		return g
	}
	a, ok := t.(Alike)
	return &Graph{shape: &shape{Topology: t, alike: ok && a.Alike()}}
}

// Edge is an edge that is given to New: a link in both directions or in one.
type Edge struct {
	From, To protocols.ID
	Weight   int64
}

// EdgeError is the error of an edge.
type EdgeError struct {
	Edge  int // its number, from 0
	Other int // the number of the edge that it repeats, or -1
	What  string
}

func (e *EdgeError) Error() string { return e.What }

// New returns the graph of n processes with these edges, in any order. If the graph is not
// directed, each edge is a link in both directions. The error is an [*EdgeError]: an end outside
// 0..n-1, a link of a process to itself, or a repeated edge.
func New(name string, n int, edges []Edge, directed, weighted bool) (*Graph, error) {
	type numbered struct {
		pair
		edge int
	}
	links := make([]numbered, 0, 2*len(edges))
	for i, e := range edges {
		switch {
		case min(e.From, e.To) < 0 || int(max(e.From, e.To)) >= n:
			return nil, &EdgeError{i, -1, fmt.Sprintf("there is no link from %d to %d: addresses are 0..%d", e.From, e.To, n-1)}
		case e.From == e.To:
			return nil, &EdgeError{i, -1, fmt.Sprintf("process %d has a link to itself", e.From)}
		}
		links = append(links, numbered{pairOf(int(e.From), int(e.To)), i})
		if !directed {
			links = append(links, numbered{pairOf(int(e.To), int(e.From)), i})
		}
	}
	slices.SortFunc(links, func(a, b numbered) int { return cmp.Or(cmp.Compare(a.pair, b.pair), cmp.Compare(a.edge, b.edge)) })
	pairs := make([]pair, len(links))
	var given []int64
	var repeated *EdgeError
	for i, l := range links {
		if i > 0 && l.pair == links[i-1].pair && (repeated == nil || l.edge < repeated.Edge) {
			repeated = &EdgeError{l.edge, links[i-1].edge, fmt.Sprintf("the link from %d to %d stands there twice", edges[l.edge].From, edges[l.edge].To)}
		}
		pairs[i] = l.pair
		if weighted {
			given = append(given, edges[l.edge].Weight)
		}
	}
	if repeated != nil {
		return nil, repeated
	}
	g := fromLinks(name, n, pairs)
	g.plain, g.given = !directed, given
	return g, nil
}

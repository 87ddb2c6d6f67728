// Package graph computes what holds of a topology (how many links it has, whether
// it is connected, its diameter) and makes topologies that are not a formula:
// shapes such as trees and grids, random graphs, and graphs that somebody wrote
// down.
//
// Whatever is random here is a function of a named stream of package des, in
// integers from the first draw to the last link: one seed is one graph on every
// machine. Neighbours stand in a fixed order too, that of their addresses unless
// a constructor says otherwise.
package graph

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"bullring/des"
	"bullring/protocols"
)

// MaxEdges is the largest number of edges of a graph that is made here: it takes
// about 400 MB while it is made.
const MaxEdges = 1 << 24

// Topology says who has a link to whom: package netem knows it by the same
// methods. Links are directed.
type Topology interface {
	Len() int
	Degree(id protocols.ID) int
	Neighbor(id protocols.ID, port int) protocols.ID
	Port(from, to protocols.ID) (port int, ok bool)
	String() string
}

// Alike is implemented by a topology that looks the same from everywhere (it is
// vertex-transitive): what holds of process 0 holds of all.
type Alike interface {
	Alike() bool
}

// Graph is a topology with what can be computed of it, which is computed when it
// is asked for, and once. It may be used by several goroutines.
type Graph struct {
	Topology
	alike bool

	drawn bool // weights are drawn from seed
	seed  uint64
	given []int64 // weights by link, nil if there are none

	starts    lazy[[]int]
	weights   lazy[[]int64]
	links     lazy[int]
	edges     lazy[int]
	simple    lazy[bool]
	symmetric lazy[bool]
	connected lazy[bool]
	strongly  lazy[bool]
	diameter  lazy[int]
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
	return &Graph{Topology: t, alike: ok && a.Alike()}
}

// WithWeights returns the graph with weights that it draws from the seed: a random
// permutation of 1 to the number of its edges. The two directions of an edge weigh
// the same.
func (g *Graph) WithWeights(seed uint64) *Graph {
	return &Graph{Topology: g.Topology, alike: g.alike, drawn: true, seed: seed}
}

// Drawn reports whether the links have weights that were drawn at random.
func (g *Graph) Drawn() bool { return g.drawn }

// Weighted reports whether the links have weights.
func (g *Graph) Weighted() bool { return g.drawn || g.given != nil }

// Weight is the weight of the link behind a port. It panics if there are none.
func (g *Graph) Weight(id protocols.ID, port int) int64 {
	if !g.Weighted() {
		panic(fmt.Sprintf("graph: the links of the %s have no weights", g))
	}
	return g.weights.get(g.makeWeights)[g.starts.get(g.countStarts)[id]+port]
}

// countStarts numbers the links, process by process in the order of the ports: it
// is the number of the first link of each process.
func (g *Graph) countStarts() []int {
	starts := make([]int, g.Len()+1)
	for id := range g.Len() {
		starts[id+1] = starts[id] + g.Degree(protocols.ID(id))
	}
	return starts
}

func (g *Graph) makeWeights() []int64 {
	if !g.drawn {
		return g.given
	}
	edges := g.edgeOfLink()
	stream := des.NewStream(g.seed, "weight")
	drawn := stream.Perm(g.Edges())
	weights := make([]int64, len(edges))
	for link, edge := range edges {
		weights[link] = int64(drawn[edge]) + 1
	}
	return weights
}

// edgeOfLink gives the two directions of an edge one number: edges are numbered by
// the smaller of their ends, and then by the larger.
func (g *Graph) edgeOfLink() []int {
	type end struct {
		low, high protocols.ID
		back      bool
		link      int
	}
	var ends []end
	for from := range protocols.ID(g.Len()) {
		for port := range g.Degree(from) {
			to := g.Neighbor(from, port)
			ends = append(ends, end{min(from, to), max(from, to), from > to, len(ends)})
		}
	}
	slices.SortFunc(ends, func(a, b end) int {
		return cmp.Or(cmp.Compare(a.low, b.low), cmp.Compare(a.high, b.high), cmp.Compare(a.link, b.link))
	})
	edges, next := make([]int, len(ends)), 0
	for len(ends) > 0 {
		same := 1
		for same < len(ends) && ends[same].low == ends[0].low && ends[same].high == ends[0].high {
			same++
		}
		// Of several edges between two processes, which small rings have, the
		// first link there is the other direction of the first link back.
		there, back := 0, 0
		for _, e := range ends[:same] {
			nth := &there
			if e.back {
				nth = &back
			}
			edges[e.link] = next + *nth
			*nth++
		}
		next += max(there, back)
		ends = ends[same:]
	}
	return edges
}

// Edge is a link as it is written down, in both directions or one.
type Edge struct {
	From, To protocols.ID
	Weight   int64
}

// EdgeError says what is wrong with an edge.
type EdgeError struct {
	Edge  int // its number, from 0
	Other int // that of the edge that it repeats, or -1
	What  string
}

func (e *EdgeError) Error() string { return e.What }

// New returns the graph of n processes with these edges. Unless it is directed, an
// edge is a link in either direction. The error is an [*EdgeError]: there is an end
// outside 0..n-1, a process with a link to itself, or an edge that stands there
// twice. The order of the edges means nothing.
func New(name string, n int, edges []Edge, directed, weighted bool) (*Graph, error) {
	a := newAdjacency(name, n)
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
	var given []int64
	var repeated *EdgeError
	for i, l := range links {
		if i > 0 && l.pair == links[i-1].pair {
			if repeated == nil || l.edge < repeated.Edge {
				repeated = &EdgeError{l.edge, links[i-1].edge, fmt.Sprintf("the link from %d to %d stands there twice", edges[l.edge].From, edges[l.edge].To)}
			}
			continue
		}
		a.append(l.pair)
		if weighted {
			given = append(given, edges[l.edge].Weight)
		}
	}
	if repeated != nil {
		return nil, repeated
	}
	a.finish()
	return &Graph{Topology: a, given: given}, nil
}

// pair is a link as one number, so that links sort by their sender and then by
// their receiver.
type pair uint64

func pairOf(from, to int) pair { return pair(from)<<32 | pair(to) }

func (p pair) from() int { return int(p >> 32) }
func (p pair) to() int   { return int(p & (1<<32 - 1)) }

// adjacency lists the neighbours of every process.
type adjacency struct {
	name   string
	starts []int   // of each process in neighbors, and behind the last
	to     []int32 // neighbours in port order
	order  []int32 // ports by address of the neighbour, nil if that is the order of ports
}

func newAdjacency(name string, n int) *adjacency {
	return &adjacency{name: name, starts: make([]int, 1, n+1)}
}

// append adds a link; those of a process stand together, and processes in order.
func (a *adjacency) append(p pair) {
	for len(a.starts) <= p.from() {
		a.starts = append(a.starts, len(a.to))
	}
	a.to = append(a.to, int32(p.to()))
}

// finish closes the lists of the last processes.
func (a *adjacency) finish() {
	for len(a.starts) < cap(a.starts) {
		a.starts = append(a.starts, len(a.to))
	}
}

// undirected makes the graph of these edges, each of which stands there once.
func undirected(name string, n int, edges []pair) *Graph {
	links := make([]pair, 0, 2*len(edges))
	for _, e := range edges {
		links = append(links, e, pairOf(e.to(), e.from()))
	}
	return directed(name, n, links)
}

// directed makes the graph of these links, each of which stands there once.
func directed(name string, n int, links []pair) *Graph {
	slices.Sort(links)
	a := newAdjacency(name, n)
	a.to = make([]int32, 0, len(links))
	for _, l := range links {
		a.append(l)
	}
	a.finish()
	return &Graph{Topology: a}
}

// byAddress makes the order in which ports are found, for lists that are not in
// the order of addresses.
func (a *adjacency) byAddress() {
	a.order = make([]int32, len(a.to))
	for id := range a.Len() {
		row, ports := a.row(protocols.ID(id)), a.order[a.starts[id]:a.starts[id+1]]
		for port := range ports {
			ports[port] = int32(port)
		}
		slices.SortFunc(ports, func(p, q int32) int { return cmp.Compare(row[p], row[q]) })
	}
}

func (a *adjacency) row(id protocols.ID) []int32 { return a.to[a.starts[id]:a.starts[id+1]] }

func (a *adjacency) Len() int                   { return len(a.starts) - 1 }
func (a *adjacency) Degree(id protocols.ID) int { return a.starts[id+1] - a.starts[id] }
func (a *adjacency) String() string             { return a.name }

func (a *adjacency) Neighbor(id protocols.ID, port int) protocols.ID {
	return protocols.ID(a.row(id)[port])
}

func (a *adjacency) Port(from, to protocols.ID) (int, bool) {
	if to < 0 || int(to) >= a.Len() {
		return 0, false
	}
	row := a.row(from)
	if a.order == nil {
		return slices.BinarySearch(row, int32(to))
	}
	ports := a.order[a.starts[from]:a.starts[from+1]]
	i, ok := slices.BinarySearchFunc(ports, int32(to), func(p, to int32) int { return cmp.Compare(row[p], to) })
	if !ok {
		return 0, false
	}
	return int(ports[i]), true
}

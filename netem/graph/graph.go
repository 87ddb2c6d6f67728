package graph

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"bullring/des"
	"bullring/protocols"
)

// MaxEdges is the largest number of edges of a graph that this package makes. Making it takes
// about 400 MB.
const MaxEdges = 1 << 24

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
	Topology
	alike bool

	drawn bool // the weights are drawn from seed
	seed  uint64
	given []int64 // the weights by link, nil if none are given

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

// WithWeights returns the graph with weights drawn from the seed: a random permutation of 1 to
// the number of edges. The two directions of an edge have the same weight.
func (g *Graph) WithWeights(seed uint64) *Graph {
	return &Graph{Topology: g.Topology, alike: g.alike, drawn: true, seed: seed}
}

// Drawn reports whether the links have random weights.
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

// countStarts numbers the links by process and port, and returns the number of the first link of
// each process.
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

// edgeOfLink returns the number of the edge of each link; the two directions of an edge have one
// number. Edges are ordered by their smaller end, then by the larger.
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
		// Small rings have several edges between two processes. The first link there
		// and the first link back are then one edge.
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

// pair is a link as one number. Links are sorted by sender and then by receiver.
type pair uint64

func pairOf(from, to int) pair { return pair(from)<<32 | pair(to) }

func (p pair) from() int { return int(p >> 32) }
func (p pair) to() int   { return int(p & (1<<32 - 1)) }

// adjacency lists the neighbours of every process.
type adjacency struct {
	name   string
	starts []int   // the index of each process in to, and the length of to
	to     []int32 // neighbours in port order
	order  []int32 // ports by address of the neighbour, nil if that is the order of the ports
}

func newAdjacency(name string, n int) *adjacency {
	return &adjacency{name: name, starts: make([]int, 1, n+1)}
}

// append adds a link. Links come in the order of their senders.
func (a *adjacency) append(p pair) {
	for len(a.starts) <= p.from() {
		a.starts = append(a.starts, len(a.to))
	}
	a.to = append(a.to, int32(p.to()))
}

// finish ends the lists of the last processes.
func (a *adjacency) finish() {
	for len(a.starts) < cap(a.starts) {
		a.starts = append(a.starts, len(a.to))
	}
}

// undirected makes the graph of these edges, without repetitions.
func undirected(name string, n int, edges []pair) *Graph {
	links := make([]pair, 0, 2*len(edges))
	for _, e := range edges {
		links = append(links, e, pairOf(e.to(), e.from()))
	}
	return directed(name, n, links)
}

// directed makes the graph of these links, without repetitions.
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

// byAddress makes order, for lists that are not in the order of addresses.
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

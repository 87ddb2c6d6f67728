package graph

import (
	"fmt"
	"slices"

	"bullring/des"
	"bullring/protocols"
)

// WithWeights returns the graph with weights drawn from the seed: a random permutation of 1 to
// the number of edges. The two directions of an edge have the same weight.
func (g *Graph) WithWeights(seed uint64) *Graph {
	return &Graph{shape: g.shape, drawn: true, seed: seed}
}

// Drawn reports whether the links have random weights.
func (g *Graph) Drawn() bool { return g.drawn }

// Weighted reports whether the links have weights.
func (g *Graph) Weighted() bool { return g.drawn || g.given != nil }

// Weight is the weight of the link behind a port. It panics if there are none.
func (g *Graph) Weight(id protocols.ID, port int) int64 {
	link := g.firstLink(id) + port
	switch {
	case g.drawn:
		return int64(g.weights.get(g.drawWeights)[link])
	case g.given == nil:
		panic(fmt.Sprintf("graph: the links of the %s have no weights", g))
	}
	return g.given[link]
}

// firstLink is the number of the first link of a process, if links are numbered by process and
// port. It is the number of links if id is that of processes.
func (s *shape) firstLink(id protocols.ID) int {
	if a, ok := s.Topology.(*adjacency); ok {
		return int(a.starts[id])
	}
	return s.starts.get(func() []int {
		starts := make([]int, s.Len()+1)
		for id := range s.Len() {
			starts[id+1] = starts[id] + s.Degree(protocols.ID(id))
		}
		return starts
	})[id]
}

func (g *Graph) drawWeights() []int32 {
	weights := g.edgeOfLink()
	stream := des.NewStream(g.seed, "weight")
	drawn := stream.Perm(g.Edges())
	for link, edge := range weights {
		weights[link] = drawn[edge] + 1
	}
	return weights
}

// edgeOfLink returns the number of the edge of each link; the two directions of an edge have one
// number. Edges are ordered by their smaller end, then by the larger.
func (s *shape) edgeOfLink() []int32 {
	edges, next := make([]int32, s.firstLink(protocols.ID(s.Len()))), int32(0)
	ends, first := s.byLowEnd()
	for low := range protocols.ID(s.Len()) {
		its := ends[first[low]:first[low+1]]
		slices.Sort(its)
		for len(its) > 0 {
			same := 1
			for same < len(its) && its[same].high() == its[0].high() {
				same++
			}
			// Small rings have several edges between two processes. The first link there
			// and the first link back are then one edge.
			there, back := int32(0), int32(0)
			for _, e := range its[:same] {
				nth := &there
				if e.link() < s.firstLink(low) || e.link() >= s.firstLink(low+1) {
					nth = &back
				}
				edges[e.link()] = next + *nth
				*nth++
			}
			next += max(there, back)
			its = its[same:]
		}
	}
	return edges
}

// end is a link at its smaller end, as one number: its larger end and its own number.
type end uint64

func (e end) high() uint32 { return uint32(e >> 32) }
func (e end) link() int    { return int(uint32(e)) }

// byLowEnd sorts links by their smaller end. Those of process id are ends[first[id]:first[id+1]].
func (s *shape) byLowEnd() (ends []end, first []int) {
	links := s.rows()
	first = make([]int, s.Len()+2)
	each := func(visit func(low, high int32)) {
		for from := range int32(s.Len()) {
			for _, to := range links.row(from) {
				visit(min(from, to), max(from, to))
			}
		}
	}
	each(func(low, _ int32) { first[low+2]++ })
	for id := range s.Len() {
		first[id+2] += first[id+1]
	}
	ends = make([]end, first[s.Len()+1])
	link := 0
	each(func(low, high int32) {
		ends[first[low+1]] = end(high)<<32 | end(link)
		first[low+1]++
		link++
	})
	return ends, first
}

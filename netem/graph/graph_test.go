package graph_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	gonum "gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/path"
	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/graph/topo"
	"pgregory.net/rapid"

	"bullring/netem"
	"bullring/netem/graph"
	"bullring/protocols"
)

// text lists the neighbours of all processes in the order of their ports.
func text(g graph.Topology) string {
	var b strings.Builder
	for id := range protocols.ID(g.Len()) {
		fmt.Fprintf(&b, " %d>", id)
		for port := range g.Degree(id) {
			fmt.Fprintf(&b, "%d,", g.Neighbor(id, port))
		}
	}
	return b.String()
}

// anyGraph draws a graph, directed or not, connected or not.
func anyGraph(t *rapid.T) *graph.Graph {
	n := rapid.IntRange(1, 12).Draw(t, "n")
	directed := rapid.Bool().Draw(t, "directed")
	end := rapid.IntRange(0, n-1)
	drawn := rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) [2]int {
		return [2]int{end.Draw(t, "from"), end.Draw(t, "to")}
	}), 0, 3*n, func(e [2]int) [2]int {
		if directed {
			return e
		}
		return [2]int{min(e[0], e[1]), max(e[0], e[1])}
	}).Draw(t, "edges")
	var edges []graph.Edge
	for _, e := range drawn {
		if e[0] != e[1] {
			edges = append(edges, graph.Edge{From: protocols.ID(e[0]), To: protocols.ID(e[1])})
		}
	}
	g, err := graph.New("drawn", n, edges, directed, false)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// asGonum is the graph as gonum knows it.
func asGonum(g *graph.Graph) *simple.DirectedGraph {
	d := simple.NewDirectedGraph()
	for id := range g.Len() {
		d.AddNode(simple.Node(id))
	}
	for id := range protocols.ID(g.Len()) {
		for port := range g.Degree(id) {
			d.SetEdge(d.NewEdge(simple.Node(id), simple.Node(g.Neighbor(id, port))))
		}
	}
	return d
}

// The properties of a graph are those that gonum computes.
func TestPropertiesAsGonum(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g := anyGraph(rt)
		d := asGonum(g)
		if got, want := g.Links(), d.Edges().Len(); got != want {
			rt.Errorf("%d links; want %d", got, want)
		}
		if got, want := g.StronglyConnected(), len(topo.TarjanSCC(d)) == 1; got != want {
			rt.Errorf("strongly connected: %v; want %v", got, want)
		}
		if got, want := g.Connected(), len(topo.ConnectedComponents(gonum.Undirect{G: d})) == 1; got != want {
			rt.Errorf("connected: %v; want %v", got, want)
		}
		paths := path.DijkstraAllPaths(d)
		diameter := 0
		for from := range protocols.ID(g.Len()) {
			eccentricity := 0
			for to, got := range g.Distances(from) {
				want := -1
				if p, _, _ := paths.Between(int64(from), int64(to)); len(p) > 0 {
					want = len(p) - 1
				}
				if got != int32(want) {
					rt.Errorf("the distance from %d to %d is %d; want %d", from, to, got, want)
				}
				if eccentricity = max(eccentricity, want); want < 0 {
					eccentricity = g.Len()
				}
			}
			if eccentricity >= g.Len() {
				eccentricity, diameter = -1, g.Len()
			}
			if got := g.Eccentricity(from); got != eccentricity {
				rt.Errorf("the eccentricity of %d is %d; want %d", from, got, eccentricity)
			}
			diameter = max(diameter, eccentricity)
		}
		if diameter == g.Len() {
			diameter = -1
		}
		if got := g.Diameter(); got != diameter {
			rt.Errorf("the diameter is %d; want %d", got, diameter)
		}
		symmetric, edges := true, map[[2]protocols.ID]bool{}
		for id := range protocols.ID(g.Len()) {
			for port := range g.Degree(id) {
				to := g.Neighbor(id, port)
				symmetric = symmetric && d.HasEdgeFromTo(int64(to), int64(id))
				edges[[2]protocols.ID{min(id, to), max(id, to)}] = true
			}
		}
		if g.Symmetric() != symmetric || g.Edges() != len(edges) || !g.Simple() {
			rt.Errorf("symmetric %v, %d edges, simple %v; want %v, %d, true", g.Symmetric(), g.Edges(), g.Simple(), symmetric, len(edges))
		}
		if got, want := g.Tree(), symmetric && g.Connected() && len(edges) == g.Len()-1; got != want {
			rt.Errorf("a tree: %v; want %v", got, want)
		}
	})
}

// The neighbours of a given graph are in the order of their addresses, for any order of the edges.
func TestNewSortsNeighbors(t *testing.T) {
	edges := []graph.Edge{{From: 3, To: 1, Weight: 7}, {From: 0, To: 3, Weight: -2}, {From: 2, To: 1, Weight: 9}}
	for range 2 {
		g, err := graph.New("mine", 5, edges, false, true)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := text(g), " 0>3, 1>2,3, 2>1, 3>0,1, 4>"; got != want {
			t.Errorf("%s; want %s", got, want)
		}
		if g.Weight(3, 0) != -2 || g.Weight(0, 0) != -2 || g.Weight(1, 0) != 9 || g.Weight(3, 1) != 7 || !g.Weighted() || g.String() != "mine" {
			t.Errorf("%s has wrong weights", g)
		}
		slices.Reverse(edges)
	}
	g, err := graph.New("mine", 3, edges[:0], true, false)
	if err != nil || text(g) != " 0> 1> 2>" || g.Weighted() {
		t.Errorf("without edges: %s", text(g))
	}
}

func TestNewRefuses(t *testing.T) {
	e := func(from, to protocols.ID) graph.Edge { return graph.Edge{From: from, To: to} }
	for _, c := range []struct {
		edges    []graph.Edge
		directed bool
		want     graph.EdgeError
	}{
		{[]graph.Edge{e(0, 1), e(1, 3)}, false, graph.EdgeError{Edge: 1, Other: -1, What: "there is no link from 1 to 3: addresses are 0..2"}},
		{[]graph.Edge{e(-1, 1)}, false, graph.EdgeError{Edge: 0, Other: -1, What: "there is no link from -1 to 1: addresses are 0..2"}},
		{[]graph.Edge{e(0, 1), e(2, 2)}, true, graph.EdgeError{Edge: 1, Other: -1, What: "process 2 has a link to itself"}},
		{[]graph.Edge{e(1, 2), e(0, 1), e(1, 0)}, false, graph.EdgeError{Edge: 2, Other: 1, What: "the link from 1 to 0 stands there twice"}},
		{[]graph.Edge{e(1, 0), e(0, 1), e(1, 0)}, true, graph.EdgeError{Edge: 2, Other: 0, What: "the link from 1 to 0 stands there twice"}},
	} {
		_, err := graph.New("bad", 3, c.edges, c.directed, false)
		if got, ok := errors.AsType[*graph.EdgeError](err); !ok || *got != c.want {
			t.Errorf("%v: %+v; want %+v", c.edges, got, c.want)
		}
	}
}

// Topologies that claim to be vertex-transitive are, and their properties are the same without
// that claim.
func TestAlike(t *testing.T) {
	for _, name := range []string{"ring", "biring", "complete", "torus", "torus(1x7)", "torus(2x5)", "torus(5x2)", "torus(4x4)", "torus(3x5)", "hypercube"} {
		for n := 1; n <= 17; n++ {
			topology, err := netem.ParseTopology(name, n, 0)
			if err != nil {
				continue
			}
			alike := graph.Of(topology)
			// The other has no such promise.
			plain := graph.Of(struct{ graph.Topology }{topology})
			for what, values := range map[string][2]any{
				"links": {alike.Links(), plain.Links()}, "edges": {alike.Edges(), plain.Edges()}, "diameter": {alike.Diameter(), plain.Diameter()},
				"simple": {alike.Simple(), plain.Simple()}, "symmetric": {alike.Symmetric(), plain.Symmetric()}, "tree": {alike.Tree(), plain.Tree()},
				"connected": {alike.Connected(), plain.Connected()}, "strongly connected": {alike.StronglyConnected(), plain.StronglyConnected()},
			} {
				if values[0] != values[1] {
					t.Errorf("%s of %d, %s: %v, and without the promise %v", name, n, what, values[0], values[1])
				}
			}
			for id := range protocols.ID(n) {
				if alike.Eccentricity(id) != alike.Eccentricity(0) || alike.Degree(id) != alike.Degree(0) {
					t.Errorf("%s of %d: %d is unlike 0", name, n, id)
				}
			}
		}
	}
}

// The formulas of docs/topologies.md.
func TestShapes(t *testing.T) {
	for _, c := range []struct {
		name            string
		n               int
		edges, diameter int
		tree            bool
	}{
		{"line", 9, 8, 8, true}, {"line", 1, 0, 0, true}, {"star", 9, 8, 2, true}, {"star", 2, 1, 1, true},
		{"tree", 15, 14, 6, true}, {"tree(3)", 13, 12, 4, true}, {"tree(1)", 5, 4, 4, true},
		{"biring", 9, 9, 4, false}, {"biring", 2, 2, 1, false}, {"complete", 9, 36, 1, false}, {"complete", 1, 0, 0, true},
		{"grid", 12, 17, 5, false}, {"grid(2x6)", 12, 16, 6, false}, {"grid(1x4)", 4, 3, 3, true},
		{"torus", 12, 24, 3, false}, {"torus(2x6)", 12, 18, 4, false}, {"torus(2x2)", 4, 4, 2, false},
		{"hypercube", 16, 32, 4, false}, {"hypercube", 2, 1, 1, true},
		{"ring", 9, 9, 8, false}, {"ring", 2, 1, 1, true},
	} {
		topology, err := netem.ParseTopology(c.name, c.n, 0)
		if err != nil {
			t.Fatal(err)
		}
		g := graph.Of(topology)
		if g.Edges() != c.edges || g.Diameter() != c.diameter || g.Tree() != c.tree || !g.StronglyConnected() {
			t.Errorf("%s of %d: %d edges, diameter %d, a tree %v; want %d, %d, %v", c.name, c.n, g.Edges(), g.Diameter(), g.Tree(), c.edges, c.diameter, c.tree)
		}
	}
}

// Large graphs do not take long, and a complete one stores nothing.
func TestLarge(t *testing.T) {
	const n = 250_000
	for _, c := range []struct {
		name            string
		links, diameter int
	}{
		{"ring", n, n - 1}, {"biring", 2 * n, n / 2},
		{"star", 2 * (n - 1), 2}, {"line", 2 * (n - 1), n - 1}, {"tree", 2 * (n - 1), 34}, {"grid", 4*n - 2000, 998}, {"torus", 4 * n, 500},
	} {
		topology, err := netem.ParseTopology(c.name, n, 0)
		if err != nil {
			t.Fatal(err)
		}
		g := graph.Of(topology)
		if g.Links() != c.links || g.Diameter() != c.diameter || !g.Simple() || !g.StronglyConnected() {
			t.Errorf("%s: %d links, diameter %d", c.name, g.Links(), g.Diameter())
		}
	}
	const many = 40_000
	if g := graph.Of(netem.Complete(many)); g.Links() != many*(many-1) || g.Edges() != many*(many-1)/2 || g.Diameter() != 1 || !g.Simple() || !g.Connected() {
		t.Errorf("complete: %d links, %d edges, diameter %d", g.Links(), g.Edges(), g.Diameter())
	}
}

// Port finds the port that leads to a neighbour, and none to another process. In a hypercube ports
// are not in the order of addresses.
func TestPorts(t *testing.T) {
	for _, g := range []*graph.Graph{graph.Hypercube(4), graph.Of(netem.Ring(5)), graph.Of(netem.Complete(4))} {
		for from := range protocols.ID(g.Len()) {
			ports := map[protocols.ID]int{}
			for port := range g.Degree(from) {
				ports[g.Neighbor(from, port)] = port
			}
			for to := protocols.ID(-1); int(to) <= g.Len(); to++ {
				want, linked := ports[to]
				if port, ok := g.Port(from, to); ok != linked || ok && port != want {
					t.Errorf("%v: port of %d to %d is %d, %v; want %d, %v", g, from, to, port, ok, want, linked)
				}
			}
		}
	}
}

// A shape has at least one process.
func TestSmallestShapes(t *testing.T) {
	for name, shape := range map[string]func(n int) *graph.Graph{
		"line": graph.Line, "star": graph.Star, "tree": func(n int) *graph.Graph { return graph.Tree(n, 2) },
		"grid": func(n int) *graph.Graph { return graph.Grid(n, n) },
	} {
		if g := shape(1); g.Len() != 1 || g.Links() != 0 {
			t.Errorf("%s: %d processes and %d links", name, g.Len(), g.Links())
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("a %s of nobody", name)
				}
			}()
			shape(0)
		}()
	}
}

// Weights are a permutation of 1 to the number of edges, the same in both directions, and depend on
// the seed alone.
func TestWeights(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		seed := rapid.Uint64().Draw(rt, "seed")
		bare := anyGraph(rt)
		g := bare.WithWeights(seed)
		seen := make([]int, g.Edges()+1)
		again := bare.WithWeights(seed)
		for id := range protocols.ID(g.Len()) {
			for port := range g.Degree(id) {
				to, weight := g.Neighbor(id, port), g.Weight(id, port)
				if weight < 1 || int(weight) > g.Edges() || again.Weight(id, port) != weight {
					rt.Fatalf("link %d->%d weighs %d and again %d; there are %d edges", id, to, weight, again.Weight(id, port), g.Edges())
				}
				back, ok := g.Port(to, id)
				if ok && g.Weight(to, back) != weight {
					rt.Errorf("%d->%d and %d->%d do not weigh the same", id, to, to, id)
				}
				if !ok || id < to {
					seen[weight]++
				}
			}
		}
		for weight, edges := range seen[1:] {
			if edges != 1 {
				rt.Errorf("%d edges weigh %d", edges, weight+1)
			}
		}
		if bare.Weighted() || !g.Weighted() {
			rt.Error("weights were given to the wrong graph")
		}
	})
	// A bidirectional ring of two has two edges between the same processes. A ring of one
	// has two edges of a process to itself.
	for n := 1; n <= 3; n++ {
		g := graph.Of(netem.BiRing(n)).WithWeights(4)
		var weights []int64
		for id := range protocols.ID(n) {
			weights = append(weights, g.Weight(id, 0), g.Weight(id, 1))
		}
		each := max(n, 2) // edges, each with two ends but for those of a process to itself
		slices.Sort(weights)
		if distinct := slices.Compact(slices.Clone(weights)); len(distinct) != each || distinct[0] != 1 || distinct[each-1] != int64(each) {
			t.Errorf("the weights of a ring of %d are %v", n, weights)
		}
	}
	defer func() {
		if r := recover(); r == nil || !strings.Contains(fmt.Sprint(r), "no weights") {
			t.Errorf("a weight that is not there: %v", r)
		}
	}()
	graph.Line(3).Weight(0, 0)
}

// Several goroutines may ask for properties.
func TestConcurrentUse(t *testing.T) {
	g := graph.Grid(20, 30).WithWeights(1)
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			if g.Diameter() != 48 || g.Links() != 2300 || g.Weight(0, 0) == g.Weight(0, 1) {
				t.Errorf("diameter %d, %d links", g.Diameter(), g.Links())
			}
		})
	}
	wait.Wait()
}

func TestProgrammersMistakes(t *testing.T) {
	for name, make := range map[string]func(){
		"line": func() { graph.Line(0) }, "star": func() { graph.Star(-1) }, "tree": func() { graph.Tree(3, 0) }, "grid": func() { graph.Grid(0, 3) },
		"torus": func() { graph.Torus(3, 0) }, "hypercube": func() { graph.Hypercube(-1) }, "large hypercube": func() { graph.Hypercube(30) },
	} {
		func() {
			defer func() {
				if r := recover(); r == nil || !strings.HasPrefix(fmt.Sprint(r), "graph: ") {
					t.Errorf("%s: %v", name, r)
				}
			}()
			make()
		}()
	}
}

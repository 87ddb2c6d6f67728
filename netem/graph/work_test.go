package graph_test

import (
	"testing"

	"bullring/netem"
	"bullring/netem/graph"
	"bullring/protocols"
)

// counting counts the links that are looked at.
type counting struct {
	graph.Topology
	visits *int
}

func (c counting) Neighbor(id protocols.ID, port int) protocols.ID {
	*c.visits++
	return c.Topology.Neighbor(id, port)
}

// counted returns a random graph that counts, and knows nothing of itself.
func counted(t *testing.T, name string, n int) (g *graph.Graph, visits *int) {
	t.Helper()
	topology, err := netem.ParseTopology(name, n, 1)
	if err != nil {
		t.Fatal(err)
	}
	visits = new(int)
	return graph.Of(counting{topology, visits}), visits
}

// In graphs of more than 10,000 processes, the bounds of the diameter take work in proportion
// to the links: 32 searches at most, and some checks. Directed links are searched both ways.
func TestDiameterBoundsAreLinear(t *testing.T) {
	for _, c := range []struct {
		name  string
		n     int
		least int // the exact diameter is not below
	}{
		{"regular(4)", 20_000, 10}, {"regular(4)", 40_000, 10}, {"digraph(0.0006)", 20_000, 4}, {"ws(4,0.1)", 20_000, 20},
	} {
		g, visits := counted(t, c.name, c.n)
		least, most := g.DiameterBounds()
		if perLink := float64(*visits) / float64(g.Links()); perLink > 40 {
			t.Errorf("%s of %d: %.1f visits a link", c.name, c.n, perLink)
		}
		if least < c.least || most < least || most > 2*least {
			t.Errorf("%s of %d: the diameter is from %d to %d", c.name, c.n, least, most)
		}
		before := *visits
		if l, m := g.DiameterBounds(); l != least || m != most || *visits > before {
			t.Errorf("%s of %d: the bounds are computed again", c.name, c.n)
		}
	}
}

// The bounds hold the known diameters of large graphs.
func TestDiameterBoundsOfLargeGraphs(t *testing.T) {
	for _, c := range []struct {
		name        string
		n, diameter int
		exact       bool
	}{
		{"torus(100x120)", 12_000, 110, false}, {"grid(100x120)", 12_000, 218, true}, {"biring", 12_000, 6_000, false}, {"ring", 10_500, 10_499, true},
		{"tree", 12_000, 25, true}, {"hypercube", 1 << 14, 14, false}, {"line", 50_000, 49_999, true}, {"star", 50_000, 2, true},
	} {
		g, _ := counted(t, c.name, c.n)
		if least, most := g.DiameterBounds(); least > c.diameter || most < c.diameter || (least == most) != c.exact {
			t.Errorf("%s of %d: from %d to %d; the diameter is %d", c.name, c.n, least, most, c.diameter)
		}
	}
	two, err := graph.New("two", 20_000, []graph.Edge{{From: 0, To: 1}}, false, false)
	if err != nil {
		t.Fatal(err)
	}
	if least, most := two.DiameterBounds(); least != -1 || most != -1 {
		t.Errorf("a graph in pieces: from %d to %d", least, most)
	}
}

// The exact diameter of a random graph, in which nearly all processes have the same eccentricity,
// takes less than a sixth of what a search from each process takes.
func TestExactDiameterIsCheaperThanAllSearches(t *testing.T) {
	g, visits := counted(t, "regular(4)", 4000)
	if d := g.Diameter(); d < 8 || d > 12 {
		t.Errorf("the diameter is %d", d)
	}
	if all := g.Links() * g.Len(); *visits*6 > all {
		t.Errorf("%d visits; a search from each process takes %d", *visits, all)
	}
	if least, most := g.DiameterBounds(); least != g.Diameter() || most != least {
		t.Errorf("from %d to %d; with so few processes the bounds are the diameter", least, most)
	}
}

// Weights take a fixed number of looks at each link.
func TestWeightsAreLinear(t *testing.T) {
	for _, n := range []int{1000, 8000} {
		g, visits := counted(t, "regular(4)", n)
		g.WithWeights(1).Weight(0, 0)
		if perLink := float64(*visits) / float64(g.Links()); perLink > 4 {
			t.Errorf("n = %d: %.1f visits a link", n, perLink)
		}
	}
}

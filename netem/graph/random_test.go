package graph_test

import (
	"crypto/sha256"
	"fmt"
	"math"
	"testing"

	"bullring/des"
	"bullring/netem"
	"bullring/netem/graph"
	"bullring/protocols"
)

// A seed gives the same graph on every machine. These are hashes of the lists of neighbours. If one
// changes, published seeds mean other graphs.
func TestGoldenGraphs(t *testing.T) {
	for _, c := range []struct {
		name string
		n    int
		seed uint64
		want string
	}{
		{"er(0.3)", 20, 1, "d98b160adfae"},
		{"er(0.3)", 20, 2, "193097ed5e37"},
		{"er(1/100)", 1000, 1, "912b17558416"},
		{"er(1)", 5, 1, "8a104b135d07"},
		{"geometric(0.3)", 50, 1, "74777db6b6cc"},
		{"geometric(1)", 8, 2, "1001c98bb40b"},
		{"ba(2)", 50, 1, "bda46d1adf0c"},
		{"ba(1)", 50, 2, "fe758edf0f01"},
		{"ws(4,10%)", 50, 1, "eb1e8f820883"},
		{"ws(6,1)", 50, 2, "8476a163efc4"},
		{"regular(3)", 50, 1, "a804f72b8477"},
		{"regular(2)", 50, 1, "7b63ce0f7bad"},
		{"regular(44)", 50, 2, "7fc982cf7b33"},
		{"digraph(0.2)", 20, 1, "e6c07a85e479"},
		{"digraph(1/100)", 1000, 2, "dd781eec263b"},
		{"hypercube", 16, 0, "eed7a7dac67a"},
		{"torus", 30, 0, "9df6fa44e98c"},
	} {
		topology, err := netem.ParseTopology(c.name, c.n, c.seed)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256([]byte(text(topology)))
		if got := fmt.Sprintf("%x", sum[:6]); got != c.want {
			t.Errorf("%s of %d from seed %d is %s; want %s", c.name, c.n, c.seed, got, c.want)
		}
	}
	weighted := graph.Line(6).WithWeights(5)
	got := ""
	for id := range protocols.ID(5) {
		got += fmt.Sprint(weighted.Weight(id, weighted.Degree(id)-1), " ")
	}
	if got != "5 1 2 4 3 " {
		t.Errorf("the weights of a line are %s", got)
	}
}

// The smallest graphs of each kind.
func TestSmallestRandomGraphs(t *testing.T) {
	for _, c := range []struct {
		name string
		n    int
		want string
	}{
		{"er(0)", 1, " 0>"}, {"er(0.5)", 1, " 0>"}, {"er(0.01)", 2, " 0>1, 1>0,"}, {"er(1)", 3, " 0>1,2, 1>0,2, 2>0,1,"},
		{"digraph(0)", 1, " 0>"}, {"digraph(0.1)", 2, " 0>1, 1>0,"}, {"digraph(1)", 3, " 0>1,2, 1>0,2, 2>0,1,"},
		{"geometric(0)", 1, " 0>"}, {"geometric(0.2)", 2, " 0>1, 1>0,"},
		{"ba(3)", 1, " 0>"}, {"ba(1)", 2, " 0>1, 1>0,"}, {"ba(2)", 3, " 0>1,2, 1>0,2, 2>0,1,"},
		{"ws(2,0)", 3, " 0>1,2, 1>0,2, 2>0,1,"}, {"ws(2,1)", 3, " 0>1,2, 1>0,2, 2>0,1,"}, {"ws(2,0)", 4, " 0>1,3, 1>0,2, 2>1,3, 3>0,2,"},
		{"regular(0)", 1, " 0>"}, {"regular(1)", 2, " 0>1, 1>0,"}, {"regular(2)", 3, " 0>1,2, 1>0,2, 2>0,1,"},
		{"regular(3)", 4, " 0>1,2,3, 1>0,2,3, 2>0,1,3, 3>0,1,2,"},
	} {
		for seed := range uint64(3) {
			topology, err := netem.ParseTopology(c.name, c.n, seed)
			if err != nil {
				t.Error(err)
				continue
			}
			if got := text(topology); got != c.want {
				t.Errorf("%s of %d is%s; want%s", c.name, c.n, got, c.want)
			}
		}
	}
}

// sample is the mean of a number over graphs of many seeds, and its standard error.
func sample(t *testing.T, name string, n, seeds int, of func(*graph.Graph) float64) (mean, deviation float64) {
	t.Helper()
	sum, squares := 0., 0.
	for seed := range uint64(seeds) {
		topology, err := netem.ParseTopology(name, n, seed)
		if err != nil {
			t.Fatal(err)
		}
		x := of(graph.Of(topology))
		sum, squares = sum+x, squares+x*x
	}
	mean = sum / float64(seeds)
	return mean, math.Sqrt(max(0, squares/float64(seeds)-mean*mean) / float64(seeds))
}

// The mean sizes of the graphs are those of their definitions, within four standard errors. Drawing
// again until a graph is connected changes little here: with these probabilities all but one in ten
// thousand are.
func TestRandomGraphsHaveTheirMeans(t *testing.T) {
	links := func(g *graph.Graph) float64 { return float64(g.Links()) }
	for _, c := range []struct {
		what, name string
		n          int
		of         func(*graph.Graph) float64
		want       float64
	}{
		{"links", "er(0.3)", 60, links, 60 * 59 * 0.3},
		{"links", "er(0.9)", 30, links, 30 * 29 * 0.9},
		{"links", "er(0.02)", 1000, links, 1000 * 999 * 0.02},
		{"links", "digraph(0.4)", 40, links, 40 * 39 * 0.4},
		// Gilbert's disc in the square: the mean of the probability that two points
		// are no farther apart than r is pi r^2 - 8/3 r^3 + r^4/2.
		{"links", "geometric(0.4)", 60, links, 60 * 59 * (math.Pi*0.16 - 8./3*0.064 + 0.0256/2)},
		{"links", "geometric(0.05)", 4000, links, 4000 * 3999 * (math.Pi*0.0025 - 8./3*0.000125 + 0.00000625/2)},
		// Half of the edges are moved.
		{"edges that stayed", "ws(4,0.5)", 200, func(g *graph.Graph) float64 {
			stayed := 0.
			for id := range protocols.ID(g.Len()) {
				for j := 1; j <= 2; j++ {
					if _, ok := g.Port(id, (id+protocols.ID(j))%200); ok {
						stayed++
					}
				}
			}
			return stayed
		}, 400*0.5 + 400*0.5*0.01}, // and some come back: see the margin below
	} {
		seeds := 200
		if c.n >= 1000 {
			seeds = 25 // they have so many links
		}
		mean, deviation := sample(t, c.name, c.n, seeds, c.of)
		margin := 4 * deviation
		if c.what != "links" {
			margin += 0.01 * c.want
		}
		if math.Abs(mean-c.want) > margin {
			t.Errorf("%s of %d: %v %s on average; want %v ± %v", c.name, c.n, mean, c.what, c.want, margin)
		}
	}
}

// All edges are equally likely.
func TestEdgesAreEquallyLikely(t *testing.T) {
	const n, seeds = 6, 4000
	for name, p := range map[string]float64{"regular(3)": 3. / 5, "regular(2)": 2. / 5, "er(0.8)": 0, "digraph(0.7)": 0} {
		var counts [n][n]float64
		total := 0.
		for seed := range uint64(seeds) {
			topology, err := netem.ParseTopology(name, n, seed)
			if err != nil {
				t.Fatal(err)
			}
			for id := range protocols.ID(n) {
				for port := range topology.Degree(id) {
					counts[id][topology.Neighbor(id, port)]++
					total++
				}
			}
		}
		if p == 0 { // what is connected is denser than p
			p = total / seeds / (n * (n - 1))
		}
		for from := range n {
			for to := range n {
				mean, deviation := seeds*p, math.Sqrt(seeds*p*(1-p))
				if from != to && math.Abs(counts[from][to]-mean) > 4.5*deviation {
					t.Errorf("%s: %v times from %d to %d; want %v ± %v", name, counts[from][to], from, to, mean, 4.5*deviation)
				}
			}
		}
	}
}

// There are 12 connected graphs of five processes of degree 2, and 70 of six processes of degree 3.
// Each is drawn equally often.
func TestRegularGraphsAreEquallyLikely(t *testing.T) {
	for _, c := range []struct {
		n, d, graphs int
	}{{5, 2, 12}, {6, 3, 70}} {
		const draws = 7000
		count := map[string]float64{}
		stream := des.NewStream(7, "regular")
		for range draws {
			g, err := graph.Regular(c.n, c.d, &stream)
			if err != nil {
				t.Fatal(err)
			}
			count[text(g)]++
		}
		if len(count) != c.graphs {
			t.Errorf("regular(%d) of %d: %d graphs; want %d", c.d, c.n, len(count), c.graphs)
		}
		mean, chi := float64(draws)/float64(c.graphs), 0.
		for _, k := range count {
			chi += (k - mean) * (k - mean) / mean
		}
		free := float64(c.graphs - 1)
		if limit := free + 4*math.Sqrt(2*free); chi > limit {
			t.Errorf("regular(%d) of %d: chi square %.1f; want at most %.1f", c.d, c.n, chi, limit)
		}
	}
}

// Each random graph is connected and has the properties of its kind.
func TestRandomGraphsKeepTheirPromises(t *testing.T) {
	for _, c := range []struct {
		name  string
		n     int
		holds func(*graph.Graph) bool
	}{
		{"er(0.15)", 30, (*graph.Graph).Symmetric},
		{"geometric(0.3)", 30, (*graph.Graph).Symmetric},
		{"digraph(0.15)", 30, (*graph.Graph).StronglyConnected},
		{"ba(1)", 30, (*graph.Graph).Tree},
		{"ba(3)", 30, func(g *graph.Graph) bool { return g.Edges() == 3*4/2+26*3 && least(g) == 3 }},
		{"ws(4,0.3)", 30, func(g *graph.Graph) bool { return g.Edges() == 60 && least(g) >= 2 }},
		{"ws(28,1)", 30, func(g *graph.Graph) bool { return g.Edges() == 420 }},
		{"regular(3)", 30, func(g *graph.Graph) bool { return g.Links() == 90 && least(g) == 3 }},
		{"regular(2)", 30, func(g *graph.Graph) bool { return g.Links() == 60 && least(g) == 2 && g.Diameter() == 15 }},
		{"regular(14)", 30, func(g *graph.Graph) bool { return g.Links() == 420 && least(g) == 14 }},
		{"regular(15)", 30, func(g *graph.Graph) bool { return g.Links() == 450 && least(g) == 15 }},
		{"regular(27)", 30, func(g *graph.Graph) bool { return g.Links() == 810 && least(g) == 27 }},
		{"regular(28)", 30, func(g *graph.Graph) bool { return g.Links() == 840 && least(g) == 28 }},
	} {
		for seed := range uint64(20) {
			topology, err := netem.ParseTopology(c.name, c.n, seed)
			if err != nil {
				t.Fatal(err)
			}
			if g := graph.Of(topology); !g.Simple() || !g.StronglyConnected() || !c.holds(g) {
				t.Errorf("%s of %d from seed %d: %d links, least degree %d%s", c.name, c.n, seed, g.Links(), least(g), text(g))
			}
		}
	}
}

func least(g *graph.Graph) int {
	d := g.Degree(0)
	for id := range protocols.ID(g.Len()) {
		d = min(d, g.Degree(id))
	}
	return d
}

// In a graph of Barabási and Albert with m = 1, two in three processes have degree 1 and one in six
// has degree 2 (Bollobás et al. 2001: 4/(k(k+1)(k+2))).
func TestBarabasiAlbertDegrees(t *testing.T) {
	const n = 100_000
	topology, err := netem.ParseTopology("ba(1)", n, 1)
	if err != nil {
		t.Fatal(err)
	}
	var count [4]float64
	for id := range protocols.ID(n) {
		if d := topology.Degree(id); d < len(count) {
			count[d]++
		}
	}
	for k := 1; k < len(count); k++ {
		want := n * 4 / float64(k*(k+1)*(k+2))
		if math.Abs(count[k]-want) > 4*math.Sqrt(want) {
			t.Errorf("%v of %d processes have degree %d; want %v ± %v", count[k], n, k, want, 4*math.Sqrt(want))
		}
	}
}

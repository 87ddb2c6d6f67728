package netem_test

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"bullring/des"
	"bullring/netem"
	"bullring/protocols"
)

// Port is the inverse of Neighbor for each pair of addresses: it finds the first port that leads
// there, if there is one. (In a bidirectional ring of one or two both ports lead to the same
// process.) The name of a topology makes the same topology.
func TestPortIsTheInverseOfNeighbor(t *testing.T) {
	made := map[string]int{}
	for _, f := range netem.Families {
		for n := 1; n <= 17; n++ {
			topology, err := netem.ParseTopology(f.Example, n, 3)
			if err != nil {
				continue
			}
			made[f.Example]++
			again, err := netem.ParseTopology(topology.String(), n, 3)
			if err != nil || topology.Len() != n || again.String() != topology.String() || netem.FamilyOf(topology.String()) != f.Name {
				t.Fatalf("ParseTopology(%q, %d) is a %s of %d: %v", f.Example, n, topology, topology.Len(), err)
			}
			for from := range protocols.ID(n) {
				for to := range protocols.ID(n) {
					want, linked := 0, false
					for port := topology.Degree(from) - 1; port >= 0; port-- {
						if topology.Neighbor(from, port) == to {
							want, linked = port, true
						}
					}
					port, ok := topology.Port(from, to)
					if ok != linked || ok && port != want {
						t.Errorf("%s of %d: Port(%d, %d) = %d, %v; want %d, %v", topology, n, from, to, port, ok, want, linked)
					}
					if back, ok := again.Port(from, to); ok != linked || ok && back != want {
						t.Errorf("%s of %d is not the same twice", topology, n)
					}
				}
				for _, to := range []protocols.ID{-1, protocols.ID(n), -protocols.ID(n), math.MaxInt} {
					if _, ok := topology.Port(from, to); ok {
						t.Errorf("%s of %d: there is a link from %d to %d", topology, n, from, to)
					}
				}
			}
		}
	}
	for _, f := range netem.Families {
		if made[f.Example] == 0 {
			t.Errorf("there is no %s of 1 to 17 processes", f.Example)
		}
	}
}

// Algorithms rely on the order of the ports: port 0 of a ring leads to the successor.
func TestNeighborsInPortOrder(t *testing.T) {
	for want, topology := range map[string]netem.Topology{
		"ring of 1: 0>0":                   netem.Ring(1),
		"ring of 2: 0>1 1>0":               netem.Ring(2),
		"ring of 4: 0>1 1>2 2>3 3>0":       netem.Ring(4),
		"biring of 1: 0>0,0":               netem.BiRing(1),
		"biring of 2: 0>1,1 1>0,0":         netem.BiRing(2),
		"biring of 3: 0>1,2 1>2,0 2>0,1":   netem.BiRing(3),
		"complete of 1: 0>":                netem.Complete(1),
		"complete of 2: 0>1 1>0":           netem.Complete(2),
		"complete of 3: 0>1,2 1>2,0 2>0,1": netem.Complete(3),

		"line of 1: 0>":                                                                   parsed(t, "line", 1),
		"line of 4: 0>1 1>0,2 2>1,3 3>2":                                                  parsed(t, "line", 4),
		"star of 4: 0>1,2,3 1>0 2>0 3>0":                                                  parsed(t, "star", 4),
		"tree of 6: 0>1,2 1>0,3,4 2>0,5 3>1 4>1 5>2":                                      parsed(t, "tree", 6),
		"tree(3) of 6: 0>1,2,3 1>0,4,5 2>0 3>0 4>1 5>1":                                   parsed(t, "tree(3)", 6),
		"tree(1) of 3: 0>1 1>0,2 2>1":                                                     parsed(t, "tree( 1 )", 3),
		"grid of 6: 0>1,3 1>0,2,4 2>1,5 3>0,4 4>1,3,5 5>2,4":                              parsed(t, "grid", 6),
		"grid(3x2) of 6: 0>1,2 1>0,3 2>0,3,4 3>1,2,5 4>2,5 5>3,4":                         parsed(t, "grid(3x2)", 6),
		"grid(1x5) of 5: 0>1 1>0,2 2>1,3 3>2,4 4>3":                                       parsed(t, "grid(1x5)", 5),
		"torus of 1: 0>":                                                                  parsed(t, "torus", 1),
		"torus of 2: 0>1 1>0":                                                             parsed(t, "torus", 2),
		"torus of 3: 0>1,2 1>0,2 2>0,1":                                                   parsed(t, "torus", 3),
		"torus of 4: 0>1,2 1>0,3 2>0,3 3>1,2":                                             parsed(t, "torus", 4),
		"torus of 6: 0>1,2,3 1>0,2,4 2>0,1,5 3>0,4,5 4>1,3,5 5>2,3,4":                     parsed(t, "torus(2x3)", 6),
		"hypercube of 1: 0>":                                                              parsed(t, "hypercube", 1),
		"hypercube of 8: 0>1,2,4 1>0,3,5 2>3,0,6 3>2,1,7 4>5,6,0 5>4,7,1 6>7,4,2 7>6,5,3": parsed(t, "hypercube", 8),
	} {
		got := fmt.Sprintf("%s of %d:", topology, topology.Len())
		for id := range protocols.ID(topology.Len()) {
			got += fmt.Sprintf(" %d>", id)
			for port := range topology.Degree(id) {
				if port > 0 {
					got += ","
				}
				got += fmt.Sprint(topology.Neighbor(id, port))
			}
		}
		if got != want {
			t.Errorf("%q; want %q", got, want)
		}
	}
}

func parsed(t *testing.T, name string, n int) netem.Topology {
	t.Helper()
	topology, err := netem.ParseTopology(name, n, 1)
	if err != nil {
		t.Fatal(err)
	}
	return topology
}

func TestParseTopologyErrors(t *testing.T) {
	for _, tc := range []struct {
		name string
		n    int
		want string
	}{
		{"ring", 0, "a topology of 0 processes: at least 1 is needed"},
		{"ring", -3, "a topology of -3 processes: at least 1 is needed"},
		{"stra", 3, `unknown topology "stra" (did you mean "star"?); allowed are ring, biring, complete, line, star, tree, tree(K), grid,`},
		{"", 3, `unknown topology ""; allowed are ring, biring, complete`},
		{"tor", 3, `unknown topology "tor" (did you mean "torus"?)`},
		{"tree(2,3)", 3, "it is written tree or tree(K)"},
		{"Ring", 3, `unknown topology "Ring" (did you mean "ring"?)`},
		{"ring(3)", 3, `topology "ring(3)": it is written ring`},
		{"er", 3, `topology "er": it is written er(P)`},
		{"er()", 3, `"" is not a probability`},
		{"er(0.3", 3, `topology "er(0.3": its parameters end with a )`},
		{"er(0.3,2)", 3, "it is written er(P)"},
		{"er(3)", 3, `P, the probability of an edge,: "3" is above 1`},
		{"er(NaN)", 3, `"NaN" is not a probability`},
		{"er(-0.1)", 3, `"-0.1" is not a probability`},
		{"er(0)", 3, "with probability 0 there are no links"},
		{"er(0.001)", 50, "1000 graphs of 50 processes were drawn, and none is connected: they become likely where the probability is above (ln n)/n = 0.078"},
		{"er(0.5)", 1_000_000, "249999750000 edges are too many; allowed are up to 67108864"},
		{"digraph(0.5)", 1_000_000, "edges are too many"},
		{"digraph(0.001)", 50, "none is strongly connected"},
		{"geometric(0)", 3, "with radius 0 there are no links"},
		{"geometric(0.001)", 50, "none is connected: they become likely where the radius is above sqrt((ln n)/(pi n)) = 0.16"},
		{"geometric(1)", 20_000, "edges are too many"},
		{"ba(0)", 3, `M, the number of edges of a new process, is "0"; it takes a whole number from 1 to 1000000`},
		{"ba(3)", 3, "3 processes; with 3 edges of a new process at least 4 are needed"},
		{"ba(1000)", 1_000_000, "1000000000 edges are too many"},
		{"ws(3,0.1)", 8, "3 nearest neighbours; allowed are even numbers from 2"},
		{"ws(4,0.1)", 4, "4 processes; with 4 nearest neighbours at least 5 are needed"},
		{"ws(4)", 8, "it is written ws(K,BETA)"},
		{"ws(4,x)", 8, `BETA, the probability that an edge is moved,: "x" is not a probability`},
		{"regular(3)", 5, "5 processes of degree 3: one of the two numbers has to be even"},
		{"regular(4)", 4, "degree 4; 4 processes allow 1 to 3"},
		{"regular(1)", 4, "degree 1; no such graph of 4 processes is connected"},
		{"regular(0)", 2, "degree 0; no such graph of 2 processes is connected"},
		{"regular(99999999999999999999)", 2, "takes a whole number from 0 to 1000000"},
		{"tree(0)", 3, `K, the number of children, is "0"; it takes a whole number from 1`},
		{"tree()", 3, `K, the number of children, is ""`},
		{"grid", 7, `topology "grid": 7 is prime, so there would be one row; the nearest numbers with more are 6 and 8; one row is grid(1x7)`},
		{"torus", 5, "5 is prime"},
		{"grid(2x3)", 7, "2 rows of 3 are 6 processes, not 7"},
		{"grid(2)", 2, `"2"; it takes numbers of rows and columns`},
		{"grid(0x3)", 2, `"0x3"; it takes numbers of rows and columns`},
		{"grid(1000000x1000000)", 2, "1000000 rows of 1000000 are 1000000000000 processes, not 2"},
		{"hypercube", 7, "7 is not a power of two; the nearest are 4 and 8"},
	} {
		if _, err := netem.ParseTopology(tc.name, tc.n, 1); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("ParseTopology(%q, %d): error %v; want %q", tc.name, tc.n, err, tc.want)
		}
	}
	for _, f := range netem.Families {
		if err := netem.CheckTopology(f.Example); err != nil {
			t.Error(err)
		}
	}
	if err := netem.CheckTopology("tree(x)"); err == nil {
		t.Error("tree(x) is accepted")
	}
	for _, f := range []func(int) netem.Topology{netem.Ring, netem.BiRing, netem.Complete} {
		if got := panicOf(func() { f(0) }); !strings.Contains(got, "0 processes") {
			t.Errorf("a topology of none panics with %q", got)
		}
	}
}

// A complete graph of 10,000 has 10^8 links and stores none. A network on it takes memory for its
// processes and for the links that are used.
func TestCompleteStoresNoAdjacency(t *testing.T) {
	const n = 10_000
	var topology netem.Topology
	if allocs := testing.AllocsPerRun(10, func() { topology = netem.Complete(n) }); allocs > 1 {
		t.Errorf("%v allocations for a complete graph", allocs)
	}
	for _, delay := range []string{"1ms", "exp(1ms)"} {
		d, err := des.ParseDistribution(delay)
		if err != nil {
			t.Fatal(err)
		}
		cfg := lockstep(topology)
		cfg.Delay = d
		process := &script{start: func(n node) { n.Send(n.Neighbor(n.Degree()-1), note{}) }}
		used := allocated(func() {
			net := netem.New(cfg, func(protocols.ID) protocols.Process[note] { return process })
			net.StartAt(0, 0)
			finish(t, net)
		})
		if used > 1000*n {
			t.Errorf("delay %s: %d bytes for a network of %d; one byte a link would be %d", delay, used, n, n*(n-1))
		}
	}
}

// allocated is the number of bytes that f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

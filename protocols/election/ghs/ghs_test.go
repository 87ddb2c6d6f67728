package ghs_test

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"testing"

	"bullring/des"
	"bullring/internal/golden"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/ghs"
	"bullring/protocols/election/internal/electiontest"
	"bullring/protocols/internal/testnet"
)

type edge struct {
	p, q   protocols.ID
	weight int64
}

// weighted is a graph with weights.
type weighted struct {
	testnet.Graph
	edges []edge
}

// weigh gives the edges, in the order of [testnet.Graph.Edges], these weights.
func weigh(g testnet.Graph, weights []int64) weighted {
	w := weighted{Graph: g}
	for i, e := range g.Edges() {
		w.edges = append(w.edges, edge{e[0], e[1], weights[i]})
	}
	return w
}

func (w weighted) weightsOf(p protocols.ID) []int64 {
	weights := make([]int64, len(w.Graph[p]))
	for port, q := range w.Graph[p] {
		for _, e := range w.edges {
			if e.p == min(p, q) && e.q == max(p, q) {
				weights[port] = e.weight
			}
		}
	}
	return weights
}

// tree is the minimum spanning tree by Kruskal's algorithm, as lists of neighbours.
func (w weighted) tree() [][]protocols.ID {
	fragment := make([]int, len(w.Graph))
	for p := range fragment {
		fragment[p] = p
	}
	tree := make([][]protocols.ID, len(w.Graph))
	for _, e := range slices.SortedFunc(slices.Values(w.edges), func(a, b edge) int { return cmp.Compare(a.weight, b.weight) }) {
		from, to := fragment[e.p], fragment[e.q]
		if from == to {
			continue
		}
		for p := range fragment {
			if fragment[p] == from {
				fragment[p] = to
			}
		}
		tree[e.p], tree[e.q] = append(tree[e.p], e.q), append(tree[e.q], e.p)
	}
	for _, to := range tree {
		slices.Sort(to)
	}
	return tree
}

func permuted(n int, seed uint64) []int64 {
	draw := des.NewStream(seed, "weights")
	weights := make([]int64, n)
	for i := range weights {
		weights[i] = int64(i + 1)
		j := draw.Intn(i + 1)
		weights[i], weights[j] = weights[j], weights[i]
	}
	return weights
}

// permutations calls f with every order of 1..n.
func permutations(n int, f func(weights []int64)) {
	weights := make([]int64, n)
	for i := range weights {
		weights[i] = int64(i + 1)
	}
	var rest func(k int)
	rest = func(k int) {
		if k == n {
			f(weights)
			return
		}
		for i := k; i < n; i++ {
			weights[k], weights[i] = weights[i], weights[k]
			rest(k + 1)
			weights[k], weights[i] = weights[i], weights[k]
		}
	}
	rest(0)
}

// ascending are ranks that grow with the address.
func ascending(n int) []election.Rank { return electiontest.Ranks(electiontest.Increasing(n)...) }

// counted is a process that counts what it receives.
type counted struct {
	*ghs.Process
	over map[[2]protocols.ID]*[ghs.Leader + 1]int
}

func (c counted) Receive(n protocols.Node[ghs.Message], from protocols.ID, m ghs.Message) {
	c.over[[2]protocols.ID{min(from, n.ID()), max(from, n.ID())}][m.Type]++
	c.Process.Receive(n, from, m)
}

// run elects and holds the run to all that the paper promises.
func run(t *testing.T, w weighted, cfg ghs.Config, nw electiontest.Network) electiontest.Result {
	t.Helper()
	n := len(w.Graph)
	processes := make([]*ghs.Process, n)
	nw.Topology = w.Graph
	over := map[[2]protocols.ID]*[ghs.Leader + 1]int{} // an edge, the messages of each type
	for _, e := range w.edges {
		over[[2]protocols.ID{e.p, e.q}] = new([ghs.Leader + 1]int)
	}
	res := electiontest.Run(t, nw, func(p protocols.ID) election.Process[ghs.Message] {
		processes[p] = ghs.New(ascending(n)[p], w.weightsOf(p), cfg)
		return counted{processes[p], over}
	})
	tree := w.tree()
	for p, want := range tree {
		if got := processes[p].Branches(); !slices.Equal(got, want) {
			t.Fatalf("%v: the branches of %d are %v, in the minimum spanning tree %v", w.edges, p, got, want)
		}
	}
	for e, sent := range over {
		asked, rejected := sent[ghs.Test]-sent[ghs.Accept], sent[ghs.Reject] // TEST that are not accepted
		inTree := slices.Contains(tree[e[0]], e[1])
		if inTree && (asked != rejected || rejected > 1) || !inTree && asked+rejected != 2 {
			t.Fatalf("%v: over %v, in the tree %v, %d TEST are not accepted and there are %d REJECT", w.edges, e, inTree, asked, rejected)
		}
	}
	s := res.Sent
	if s[ghs.Connect] < n-1 || s[ghs.Connect] > 2*(n-1) {
		t.Fatalf("%v: %d CONNECT among %d", w.edges, s[ghs.Connect], n)
	}
	if most := 5*float64(n)*math.Log2(float64(n)) + float64(2*len(w.edges)); float64(res.Total-s[ghs.Leader]) > most {
		t.Fatalf("%v: sent %v, at most %v are allowed", w.edges, s, most)
	}
	leaders := 0
	for _, d := range res.Decisions {
		if d.Status == election.Leader {
			leaders++
		}
		if cfg.Announce && (d.Status == election.Undecided || d.Leader != res.Decisions[0].Leader) || !cfg.Announce && d.Status == election.Follower {
			t.Fatalf("%v: decided %v", w.edges, res.Decisions)
		}
	}
	announced := 0
	if cfg.Announce {
		announced = n - 1
	}
	if leaders != 1 || s[ghs.Leader] != announced || res.Delivered != res.Total {
		t.Fatalf("%v: %d leaders, sent %v, delivered %d", w.edges, leaders, s, res.Delivered)
	}
	return res
}

// Gallager, Humblet and Spira 1983: the algorithm builds the minimum spanning tree;
// an edge that is not in it is rejected once, with two messages; and there are at
// most 5N lg N + 2E. On every connected graph with up to four vertices, with its
// weights in every order and every set of initiators.
func TestSmallGraphs(t *testing.T) {
	for n := 1; n <= 4; n++ {
		for g := range testnet.Graphs(n) {
			permutations(len(g.Edges()), func(weights []int64) {
				w := weigh(g, weights)
				for set := range electiontest.Subsets(n) {
					if len(set) > 0 {
						run(t, w, ghs.Config{Announce: true}, electiontest.Network{Start: set})
					}
				}
				run(t, w, ghs.Config{Order: election.Min}, electiontest.Network{Start: electiontest.All(n)})
			})
		}
	}
}

// The tree does not depend on the schedule; the number of messages does.
func TestRandomGraphs(t *testing.T) {
	for seed := range uint64(40) {
		n := 2 + int(seed)
		g := electiontest.RandomGraph(n, int(seed)*2, seed)
		w := weigh(g, permuted(len(g.Edges()), seed))
		for nw := range electiontest.RandomDelays() {
			nw.Start = electiontest.All(n)[:1+int(seed)%n]
			run(t, w, ghs.Config{Announce: true}, nw)
		}
	}
	g := electiontest.RandomGraph(12, 20, 1)
	w := weigh(g, permuted(len(g.Edges()), 1))
	totals := map[int]bool{}
	for nw := range electiontest.RandomDelays() {
		nw.Start = electiontest.All(12)
		totals[run(t, w, ghs.Config{}, nw).Total] = true
	}
	if len(totals) < 2 {
		t.Errorf("every schedule sends the same, %v", totals)
	}
}

// The bound is of the right order: on complete graphs with random weights, and on
// paths whose weights make fragments of equal size meet, the counts stay between
// a quarter of it and the whole.
func TestBoundIsNotIdle(t *testing.T) {
	const n = 64
	path := make([][2]int, n-1)
	weights := make([]int64, n-1)
	for i := range path {
		path[i] = [2]int{i, i + 1}
		// Edge i+1 joins two halves of size 2^k where k is the power of 2 in i+1.
		k := 0
		for (i+1)>>k&1 == 0 {
			k++
		}
		weights[i] = int64(k*n + i)
	}
	res := run(t, weigh(testnet.NewGraph(n, path), weights), ghs.Config{}, electiontest.Network{Start: electiontest.All(n)})
	most := 5*n*math.Log2(n) + 2*(n-1)
	if ratio := float64(res.Total) / most; ratio < 0.25 {
		t.Errorf("%d messages are %.2f of the bound", res.Total, ratio)
	}
}

// On rings of one and two the ports lead to one process, or to none.
func TestSmallRings(t *testing.T) {
	for n, want := range map[int]int{1: 0, 2: 7} { // 2 CONNECT, 2 INITIATE, 2 REPORT, 1 LEADER
		res := electiontest.Run(t, electiontest.Network{Topology: netem.BiRing(n), Start: []protocols.ID{0}}, func(p protocols.ID) election.Process[ghs.Message] {
			return ghs.New(ascending(n)[p], []int64{4, 4}, ghs.Config{Announce: true})
		})
		if res.Total != want {
			t.Errorf("n=%d: sent %v, want %d", n, res.Sent, want)
		}
		electiontest.WantLeader(t, res, ascending(n), nil, protocols.ID(n-1))
	}
}

// The leader is the better end of the core, which is the last edge over which
// fragments of one level joined: here {1, 2}.
func TestLeaderIsAtTheCore(t *testing.T) {
	path := weigh(testnet.NewGraph(4, [][2]int{{0, 1}, {1, 2}, {2, 3}}), []int64{1, 3, 2})
	for order, leader := range map[election.Order]election.Identity{election.Max: 3, election.Min: 2} {
		res := run(t, path, ghs.Config{Announce: true, Order: order}, electiontest.Network{Start: electiontest.All(4)})
		if res.Decisions[0].Leader != leader {
			t.Errorf("%v leads, want %v", res.Decisions[0].Leader, leader)
		}
	}
}

// A crash holds the tree up, and no process decides. (The model excludes crashes.)
func TestCrashHoldsTheTreeUp(t *testing.T) {
	path := weigh(testnet.NewGraph(4, [][2]int{{0, 1}, {1, 2}, {2, 3}}), []int64{1, 3, 2})
	res := electiontest.Run(t, electiontest.Network{
		Topology: path.Graph,
		Start:    electiontest.All(4),
		Crash:    []electiontest.At{{ID: 2, Time: electiontest.Hops(2)}},
	}, func(p protocols.ID) election.Process[ghs.Message] {
		return ghs.New(ascending(4)[p], path.weightsOf(p), ghs.Config{Announce: true})
	})
	for p, d := range res.Decisions {
		if d.Status != election.Undecided {
			t.Errorf("process %d decided %v", p, d)
		}
	}
}

// A triangle: {0, 1} merge, 2 is absorbed, the heaviest edge is rejected.
func TestTrace(t *testing.T) {
	var trace bytes.Buffer
	run(t, weigh(testnet.NewGraph(3, [][2]int{{0, 1}, {0, 2}, {1, 2}}), []int64{1, 3, 2}), ghs.Config{Announce: true}, electiontest.Network{
		Start: []protocols.ID{0},
		Trace: &trace,
	})
	golden.Check(t, "triangle.txt", trace.Bytes())
}

func TestMessages(t *testing.T) {
	rank := election.Rank{ID: 5}
	for m, want := range map[ghs.Message]struct {
		text   string
		bits   int
		forged ghs.Message
	}{
		{Type: ghs.Connect, Level: 2, Rank: rank}: {
			"CONNECT(2,5)", 8 + 64 + 64, ghs.Message{Type: ghs.Connect, Level: 2, Rank: election.Rank{ID: 6}},
		},
		{Type: ghs.Initiate, Level: 2, Fragment: 9}: {
			"INITIATE(2,9,find)", 8 + 64 + 64 + 8, ghs.Message{Type: ghs.Initiate, Level: 2, Fragment: 9},
		},
		{Type: ghs.Initiate, Level: 2, Fragment: 9, Found: true}: {
			"INITIATE(2,9,found)", 8 + 64 + 64 + 8, ghs.Message{Type: ghs.Initiate, Level: 2, Fragment: 9, Found: true},
		},
		{Type: ghs.Test, Level: 2, Fragment: 9}: {"TEST(2,9)", 8 + 64 + 64, ghs.Message{Type: ghs.Test, Level: 2, Fragment: 9}},
		{Type: ghs.Accept}:                      {"ACCEPT", 8, ghs.Message{Type: ghs.Accept}},
		{Type: ghs.Reject}:                      {"REJECT", 8, ghs.Message{Type: ghs.Reject}},
		{Type: ghs.Report, Weight: 7}:           {"REPORT(7)", 8 + 64, ghs.Message{Type: ghs.Report, Weight: 7}},
		{Type: ghs.Report, Weight: ghs.Infinite}: {
			"REPORT(infinite)", 8 + 64, ghs.Message{Type: ghs.Report, Weight: ghs.Infinite},
		},
		{Type: ghs.ChangeRoot}:         {"CHANGEROOT", 8, ghs.Message{Type: ghs.ChangeRoot}},
		{Type: ghs.Leader, Rank: rank}: {"LEADER(5)", 8 + 64, ghs.Message{Type: ghs.Leader, Rank: election.Rank{ID: 6}}},
	} {
		if m.String() != want.text || m.Bits() != want.bits {
			t.Errorf("%v has %d bits, want %s with %d", m, m.Bits(), want.text, want.bits)
		}
		if forged := m.Forge(func(id int64) int64 { return id + 1 }); forged != want.forged {
			t.Errorf("%v forged is %v", m, forged)
		}
	}
}

func TestMistakesOfADriverPanic(t *testing.T) {
	for name, mistake := range map[string]func(){
		"a message of an unknown type": func() {
			ghs.New(election.Rank{ID: 1}, nil, ghs.Config{}).Receive(nil, 0, ghs.Message{Type: 9})
		},
		"a timer": func() { ghs.New(election.Rank{ID: 1}, nil, ghs.Config{}).Timeout(nil, 1) },
		"a port without a weight": func() {
			electiontest.Run(t, electiontest.Network{Topology: netem.BiRing(3), Start: []protocols.ID{0}}, func(protocols.ID) election.Process[ghs.Message] {
				return ghs.New(election.Rank{ID: 1}, []int64{4}, ghs.Config{})
			})
		},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			mistake()
		}()
	}
}

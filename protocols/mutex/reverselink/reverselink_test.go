package reverselink_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"bullring/des"
	"bullring/internal/golden"
	"bullring/netem"
	"bullring/netem/graph"
	"bullring/protocols"
	"bullring/protocols/mutex"
	"bullring/protocols/mutex/internal/mutextest"
	"bullring/protocols/mutex/raymond"
	"bullring/protocols/mutex/reverselink"
)

// edge is a link of a graph, the lower address first.
type edge [2]protocols.ID

// graphOf is the graph of n processes with these links.
func graphOf(t *testing.T, n int, edges []edge) netem.Topology {
	t.Helper()
	var all []graph.Edge
	for _, e := range edges {
		all = append(all, graph.Edge{From: e[0], To: e[1]})
	}
	g, err := graph.New("test", n, all, false, false)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// distances are those of all processes to one, -1 where there is no way.
func distances(n int, edges []edge, to protocols.ID) []int {
	d := slices.Repeat([]int{-1}, n)
	d[to] = 0
	for range n {
		for _, e := range edges {
			for _, w := range []edge{e, {e[1], e[0]}} {
				if near := d[w[0]]; near >= 0 && (d[w[1]] < 0 || d[w[1]] > near+1) {
					d[w[1]] = near + 1
				}
			}
		}
	}
	return d
}

// connected reports whether the links connect all processes.
func connected(n int, edges []edge) bool { return !slices.Contains(distances(n, edges, 0), -1) }

// graphs are all connected graphs of n processes.
func graphs(n int) (all [][]edge) {
	var pairs []edge
	for q := range protocols.ID(n) {
		for p := range q {
			pairs = append(pairs, edge{p, q})
		}
	}
	for set := range 1 << len(pairs) {
		var edges []edge
		for i, e := range pairs {
			if set>>i&1 == 1 {
				edges = append(edges, e)
			}
		}
		if connected(n, edges) {
			all = append(all, edges)
		}
	}
	return all
}

// run runs a workload with the token at a process in the beginning.
func run(t *testing.T, n int, edges []edge, holder protocols.ID, nw mutextest.Network) mutextest.Result {
	t.Helper()
	nw.Topology = graphOf(t, n, edges)
	d := distances(n, edges, holder)
	return mutextest.Run(t, nw, func(id protocols.ID) mutex.Lock[reverselink.Message] { return reverselink.New(id, d) })
}

// One request takes 3d messages on each connected graph of up to five processes, under every schedule: a
// REQUEST, a TOKEN and a LINKINFO for each hop.
func TestOneRequest(t *testing.T) {
	for n := 1; n <= 5; n++ {
		for _, edges := range graphs(n) {
			for holder := range protocols.ID(n) {
				for p := range protocols.ID(n) {
					d := distances(n, edges, holder)[p]
					r := run(t, n, edges, holder, mutextest.Network{Requesters: []protocols.ID{p}})
					mutextest.Want(t, r, 1)
					if !slices.Equal(r.Sent, []int{d, d, d}) || r.Entries[0].At != mutextest.Hops(2*d) {
						t.Fatalf("%v, holder %d, %d asks: sent %v, entry at %v; want %d of each", edges, holder, p, r.Sent, r.Entries[0].At, d)
					}
				}
			}
		}
	}
	for nw := range mutextest.RandomDelays(5) {
		for _, edges := range graphs(4) {
			nw.Requesters = []protocols.ID{2}
			if d := distances(4, edges, 0)[2]; !slices.Equal(run(t, 4, edges, 0, nw).Sent, []int{d, d, d}) {
				t.Fatalf("%v, %v: want %d of each", edges, nw.Delay, d)
			}
		}
	}
}

// On each tree of up to six processes all are served in the order of Raymond's algorithm, at the same times
// and with as many REQUEST and TOKEN, when all ask at 0.
func TestRaymondOnTrees(t *testing.T) {
	runs := 0
	for n := 2; n <= 6; n++ {
		for parents := range recursiveTrees(n) {
			var edges []edge
			for p := 1; p < n; p++ {
				edges = append(edges, edge{parents[p], protocols.ID(p)})
			}
			for _, requests := range []int{1, 2} {
				nw := mutextest.Network{Requesters: mutextest.All(n), Work: mutex.Workload{Requests: requests, Hold: mutextest.Hops(1)}}
				got := run(t, n, edges, 0, nw)
				nw.Topology = graphOf(t, n, edges)
				want := mutextest.Run(t, nw, func(id protocols.ID) mutex.Lock[raymond.Message] { return raymond.New(parents[id]) })
				mutextest.Want(t, got, n*requests)
				if !slices.Equal(got.Entries, want.Entries) || !slices.Equal(got.Sent, append(want.Sent, want.Sent[1])) {
					t.Fatalf("%v, %d requests: sent %v, entries %v; Raymond's %v, %v", edges, requests, got.Sent, got.Entries, want.Sent, want.Entries)
				}
				runs++
			}
		}
	}
	if runs < 300 {
		t.Errorf("%d runs", runs)
	}
}

// recursiveTrees yields the parents of each tree in which a process hangs on one with a smaller address.
func recursiveTrees(n int) func(func([]protocols.ID) bool) {
	return func(yield func([]protocols.ID) bool) {
		parents := make([]protocols.ID, n)
		for {
			if !yield(parents) {
				return
			}
			p := n - 1
			for ; p > 0; p-- {
				if parents[p]++; parents[p] < protocols.ID(p) {
					break
				}
				parents[p] = 0
			}
			if p <= 0 {
				return
			}
		}
	}
}

// Links of random graphs change while REQUEST and LINKINFO are under way, which are lost, and the graph stays
// connected: all are served. All ask at whole seconds; a link changes half a message time later, when
// the token is not under way.
func TestChangesUnderDemand(t *testing.T) {
	const rounds = 30
	cut := 0
	for seed := range uint64(200) {
		s := rand.New(rand.NewPCG(seed, 0))
		n := 3 + s.IntN(6)
		var all []edge
		for q := range protocols.ID(n) {
			for p := range q {
				all = append(all, edge{p, q})
			}
		}
		up := slices.Clone(all)
		nw := mutextest.Network{
			Requesters: mutextest.All(n),
			Work:       mutex.Workload{Requests: rounds, Think: mutex.Pause{Mean: time.Second}, Open: true},
		}
		for round := 1; round <= rounds; round++ {
			e := all[s.IntN(len(all))]
			i := slices.Index(up, e)
			switch {
			case i < 0:
				up = append(up, e)
			case connected(n, slices.Delete(slices.Clone(up), i, i+1)):
				up = slices.Delete(up, i, i+1)
				cut++
			default:
				continue
			}
			at := des.Time(time.Duration(round)*time.Second + mutextest.Unit/2)
			nw.Change = append(nw.Change, netem.Change{At: at, A: e[0], B: e[1], Up: i < 0})
		}
		mutextest.Want(t, run(t, n, all, protocols.ID(s.IntN(n)), nw), n*rounds)
	}
	if cut < 1000 {
		t.Errorf("%d links went down: too few to say anything", cut)
	}
}

// A part of the graph that is cut off from the token raises heights until it is connected again, and then is
// served.
func TestCutOff(t *testing.T) {
	line := []edge{{0, 1}, {1, 2}, {2, 3}}
	for half := range 40 {
		change := func(at time.Duration, up bool) netem.Change {
			return netem.Change{At: des.Time(at), A: 0, B: 1, Up: up}
		}
		nw := mutextest.Network{
			Later:  []mutextest.At{{ID: 3, Time: mutextest.Hops(1)}, {ID: 2, Time: mutextest.Hops(2)}},
			Change: []netem.Change{change(mutextest.Unit/2, false), change(mutextest.Hops(10)+time.Duration(half)*mutextest.Unit/2, true)},
		}
		mutextest.Want(t, run(t, 4, line, 0, nw), 2)
	}
}

// On the ring 0-1-2-3 with the token at 0, process 2 asks by way of 1, whose link to 0 goes down with its
// REQUEST: it raises its height, and 2 asks by way of 3.
func TestTrace(t *testing.T) {
	var trace bytes.Buffer
	r := run(t, 4, []edge{{0, 1}, {1, 2}, {2, 3}, {0, 3}}, 0, mutextest.Network{
		Requesters: []protocols.ID{2},
		Change:     []netem.Change{{At: des.Time(mutextest.Hops(3) / 2), A: 0, B: 1}},
		Trace:      &trace,
	})
	mutextest.Want(t, r, 1)
	golden.Check(t, "reroute.txt", trace.Bytes())
}

func TestHeights(t *testing.T) {
	m := reverselink.Message{Type: reverselink.Token, Height: reverselink.Height{H1: 1, H2: -2, ID: 3}}
	if got := fmt.Sprint(m); got != "TOKEN(1,-2,3)" || m.Bits() != 200 {
		t.Errorf("%s, %d bits", got, m.Bits())
	}
}

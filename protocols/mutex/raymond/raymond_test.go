package raymond_test

import (
	"bytes"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"bullring/internal/golden"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/mutex"
	"bullring/protocols/mutex/internal/mutextest"
	"bullring/protocols/mutex/raymond"
)

// tree is a tree by the parent of each node; the root is its own. It sends along the
// edges of a complete graph, of which it must use no others.
type tree []protocols.ID

func path(n int) tree {
	t := make(tree, n)
	for i := range t {
		t[i] = protocols.ID(max(i-1, 0))
	}
	return t
}

func star(n int) tree { return make(tree, n) }

func binary(n int) tree {
	t := make(tree, n)
	for i := range t {
		t[i] = protocols.ID(max(i-1, 0) / 2)
	}
	return t
}

// trees are all recursive trees of n nodes: each node hangs on one with a smaller
// address. Every tree is among them, by some addresses.
func trees(n int) []tree {
	all := []tree{{0}}
	for i := 1; i < n; i++ {
		var larger []tree
		for _, t := range all {
			for parent := range protocols.ID(i) {
				larger = append(larger, append(slices.Clone(t), parent))
			}
		}
		all = larger
	}
	return all
}

// up is the nodes from one to the root, both included.
func (t tree) up(p protocols.ID) []protocols.ID {
	way := []protocols.ID{p}
	for t[p] != p {
		p = t[p]
		way = append(way, p)
	}
	return way
}

func (t tree) distance(p, q protocols.ID) int {
	up := t.up(q)
	for d, r := range t.up(p) {
		if k := slices.Index(up, r); k >= 0 {
			return d + k
		}
	}
	panic("a tree is connected")
}

// toward is the neighbour of a node that is nearer to another one, or itself.
func (t tree) toward(p, to protocols.ID) protocols.ID {
	if p == to {
		return p
	}
	up := t.up(to)
	if k := slices.Index(up, p); k > 0 {
		return up[k-1]
	}
	return t[p]
}

// run runs a workload with the token at a node in the beginning.
func run(t *testing.T, tr tree, holder protocols.ID, nw mutextest.Network) mutextest.Result {
	t.Helper()
	nw.Topology = netem.Complete(len(tr))
	r := mutextest.Run(t, nw, func(id protocols.ID) mutex.Lock[raymond.Message] {
		return edges{raymond.New(tr.toward(id, holder)), tr, t}
	})
	if r.Sent[raymond.Request] != r.Sent[raymond.Privilege] && nw.Crash == nil {
		t.Fatalf("%v, holder %d: %d REQUEST and %d PRIVILEGE", tr, holder, r.Sent[0], r.Sent[1])
	}
	return r
}

// edges is a lock, held to the edges of its tree.
type edges struct {
	*raymond.Lock
	tree tree
	t    *testing.T
}

func (e edges) Receive(n protocols.Node[raymond.Message], from protocols.ID, m raymond.Message) {
	if e.tree.distance(n.ID(), from) != 1 {
		e.t.Fatalf("%v: %v from %d to %d", e.tree, m, from, n.ID())
	}
	e.Lock.Receive(n, from, m)
}

// Raymond 1989, performance: a request goes to the token and the token comes back, 2d
// messages one after another, over every tree of up to 5 nodes and every two of them,
// and under every schedule.
func TestOneRequest(t *testing.T) {
	for n := 1; n <= 5; n++ {
		for _, tr := range trees(n) {
			for holder := range protocols.ID(n) {
				for p := range protocols.ID(n) {
					d := tr.distance(holder, p)
					r := run(t, tr, holder, mutextest.Network{Requesters: []protocols.ID{p}})
					mutextest.Want(t, r, 1)
					if r.Total != 2*d || r.Entries[0].At != mutextest.Hops(2*d) {
						t.Fatalf("%v, holder %d, %d asks: %d messages, entry at %v; want %d of each", tr, holder, p, r.Total, r.Entries[0].At, 2*d)
					}
				}
			}
		}
	}
	for nw := range mutextest.RandomDelays(5) {
		for _, tr := range []tree{path(8), star(8), binary(8)} {
			for p := range protocols.ID(8) {
				nw.Requesters, nw.Unordered = []protocols.ID{p}, p%2 == 0
				if r := run(t, tr, 3, nw); r.Total != 2*tr.distance(3, p) {
					t.Fatalf("%v, %d asks: %d messages", tr, p, r.Total)
				}
			}
		}
	}
}

// If all ask at 0 the token goes along an Euler tour of the tree without the way back
// from the last, a REQUEST for each PRIVILEGE: 4(N-1) - 2L. With messages that take
// one unit each node has heard of all requests of its subtree in time, so that
// the token never waits: entries are apart by the way between them and the time
// inside, except the first, which leaves when no other can have asked yet.
func TestAllAskAtOnce(t *testing.T) {
	for n := 1; n <= 6; n++ {
		for _, tr := range trees(n) {
			for holder := range protocols.ID(n) {
				for _, inside := range []time.Duration{0, mutextest.Hops(1), mutextest.Hops(3)} {
					r := run(t, tr, holder, mutextest.Network{Requesters: mutextest.All(n), Work: mutex.Workload{Requests: 1, Hold: inside}})
					mutextest.Want(t, r, n)
					last := r.Entries[n-1].Process
					if want := 4*(n-1) - 2*tr.distance(holder, last); r.Total != want {
						t.Fatalf("%v, holder %d, last %d: %d messages, want %d", tr, holder, last, r.Total, want)
					}
					wantEntries(t, tr, holder, inside, r.Entries)
				}
			}
		}
	}
}

func wantEntries(t *testing.T, tr tree, holder protocols.ID, inside time.Duration, entries []mutex.Entry) {
	t.Helper()
	at := max(inside, mutextest.Unit) // when the first hands the token on
	for k, e := range entries {
		if k == 0 {
			if e.Process != holder || e.At != 0 {
				t.Fatalf("%v: %d enters first, at %v; want %d, at 0", tr, e.Process, e.At, holder)
			}
			continue
		}
		at += mutextest.Hops(tr.distance(entries[k-1].Process, e.Process))
		if e.At != at {
			t.Fatalf("%v, holder %d, inside for %v: entry %d at %v, want %v", tr, holder, inside, k, e.At, at)
		}
		at += inside
	}
}

// Raymond: "approximately 4 messages" an entry under heavy demand. Exactly, R rounds
// in which all ask again on leaving are R Euler tours: 4R(N-1) - 2L. A process that stays
// inside for less than a message time leaves before it has heard of the others, and goes
// in again.
func TestSaturation(t *testing.T) {
	for n := 1; n <= 8; n++ {
		for _, tr := range []tree{path(n), star(n), binary(n)} {
			for holder := range protocols.ID(n) {
				for _, inside := range []time.Duration{mutextest.Hops(1), mutextest.Hops(2)} {
					const rounds = 7
					r := run(t, tr, holder, mutextest.Network{Requesters: mutextest.All(n), Work: mutex.Workload{Requests: rounds, Hold: inside}})
					mutextest.Want(t, r, rounds*n)
					last := r.Entries[rounds*n-1].Process
					if want := 4*rounds*(n-1) - 2*tr.distance(holder, last); r.Total != want {
						t.Fatalf("%v, holder %d, last %d: %d messages, want %d", tr, holder, last, r.Total, want)
					}
				}
			}
		}
	}
}

// Light demand: the mean over all that may have the token and all others that may ask.
// On a path 2(N+1)/3, which is Raymond's (2/3)N, and 2(N*N-1)/(3N) if the last may be
// the next as well; on a star 4-4/N; on complete binary trees O(log N).
func TestLightDemand(t *testing.T) {
	mean := func(tr tree, pairs int) *big.Rat {
		n, sum := len(tr), 0
		for holder := range protocols.ID(n) {
			for p := range protocols.ID(n) {
				r := run(t, tr, holder, mutextest.Network{Requesters: []protocols.ID{p}})
				sum += r.Total
			}
		}
		return big.NewRat(int64(sum), int64(pairs))
	}
	for n := 2; n <= 12; n++ {
		others, all := n*(n-1), n*n
		for _, c := range []struct {
			name      string
			got, want *big.Rat
		}{
			{"path, another", mean(path(n), others), big.NewRat(int64(2*(n+1)), 3)},
			{"path, any", mean(path(n), all), big.NewRat(int64(2*(n*n-1)), int64(3*n))},
			{"star, another", mean(star(n), others), big.NewRat(int64(4*n-4), int64(n))},
		} {
			if c.got.Cmp(c.want) != 0 {
				t.Errorf("n=%d, %s: mean %v, want %v", n, c.name, c.got, c.want)
			}
		}
	}
	for n, want := range map[int]string{7: "4.571", 15: "7.010", 31: "9.910"} {
		if got := mean(binary(n), n*(n-1)).FloatString(3); got != want {
			t.Errorf("binary tree of %d: mean %s, want %s", n, got, want)
		}
	}
}

// Raymond: no entry costs more than 2D messages, D the diameter of the tree, and the
// worst is a path.
func TestWorstCase(t *testing.T) {
	for n := 1; n <= 8; n++ {
		r := run(t, path(n), 0, mutextest.Network{Requesters: []protocols.ID{protocols.ID(n - 1)}})
		if r.Total != 2*(n-1) {
			t.Errorf("path of %d: %d messages from end to end, want %d", n, r.Total, 2*(n-1))
		}
	}
}

// Exclusion and liveness under any schedule, on random trees, over links that need
// not be FIFO, in both kinds of loops.
func TestAnySchedule(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for nw := range mutextest.RandomDelays(100) {
		n := 1 + rng.IntN(9)
		tr := make(tree, n)
		for i := 1; i < n; i++ {
			tr[i] = protocols.ID(rng.IntN(i))
		}
		holder := protocols.ID(rng.IntN(n))
		nw.Requesters, nw.Unordered = mutextest.All(n), rng.IntN(2) == 0
		for _, work := range []mutex.Workload{
			{Requests: 6},
			{Requests: 6, Hold: mutextest.Unit, Think: mutex.Pause{Mean: mutextest.Hops(5), Random: true}},
			{Requests: 6, Hold: mutextest.Unit, Open: true, Think: mutex.Pause{Mean: mutextest.Hops(10), Random: true}},
		} {
			nw.Work = work
			r := run(t, tr, holder, nw)
			mutextest.Want(t, r, 6*n)
			if diameter := diameter(tr); r.Total > 6*n*2*diameter {
				t.Fatalf("%v: %d messages for %d entries", tr, r.Total, 6*n)
			}
		}
	}
}

func diameter(tr tree) int {
	most := 0
	for p := range protocols.ID(len(tr)) {
		for q := range p {
			most = max(most, tr.distance(p, q))
		}
	}
	return most
}

// The token dies with its holder, and no process enters again.
func TestHolderDies(t *testing.T) {
	r := run(t, star(4), 0, mutextest.Network{
		Requesters: mutextest.All(4),
		Work:       mutex.Workload{Requests: 2, Hold: mutextest.Hops(5)},
		Crash:      []mutextest.At{{ID: 0, Time: mutextest.Hops(2)}},
	})
	if r.Count != 1 || r.Checks[0].Verdict != protocols.Holds || r.Checks[1].Verdict != protocols.Undecided {
		t.Errorf("%d entries, %+v", r.Count, r.Checks)
	}
}

func TestPanics(t *testing.T) {
	mutextest.WantPanics(t, map[string]func(){
		"an unknown message": func() { raymond.New(0).Receive(alone{}, 0, raymond.Privilege+1) },
		"a timer":            func() { raymond.New(0).Timeout(alone{}, 0) },
	})
}

// alone is all that a handler sees that panics at once.
type alone struct {
	protocols.Node[raymond.Message]
}

func (alone) ID() protocols.ID { return 0 }

func TestMessage(t *testing.T) {
	for m, want := range map[raymond.Message]string{raymond.Request: "REQUEST 8", raymond.Privilege: "PRIVILEGE 8"} {
		if got := fmt.Sprint(m, m.Bits()); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// On the path 0-1-2-3 with the token at 1, its ends ask: 1 asks no other, 2 asks
// once for 3, and the token that goes to 3 takes no REQUEST of 2 with it.
func TestTrace(t *testing.T) {
	var trace bytes.Buffer
	run(t, path(4), 1, mutextest.Network{
		Requesters: []protocols.ID{0, 3},
		Work:       mutex.Workload{Requests: 1, Hold: mutextest.Hops(4)},
		Trace:      &trace,
	})
	golden.Check(t, "both-ends.txt", trace.Bytes())
}

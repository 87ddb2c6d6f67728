package ingram_test

import (
	"bytes"
	"cmp"
	"slices"
	"testing"

	"bullring/des"
	"bullring/internal/golden"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/ingram"
	"bullring/protocols/election/internal/electiontest"
	"bullring/protocols/internal/testnet"
)

// run elects among ranks, by address.
func run(t *testing.T, ranks []election.Rank, nw electiontest.Network) electiontest.Result {
	t.Helper()
	return electiontest.Run(t, nw, func(id protocols.ID) election.Process[ingram.Message] {
		return ingram.New(ranks[id].ID)
	})
}

// fewest is the smallest number of UPDATE on a graph that never changes.
func fewest(g testnet.Graph, leader protocols.ID) int {
	return 2*g.Len() - 1 + 2*len(g.Edges()) - g.Degree(leader)
}

// On a graph that never changes the process with the smallest identity leads, after as many hops as its
// eccentricity. The complete graph takes no more UPDATE than the bound if that process acts first.
func TestStaticGraph(t *testing.T) {
	for n := 2; n <= 5; n++ {
		for g := range testnet.Graphs(n) {
			for ranks := range electiontest.Placements(n) {
				res := run(t, ranks, electiontest.Network{Topology: g})
				leader := electiontest.Best(ranks, election.Min, nil)
				electiontest.WantLeader(t, res, ranks, nil, leader)
				if e := slices.Max(g.Distances(leader)); res.Learnt != electiontest.Hops(e) {
					t.Fatalf("%v, %v: learnt at %v, want %d hops", g, ranks, res.Learnt, e)
				}
				if res.Total < fewest(g, leader) {
					t.Fatalf("%v, %v: %d UPDATE, want %d at least", g, ranks, res.Total, fewest(g, leader))
				}
				if first := leader == 0 && len(g.Edges()) == n*(n-1)/2; first && res.Total != fewest(g, leader) {
					t.Errorf("%v: %d UPDATE, want %d", ranks, res.Total, fewest(g, leader))
				}
			}
		}
	}
}

// On a star with the leader in the centre each schedule takes 3V-2 UPDATE. On no graph does a schedule
// take fewer than the bound.
func TestAnySchedule(t *testing.T) {
	for nw := range electiontest.RandomDelays() {
		for n := 2; n < 9; n++ {
			var edges [][2]int
			for leaf := 1; leaf < n; leaf++ {
				edges = append(edges, [2]int{0, leaf})
			}
			nw.Topology = testnet.NewGraph(n, edges)
			if res := run(t, electiontest.Ranks(electiontest.Increasing(n)...), nw); res.Total != 3*n-2 {
				t.Errorf("%v: a star of %d sends %d UPDATE, want %d", nw.Delay, n, res.Total, 3*n-2)
			}
		}
		for seed := range uint64(20) {
			const n = 12
			g, ranks := electiontest.RandomGraph(n, 10, seed), electiontest.Ranks(electiontest.Increasing(n)...)
			nw.Topology = g
			res := run(t, ranks, nw)
			if res.Total < fewest(g, 0) {
				t.Fatalf("%v, %v: %d UPDATE, want %d at least", g, nw.Delay, res.Total, fewest(g, 0))
			}
			electiontest.WantLeader(t, res, ranks, nil, 0)
		}
	}
}

// A process that is alone leads itself, and is silent.
func TestAlone(t *testing.T) {
	res := run(t, electiontest.Ranks(7), electiontest.Network{Topology: netem.Complete(1)})
	if res.Total != 0 || res.Learnt != 0 || ingram.New(7).Decision() != (election.Decision{Status: election.Leader, Leader: 7}) {
		t.Errorf("%+v", res)
	}
}

// leaders are the decisions of the processes after some changes of links.
func leaders(t *testing.T, ranks []election.Rank, nw electiontest.Network) []election.Identity {
	t.Helper()
	ids := make([]election.Identity, len(ranks))
	for p, d := range run(t, ranks, nw).Decisions {
		if ids[p] = d.Leader; d.Status == election.Undecided {
			ids[p] = ranks[p].ID // it has taken no step
		}
	}
	return ids
}

// components are the components of a graph after some changes of its links, by process.
func components(g testnet.Graph, changes []netem.Change) []int {
	up := map[[2]protocols.ID]bool{}
	for _, e := range g.Edges() {
		up[e] = true
	}
	for _, c := range changes {
		up[[2]protocols.ID{c.A, c.B}] = c.Up
	}
	of := electiontest.Increasing(g.Len())
	for range of {
		for e, there := range up {
			if there {
				of[e[0]] = min(of[e[0]], of[e[1]])
				of[e[1]] = of[e[0]]
			}
		}
	}
	return of
}

// wantOneEach fails the test unless each component has one leader, which is in it and known to all of it.
func wantOneEach(t *testing.T, ranks []election.Rank, leaders []election.Identity, of []int, what ...any) {
	t.Helper()
	for p, leader := range leaders {
		at := slices.IndexFunc(ranks, func(r election.Rank) bool { return r.ID == leader })
		if of[at] != of[p] || leaders[at] != leader || leader != leaders[of[p]-1] {
			t.Fatalf("%v: leaders %v in components %v", what, leaders, of)
		}
	}
}

// Whatever two links change, at whatever instants, in the end each component has one leader: on each
// graph of four processes.
func TestTwoChanges(t *testing.T) {
	ranks := electiontest.Ranks(2, 4, 1, 3)
	runs, apart := 0, 0
	for g, changes := range electiontest.TwoChanges(4, 12) {
		of := components(g, changes)
		got := leaders(t, ranks, electiontest.Network{Topology: g, Change: changes})
		wantOneEach(t, ranks, got, of, g, changes)
		runs++
		if slices.Max(of) > 1 {
			apart++
		}
	}
	if runs < 5_000 || apart < runs/20 {
		t.Errorf("%d runs, %d of them with several components: too few to say anything", runs, apart)
	}
}

// The same after many changes at random instants.
func TestManyChanges(t *testing.T) {
	const n = 8
	ranks := electiontest.Ranks(electiontest.Increasing(n)...)
	for seed := range uint64(300) {
		g := electiontest.RandomGraph(n, 6, seed)
		changes := electiontest.RandomChanges(g, seed)
		for nw := range electiontest.RandomDelays() {
			nw.Topology, nw.Change = g, changes
			wantOneEach(t, ranks, leaders(t, ranks, nw), components(g, changes), g, changes)
		}
	}
}

// pairs are the leader pairs that the processes told last, by address.
type pairs struct {
	t      *testing.T
	last   []ingram.Height
	shrunk int
}

func (w *pairs) Record(r netem.Record) {
	for _, s := range r.Sent {
		now, was := s.Message.(ingram.Message).Height, w.last[r.Who]
		switch order := cmp.Or(cmp.Compare(now.Elected, was.Elected), cmp.Compare(now.Leader, was.Leader)); {
		case was == (ingram.Height{}):
		case order > 0:
			w.t.Fatalf("process %d had the height %v, and then %v", r.Who, was, now)
		case order < 0:
			w.shrunk++
		}
		w.last[r.Who] = now
	}
}

// The leader pair of a process only gets smaller.
func TestLeaderPairsShrink(t *testing.T) {
	const n = 6
	g := electiontest.RandomGraph(n, 4, 1)
	net := netem.New(netem.Config{Topology: g, Delay: des.Uniform(0, electiontest.Hops(3)), FIFO: true, Seed: 1},
		func(id protocols.ID) protocols.Process[ingram.Message] { return ingram.New(election.Identity(id) + 1) })
	w := &pairs{last: make([]ingram.Height, n), t: t}
	net.Trace(w)
	s := des.NewStream(1, "changes")
	for k := range 200 {
		e := g.Edges()[s.Intn(len(g.Edges()))]
		net.ChangeAt(netem.Change{At: des.Time(k+1) * des.Time(electiontest.Unit), A: e[0], B: e[1], Up: s.Intn(2) == 0})
	}
	net.Boot()
	if end := net.Run(t.Context()); end != netem.Quiescent || w.shrunk < 50 {
		t.Errorf("%v, %d changes of leader pairs", end, w.shrunk)
	}
}

// On a line 1-2-3-4, whose link 1-2 goes down: 2 has no way down and begins a search, 3 passes it on, 4
// reflects it, 3 sends the reflection back, and 2 elects itself.
func TestTraces(t *testing.T) {
	line, err := netem.ParseTopology("line", 4, 1)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	res := run(t, electiontest.Ranks(1, 2, 3, 4), electiontest.Network{
		Topology: line, Trace: &text, Change: []netem.Change{{At: des.Time(electiontest.Hops(10)), A: 0, B: 1}},
	})
	golden.Check(t, "line.txt", text.Bytes())
	for p, d := range res.Decisions {
		if want := election.Decide(election.Identity(p+1), []election.Identity{1, 2, 2, 2}[p]); d != want {
			t.Errorf("process %d decided %v, want %v", p, d, want)
		}
	}
	if res.Learnt != electiontest.Hops(10+2+2+2) {
		t.Errorf("learnt at %v; the search, its reflection and the news of the leader take 2 hops each", res.Learnt)
	}
}

func TestMessages(t *testing.T) {
	search := ingram.Height{Level: ingram.Level{Tau: 3, Origin: 5, Reflected: true}, Delta: -1, Elected: -2, Leader: 6, ID: 7}
	for h, want := range map[ingram.Height]struct{ text, forged string }{
		search:             {"UPDATE((3,5,1,-1,-2,6,7) at 9)", "UPDATE((3,6,1,-1,-2,7,8) at 9)"},
		{Leader: 6, ID: 7}: {"UPDATE((0,0,0,0,0,6,7) at 9)", "UPDATE((0,0,0,0,0,7,8) at 9)"},
	} {
		m := ingram.Message{Height: h, Clock: 9}
		if m.String() != want.text || m.Bits() != 8+7*64 {
			t.Errorf("%v has %d bits, want %s", m, m.Bits(), want.text)
		}
		if forged := m.Forge(func(id int64) int64 { return id + 1 }).String(); forged != want.forged {
			t.Errorf("%v forged is %s, want %s", m, forged, want.forged)
		}
	}
}

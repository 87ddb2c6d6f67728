package topologyaware_test

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"bullring/des"
	"bullring/internal/golden"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/internal/electiontest"
	"bullring/protocols/election/topologyaware"
	"bullring/protocols/internal/testnet"
)

// interval is Delta in all tests: longer than a round trip.
const interval = 5 * electiontest.Unit

// run elects among ranks, by address.
func run(t *testing.T, ranks []election.Rank, cfg topologyaware.Config, nw electiontest.Network) electiontest.Result {
	t.Helper()
	cfg.Interval = interval
	return electiontest.Run(t, nw, func(id protocols.ID) election.Process[topologyaware.Message] {
		return topologyaware.New(ranks[id], cfg)
	})
}

// central are the leaders by definition, by address: in the component of each process the member with the smallest
// sum of distances to those that it reaches, or with the most neighbours.
func central(g testnet.Graph, ranks []election.Rank, cfg topologyaware.Config) []protocols.ID {
	leaders := make([]protocols.ID, len(g))
	for p := range leaders {
		here := g.Distances(protocols.ID(p))
		best := protocols.ID(p)
		for q := range g {
			if here[q] < 0 {
				continue
			}
			order := cmp.Compare(merit(g, protocols.ID(q), cfg), merit(g, best, cfg))
			if order > 0 || order == 0 && cfg.Order.Better(ranks[q], ranks[best]) {
				best = protocols.ID(q)
			}
		}
		leaders[p] = best
	}
	return leaders
}

func merit(g testnet.Graph, p protocols.ID, cfg topologyaware.Config) int {
	if cfg.Degree {
		return g.Degree(p)
	}
	sum := 0
	for _, d := range g.Distances(p) {
		sum += max(d, 0)
	}
	return -sum
}

// wantCentral fails the test unless each process follows the right leader.
func wantCentral(t *testing.T, res electiontest.Result, g testnet.Graph, ranks []election.Rank, cfg topologyaware.Config, what ...any) {
	t.Helper()
	for p, leader := range central(g, ranks, cfg) {
		d := res.Decisions[p]
		if d.Status == election.Undecided { // it has taken no step
			d = election.Decide(ranks[p].ID, ranks[p].ID)
		}
		if want := election.Decide(ranks[p].ID, ranks[leader].ID); d != want {
			t.Fatalf("%v, %+v, %v: process %d decided %v, want %v", g, cfg, what, p, d, want)
		}
	}
}

var configs = []topologyaware.Config{{}, {Degree: true}, {Order: election.Min}, {Order: election.Min, Degree: true}}

// eccentricities are those of all processes.
func eccentricities(g testnet.Graph) (all []int) {
	for p := range g {
		all = append(all, slices.Max(g.Distances(protocols.ID(p))))
	}
	return all
}

// On a graph that never changes each process sends a KNOWN, and as many UPDATES as its eccentricity is, which makes
// the costs exact. The leader is the most central process, as soon as all know all.
func TestStaticGraph(t *testing.T) {
	last := 0
	for n := 2; n <= 5; n++ {
		for g := range testnet.Graphs(n) {
			far := eccentricities(g)
			updates, diameter := 0, slices.Max(far)
			for _, e := range far {
				updates += e
			}
			for ranks := range electiontest.Placements(min(n, 4)) {
				ranks = append(slices.Clone(ranks), electiontest.Ranks(electiontest.Increasing(n)...)[len(ranks):]...)
				for _, cfg := range configs {
					res := run(t, ranks, cfg, electiontest.Network{Topology: g})
					wantCentral(t, res, g, ranks, cfg)
					if want := []int{n, updates}; !slices.Equal(res.Sent, want) {
						t.Fatalf("%v: sent %v, want %v", g, res.Sent, want)
					}
					all := electiontest.Hops(diameter) + time.Duration(diameter-1)*interval
					if res.Learnt > all || n > 2 && diameter == 1 && res.Learnt != all {
						t.Fatalf("%v: learnt at %v, and all is known at %v", g, res.Learnt, all)
					}
					if res.Learnt == all {
						last++
					}
				}
			}
		}
	}
	if last < 1_000 {
		t.Errorf("only %d runs learn with the last news", last)
	}
}

// No schedule takes fewer messages than 2V or more than V*V, and none changes the leader.
func TestAnySchedule(t *testing.T) {
	for nw := range electiontest.RandomDelays() {
		for seed := range uint64(20) {
			const n = 12
			g, ranks := electiontest.RandomGraph(n, 10, seed), electiontest.Ranks(electiontest.Increasing(n)...)
			nw.Topology = g
			for _, cfg := range configs {
				res := run(t, ranks, cfg, nw)
				if res.Total < 2*n || res.Total > n*n {
					t.Fatalf("%v, %v: %d messages", g, nw.Delay, res.Total)
				}
				wantCentral(t, res, g, ranks, cfg)
			}
		}
	}
}

// A process that is alone leads itself, and is silent.
func TestAlone(t *testing.T) {
	res := run(t, electiontest.Ranks(7), topologyaware.Config{}, electiontest.Network{Topology: netem.Complete(1)})
	if res.Total != 0 || res.Learnt != 0 {
		t.Errorf("%+v", res)
	}
	p := topologyaware.New(election.Rank{ID: 7}, topologyaware.Config{Interval: interval})
	if p.Decision() != (election.Decision{Status: election.Leader, Leader: 7}) {
		t.Errorf("%v", p.Decision())
	}
}

// after is a graph after some changes of its links.
func after(g testnet.Graph, changes []netem.Change) testnet.Graph {
	up := map[[2]int]bool{}
	for _, e := range g.Edges() {
		up[[2]int{int(e[0]), int(e[1])}] = true
	}
	for _, c := range changes {
		if e := [2]int{int(c.A), int(c.B)}; c.Up {
			up[e] = true
		} else {
			delete(up, e)
		}
	}
	return testnet.NewGraph(g.Len(), slices.Collect(maps.Keys(up)))
}

// Whatever two links change, at whatever instants, in the end the most central process of each component leads it: on
// each graph of four processes.
func TestTwoChanges(t *testing.T) {
	ranks := electiontest.Ranks(2, 4, 1, 3)
	runs, apart := 0, 0
	for g, changes := range electiontest.TwoChanges(4, 24) {
		cfg := configs[runs%len(configs)]
		end := after(g, changes)
		wantCentral(t, run(t, ranks, cfg, electiontest.Network{Topology: g, Change: changes}), end, ranks, cfg, changes)
		runs++
		if slices.Contains(end.Distances(0), -1) {
			apart++
		}
	}
	if runs < 10_000 || apart < runs/20 {
		t.Errorf("%d runs, %d of them with several components: too few to say anything", runs, apart)
	}
}

// The same after many changes.
func TestManyChanges(t *testing.T) {
	const n = 8
	ranks := electiontest.Ranks(electiontest.Increasing(n)...)
	for seed := range uint64(150) {
		g := electiontest.RandomGraph(n, 6, seed)
		changes := electiontest.RandomChanges(g, seed)
		for nw := range electiontest.RandomDelays() {
			nw.Topology, nw.Change = g, changes
			cfg := configs[seed%uint64(len(configs))]
			wantCentral(t, run(t, ranks, cfg, nw), after(g, changes), ranks, cfg, changes)
		}
	}
}

// clocks are those that each process knows of each other one: by what it was sent, and its own changes.
type clocks struct {
	t                *testing.T
	of               []map[protocols.ID]int
	partial, ignored int
}

func (w *clocks) Record(r netem.Record) {
	mine := w.of[r.Who]
	switch r.What {
	case "linkup", "linkdown":
		mine[r.Who]++
	case "deliver":
		m := r.Message.(topologyaware.Message)
		for _, v := range m.Views {
			mine[v.Who] = max(mine[v.Who], v.Clock)
		}
		for _, u := range m.Updates {
			if u.Partial {
				w.partial++
				if u.Clock <= mine[u.Who] {
					w.ignored++
				}
				if u.Clock > mine[u.Who]+1 {
					w.t.Fatalf("process %d knows clock %d of process %d, and is told of %v", r.Who, mine[u.Who], u.Who, u)
				}
			}
			mine[u.Who] = max(mine[u.Who], u.Clock)
		}
	}
}

// A process that is told of a lost link knows the view before, or a later one.
func TestUpdatesFit(t *testing.T) {
	const n = 8
	partial, ignored := 0, 0
	for seed := range uint64(100) {
		g := electiontest.RandomGraph(n, 6, seed)
		net := netem.New(netem.Config{Topology: g, Delay: des.Uniform(0, electiontest.Hops(8)), FIFO: true, Seed: seed},
			func(id protocols.ID) protocols.Process[topologyaware.Message] {
				return topologyaware.New(election.Rank{ID: election.Identity(id) + 1}, topologyaware.Config{Interval: interval})
			})
		w := &clocks{t: t}
		for range n {
			w.of = append(w.of, map[protocols.ID]int{})
		}
		net.Trace(w)
		for _, c := range electiontest.RandomChanges(g, seed) {
			net.ChangeAt(c)
		}
		net.Boot()
		net.Run(t.Context())
		partial, ignored = partial+w.partial, ignored+w.ignored
	}
	if ignored < 1_000 || partial-ignored < 1_000 {
		t.Errorf("%d updates of lost links, %d of them old: too few to say anything", partial, ignored)
	}
}

// On a line 1-2-3-4-5 all know all after 4 hops and 3 intervals, and 3 leads. Then the link 3-4 goes down: 3 and 4 tell
// it an interval later. It comes back, and both send all that they know.
func TestTraces(t *testing.T) {
	line, err := netem.ParseTopology("line", 5, 1)
	if err != nil {
		t.Fatal(err)
	}
	down, up := electiontest.Hops(40), electiontest.Hops(60)
	var text bytes.Buffer
	res := run(t, electiontest.Ranks(1, 2, 3, 4, 5), topologyaware.Config{}, electiontest.Network{
		Topology: line, Trace: &text,
		Change: []netem.Change{{At: des.Time(down), A: 2, B: 3}, {At: des.Time(up), A: 2, B: 3, Up: true}},
	})
	golden.Check(t, "line.txt", text.Bytes())
	electiontest.WantLeader(t, res, electiontest.Ranks(1, 2, 3, 4, 5), nil, 2)
	if want := up + electiontest.Hops(2) + interval; res.Learnt != want {
		t.Errorf("learnt at %v, want %v: the link is 2 hops from process 0", res.Learnt, want)
	}
}

func TestMessages(t *testing.T) {
	view := topologyaware.View{Who: 2, Rank: election.Rank{ID: 7}, Clock: 3, Near: []protocols.ID{0, 4}}
	lost := topologyaware.Update{View: topologyaware.View{Who: 1, Clock: 5}, Partial: true, Lost: 2}
	for _, c := range []struct {
		m            topologyaware.Message
		text, forged string
		bits         int
	}{
		{topologyaware.Message{Views: []topologyaware.View{view}}, "KNOWN(2:7@3[0,4])", "KNOWN(2:8@3[0,4])", 8 + 5*64},
		{topologyaware.Message{Type: topologyaware.Updates, Updates: []topologyaware.Update{{View: view}, lost}}, "UPDATES(2:7@3[0,4] 1@5-2)", "UPDATES(2:8@3[0,4] 1@5-2)", 8 + 5*64 + 3*64},
	} {
		if c.m.String() != c.text || c.m.Bits() != c.bits {
			t.Errorf("%v has %d bits, want %s and %d", c.m, c.m.Bits(), c.text, c.bits)
		}
		forged := c.m.Forge(func(id int64) int64 { return id + 1 })
		if forged.String() != c.forged || c.m.String() != c.text {
			t.Errorf("%v forged is %v, want %s", c.m, forged, c.forged)
		}
	}
}

func TestConfig(t *testing.T) {
	if err := (topologyaware.Config{}).Validate(); err == nil || !strings.Contains(err.Error(), "updates every 0s") {
		t.Errorf("%v", err)
	}
	electiontest.WantPanic(t, "updates every 0s", func() { topologyaware.New(election.Rank{ID: 1}, topologyaware.Config{}) })
	electiontest.WantPanic(t, "never sets timer 9", func() {
		topologyaware.New(election.Rank{ID: 1}, topologyaware.Config{Interval: interval}).Timeout(nil, 9)
	})
}

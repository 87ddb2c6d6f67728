package vkt_test

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"bullring/internal/golden"
	"bullring/netem"
	"bullring/netem/impair"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/internal/electiontest"
	"bullring/protocols/election/vkt"
	"bullring/protocols/internal/testnet"
	"bullring/protocols/links"
)

// both yields the two ways to learn of neighbours.
func both(yield func(beacons bool) bool) { _ = yield(false) && yield(true) }

// One initiator: each process broadcasts one ELECTION, which also answers those of its neighbours, and one
// LEADER; and each but the root sends one ACK. The time is that of the recurrence, from 2e to 2e+1, and e more.
func TestOneInitiator(t *testing.T) {
	for n := 1; n <= 5; n++ {
		for g := range testnet.Graphs(n) {
			for _, root := range electiontest.All(n) {
				for beacons := range both {
					if beacons && n == 5 {
						continue // of the same kind
					}
					w := &world{graph: g, beacons: beacons, ranks: electiontest.Ranks(electiontest.Increasing(n)...), start: []protocols.ID{root}}
					net := w.run(t)
					if got, want := sent(net), []int{n, n - 1, n, 0, 0}; !slices.Equal(got, want) {
						t.Fatalf("%v from %d, beacons %v: sent %v, want %v", g, root, beacons, got, want)
					}
					w.wantLeader(t, net, protocols.ID(n-1), electiontest.All(n)...)
					c, e := electiontest.TreeDone(g, root, func(_, of int) int { return of + 1 })
					if c < 2*e || c > 2*e+1 {
						t.Fatalf("%v from %d: done at %d, with eccentricity %d", g, root, c, e)
					}
					// The last LEADER is that of a process at distance e, and is heard a hop later.
					if last := time.Duration(net.Counters().LastMessage); !beacons && n > 1 && last != electiontest.Hops(c+e+1) {
						t.Fatalf("%v from %d: quiet at %v, want %d hops", g, root, last, c+e+1)
					}
				}
			}
		}
	}
}

// The count does not depend on the schedule.
func TestAnyScheduleSendsTheSame(t *testing.T) {
	const n = 20
	for seed := range uint64(5) {
		for nw := range electiontest.RandomDelays() {
			w := &world{
				graph: electiontest.RandomGraph(n, 15, seed), delay: nw.Delay, seed: nw.Seed,
				ranks: electiontest.Ranks(electiontest.Increasing(n)...), start: []protocols.ID{protocols.ID(seed)},
			}
			net := w.run(t)
			if got, want := sent(net), []int{n, n - 1, n, 0, 0}; !slices.Equal(got, want) {
				t.Fatalf("%v: sent %v, want %v", w, got, want)
			}
			w.wantLeader(t, net, n-1, electiontest.All(n)...)
		}
	}
}

// Of several elections that begin together that of the best initiator goes on, and finds the best
// process wherever that is.
func TestSeveralInitiators(t *testing.T) {
	for n := 2; n <= 4; n++ {
		for g := range testnet.Graphs(n) {
			for set := range electiontest.Subsets(n) {
				for ranks := range electiontest.Placements(n) {
					for _, order := range []election.Order{election.Max, election.Min} {
						k := len(set)
						if k == 0 {
							continue
						}
						w := &world{graph: g, ranks: ranks, order: order, start: set}
						net := w.run(t)
						s := sent(net)
						if s[vkt.Election] < n+k-1 || s[vkt.Election] > k*n || s[vkt.Ack] < n-1 || s[vkt.Ack] > k*(n-1) || s[vkt.Leader] != n {
							t.Fatalf("%v, %v start: sent %v", w, set, s)
						}
						w.wantLeader(t, net, electiontest.Best(ranks, order, nil), electiontest.All(n)...)
					}
				}
			}
		}
	}
}

// Two components of three and two processes meet. Both ends of the new link tell of their leader; then
// those tell it who have learnt something.
func TestMerge(t *testing.T) {
	for _, c := range []struct {
		what    string
		ids     []int // 0-1-2 and 3-4
		beacons bool
		after   []int // ELECTION, ACK, LEADER because of the new link
	}{
		// The initiators are 0 and 3. Both elections have the number 1, and that of the larger initiator is
		// the later one.
		{"the later leader is better", []int{1, 2, 3, 4, 5}, false, []int{0, 0, 2 + 3}},
		{"the later leader is better", []int{1, 2, 3, 4, 5}, true, []int{0, 0, 2 + 3}},
		{"the earlier leader is better", []int{1, 2, 5, 3, 4}, false, []int{5, 4, 2 + 5}},
		{"the earlier leader is better", []int{1, 2, 5, 3, 4}, true, []int{0, 0, 2 + 5}},
	} {
		g := testnet.NewGraph(5, [][2]int{{0, 1}, {1, 2}, {2, 3}, {3, 4}})
		w := &world{
			graph: g, down: [][2]protocols.ID{{2, 3}}, ranks: electiontest.Ranks(c.ids...), beacons: c.beacons, rare: true,
			start: []protocols.ID{0, 3}, changes: []netem.Change{up(30, 2, 3)}, until: 60 * unit,
		}
		net := w.run(t)
		want := []int{5, 3, 5, 0, 0}
		for kind, more := range c.after {
			want[kind] += more
		}
		if got := sent(net); !slices.Equal(got, want) {
			t.Errorf("%s, beacons %v: sent %v, want %v", c.what, c.beacons, got, want)
		}
		w.wantLeader(t, net, electiontest.Best(w.ranks, election.Max, nil), electiontest.All(5)...)
	}
}

// A line falls into two parts. Each has its best process for the leader.
func TestSplit(t *testing.T) {
	for beacons := range both {
		w := &world{
			graph: testnet.NewGraph(5, [][2]int{{0, 1}, {1, 2}, {2, 3}, {3, 4}}), ranks: electiontest.Ranks(5, 1, 4, 2, 3),
			beacons: beacons, start: []protocols.ID{1}, changes: []netem.Change{down(20, 1, 2)}, until: 200 * unit,
		}
		net := w.run(t)
		w.wantLeader(t, net, 0, 0, 1)
		w.wantLeader(t, net, 2, 2, 3, 4)
		// Both ends of the link begin an election if they are told of it; else those that miss the leader do.
		if got := sent(net); !beacons && !slices.Equal(got, []int{5 + 5, 4 + 3, 5 + 5, 0, 0}) {
			t.Errorf("sent %v", got)
		}
	}
}

// An orphan announces the best of its own subtree.
func TestOrphan(t *testing.T) {
	w := &world{
		graph: testnet.NewGraph(4, [][2]int{{0, 1}, {1, 2}, {2, 3}}), ranks: electiontest.Ranks(4, 1, 3, 2),
		start: []protocols.ID{0}, changes: []netem.Change{down(2.5, 0, 1)},
	}
	net := w.run(t)
	w.wantLeader(t, net, 0, 0)
	w.wantLeader(t, net, 2, 1, 2, 3)
	// 0 is left with its own election; 1 goes on with it.
	if got := sent(net); !slices.Equal(got, []int{4, 2, 4, 0, 0}) {
		t.Errorf("sent %v", got)
	}
}

// A link goes down and up again in every election of four processes, at any instant of it.
func TestFlap(t *testing.T) {
	runs, step := 0, 0.5
	if testing.Short() {
		step = 2
	}
	for g := range testnet.Graphs(4) {
		for _, e := range g.Edges() {
			for at := 0.25; at < 10; at += step {
				for _, gap := range []float64{0, 0.5, 1, 2.5} {
					for beacons := range both {
						w := &world{
							graph: g, ranks: electiontest.Ranks(2, 4, 1, 3), beacons: beacons, start: []protocols.ID{0, 3},
							changes: []netem.Change{down(at, e[0], e[1]), up(at+gap, e[0], e[1])},
						}
						if beacons {
							w.until = w.last() + cfg.Settling(4, unit)
						}
						w.wantLeaders(t, w.run(t))
						runs++
					}
				}
			}
		}
	}
	if runs < 5_000 {
		t.Errorf("%d runs are too few to say anything", runs)
	}
}

// The leader crashes. The others miss its heartbeats and elect another one; when it is back it begins an
// election, and leads again.
func TestLeaderCrashes(t *testing.T) {
	w := &world{
		graph: testnet.NewGraph(4, [][2]int{{0, 1}, {1, 2}, {2, 3}, {0, 3}}), ranks: electiontest.Ranks(1, 2, 4, 3), beacons: true,
		start: []protocols.ID{0}, crash: []electiontest.At{{ID: 2, Time: 50 * unit}}, until: 50*unit + cfg.Settling(4, unit),
	}
	w.wantLeader(t, w.run(t), 3, 0, 1, 3)
	back := 50*unit + cfg.Settling(4, unit)
	w.recover, w.until = []electiontest.At{{ID: 2, Time: back}}, back+cfg.Settling(4, unit)
	w.wantLeader(t, w.run(t), 2, electiontest.All(4)...)
}

// A process crashes while its second election goes on, and is back before its child has missed it. If it
// had forgotten the number of that election, it would join it below its own child, for ever.
func TestNumberSurvivesACrash(t *testing.T) {
	w := &world{
		graph: testnet.NewGraph(2, [][2]int{{0, 1}}), ranks: electiontest.Ranks(1, 2), beacons: true, rare: true,
		start: []protocols.ID{0}, again: []electiontest.At{{ID: 0, Time: 20 * unit}},
		crash: []electiontest.At{{ID: 0, Time: 21*unit + unit/2}}, recover: []electiontest.At{{ID: 0, Time: 22 * unit}},
	}
	w.wantLeader(t, w.run(t), 1, 0, 1)
}

// A process that has recovered alone meets an older component, and leads it from then on: nobody misses
// heartbeats because those of the former leader have higher numbers.
func TestHeartbeatsOfANewLeaderCountFromTheBeginning(t *testing.T) {
	const back, meet = 1000 * unit, 1010 * unit
	w := &world{
		graph: testnet.NewGraph(3, [][2]int{{0, 1}, {1, 2}}), down: [][2]protocols.ID{{1, 2}}, ranks: electiontest.Ranks(1, 2, 3), beacons: true,
		start: []protocols.ID{0}, crash: []electiontest.At{{ID: 2, Time: 0}}, recover: []electiontest.At{{ID: 2, Time: back}},
		changes: []netem.Change{up(float64(meet/unit), 1, 2)}, until: meet + 2*time.Duration(cfg.LeaderMisses)*cfg.Heartbeat,
	}
	net := w.run(t)
	w.wantLeader(t, net, 2, electiontest.All(3)...)
	if got := sent(net)[vkt.Election]; got != 2+1 {
		t.Errorf("%d ELECTION, want those of 0 and 1, and of 2 alone", got)
	}
}

// Nobody starts an election. Who has heard of no leader for as long as heartbeats may be missing begins one.
func TestSilenceBeginsAnElection(t *testing.T) {
	w := &world{
		graph: testnet.NewGraph(3, [][2]int{{0, 1}, {1, 2}}), ranks: electiontest.Ranks(2, 3, 1), beacons: true,
		until: time.Duration(cfg.LeaderMisses+2) * cfg.Heartbeat,
	}
	w.wantLeader(t, w.run(t), 1, electiontest.All(3)...)
}

// Whatever links come and go, in the end each component has one leader, who is in it and whom all follow.
func TestRandomLinks(t *testing.T) {
	runs, apart := uint64(20_000), 0
	if testing.Short() {
		runs = 2_000
	}
	for seed := range runs {
		w := random(seed)
		net := w.run(t)
		w.wantLeaders(t, net)
		if len(components(net)) > 1 {
			apart++
		}
	}
	if apart < int(runs)/10 {
		t.Errorf("%d of %d runs end with several components: too few to say anything", apart, runs)
	}
}

// The same with beacons and crashes, a fixed time after the last change. Processes recover.
func TestRandomBeacons(t *testing.T) {
	runs := uint64(10_000)
	if testing.Short() {
		runs = 1_000
	}
	for seed := range runs {
		w := random(seed)
		w.beacons = true
		if seed%2 == 0 {
			w.crashes()
		}
		w.until = w.last() + cfg.Settling(len(w.graph), 2*unit)
		w.wantLeaders(t, w.run(t))
	}
}

// With the defaults of the catalogue the time to settle is 240 delays, and 8 for each process.
func TestSettling(t *testing.T) {
	for n := 1; n < 50; n++ {
		if got, want := cfg.Settling(n, unit), time.Duration(240+8*n)*unit; got != want {
			t.Errorf("%d processes settle within %v, want %v", n, got, want)
		}
	}
}

// Why a process that is told of links begins an election where the later leader is worse, and does not
// take the better one: that may be lost. Process 0 is, and 1 has begun an election. Before 2 hears of it, it
// meets 4, who has had more elections. 3 leaves and announces itself, and comes back.
func TestLeaderOfAnEarlierElectionMayBeLost(t *testing.T) {
	slow, err := impair.Parse("delay 5ms", nil)
	if err != nil {
		t.Fatal(err)
	}
	link, err := links.Parse("2->1")
	if err != nil {
		t.Fatal(err)
	}
	w := &world{
		graph: testnet.NewGraph(6, [][2]int{{0, 1}, {1, 2}, {1, 3}, {2, 4}, {4, 5}}),
		down:  [][2]protocols.ID{{2, 4}}, ranks: electiontest.Ranks(6, 1, 2, 5, 4, 3), start: []protocols.ID{1, 4},
		changes: []netem.Change{
			down(30, 4, 5), up(40, 4, 5), down(50, 4, 5), up(60, 4, 5), // 4 and 5 have had more elections
			up(98.5, 2, 4),
			down(100, 0, 1),
			down(101.5, 1, 3), up(102, 1, 3),
		},
		lines: []netem.Line{{Links: link, Line: slow}},
	}
	w.wantLeaders(t, w.run(t))
}

// Two components meet, and the earlier leader is the better one.
func TestTrace(t *testing.T) {
	var text bytes.Buffer
	w := &world{
		graph: testnet.NewGraph(4, [][2]int{{0, 1}, {1, 2}, {2, 3}}), down: [][2]protocols.ID{{1, 2}}, ranks: electiontest.Ranks(1, 4, 2, 3),
		start: []protocols.ID{0, 2}, changes: []netem.Change{up(10, 1, 2)}, trace: &text,
	}
	w.run(t)
	golden.Check(t, "merge.txt", text.Bytes())
}

func TestMessages(t *testing.T) {
	index := vkt.Index{Num: 2, Initiator: 7}
	rank := election.Rank{Attr: 0.5, ID: 5}
	for m, want := range map[vkt.Beaconed]struct {
		text, forged string
		bits         int
	}{
		{Type: vkt.Election, Index: index, Parent: -1}:          {"ELECTION(2.7,root)", "ELECTION(2.8,root)", 8 + 128 + 64},
		{Type: vkt.Election, Index: index, Parent: 3}:           {"ELECTION(2.7,under 3)", "ELECTION(2.8,under 3)", 8 + 128 + 64},
		{Type: vkt.Ack, Index: index, Best: rank}:               {"ACK(2.7,0.5:5)", "ACK(2.8,0.5:6)", 8 + 128 + 128},
		{Type: vkt.Leader, Index: index, Best: election.Rank{}}: {"LEADER(2.7,0)", "LEADER(2.8,1)", 8 + 128 + 64},
		{Type: vkt.Probe, Index: index}:                         {"PROBE(2.7)", "PROBE(2.8)", 8 + 128},
		{Type: vkt.Reply, Index: index}:                         {"REPLY(2.7)", "REPLY(2.8)", 8 + 128},
		{Type: vkt.Heartbeat, Best: rank, Beat: 4}:              {"HEARTBEAT(0.5:5,#4)", "HEARTBEAT(0.5:6,#4)", 8 + 128 + 64},
		{Type: vkt.Beacon}:                                      {"BEACON", "BEACON", 8},
	} {
		if m.String() != want.text || m.Bits() != want.bits {
			t.Errorf("%v has %d bits, want %s with %d", m, m.Bits(), want.text, want.bits)
		}
		if forged := m.Forge(func(id int64) int64 { return id + 1 }).String(); forged != want.forged {
			t.Errorf("%v forged is %s, want %s", m, forged, want.forged)
		}
		if protocols.IsBackground(m, m.Kind()) != (m.Type >= vkt.Heartbeat) {
			t.Errorf("%v: background or not is wrong", m)
		}
	}
}

func TestMistakesOfAProgramPanic(t *testing.T) {
	for words, broken := range map[string]func(*vkt.Config){
		"a beacon every 0s":    func(c *vkt.Config) { c.Beacon = 0 },
		"a heartbeat every 0s": func(c *vkt.Config) { c.Heartbeat = 0 },
		"0 misses":             func(c *vkt.Config) { c.Misses = 0 },
		"0 of the leader":      func(c *vkt.Config) { c.LeaderMisses = 0 },
	} {
		c := cfg
		broken(&c)
		electiontest.WantPanic(t, words, func() { vkt.NewBeacons(election.Rank{}, c) })
	}
	electiontest.WantPanic(t, "unknown type", func() {
		vkt.NewLinks(election.Rank{}, election.Max).Receive(nil, 0, vkt.Told{Type: vkt.Probe})
	})
	electiontest.WantPanic(t, "never sets timer 7", func() { vkt.NewBeacons(election.Rank{}, cfg).Timeout(nil, 7) })
}

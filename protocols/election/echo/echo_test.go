package echo_test

import (
	"bytes"
	"slices"
	"testing"

	"bullring/internal/golden"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/echo"
	"bullring/protocols/election/internal/electiontest"
	"bullring/protocols/internal/testnet"
)

// run elects among ranks, by address.
func run(t *testing.T, ranks []election.Rank, cfg echo.Config, nw electiontest.Network) electiontest.Result {
	t.Helper()
	return electiontest.Run(t, nw, func(id protocols.ID) election.Process[echo.Message] {
		return echo.New(ranks[id], cfg)
	})
}

// ascending are ranks that grow with the address.
func ascending(n int) []election.Rank { return electiontest.Ranks(electiontest.Increasing(n)...) }

// eccentricity of s, and whether two processes that far from it are neighbours.
func eccentricity(g testnet.Graph, s protocols.ID) (e int, neighbors bool) {
	d := g.Distances(s)
	e = slices.Max(d)
	for _, edge := range g.Edges() {
		neighbors = neighbors || d[edge[0]] == e && d[edge[1]] == e
	}
	return e, neighbors
}

// Tel, theorem 6.17: the echo algorithm exchanges 2E messages. With unit delays the
// wave is a breadth-first search: out in e, and back in as many; between two
// processes at distance e a token is under way at e still.
func TestOneInitiator(t *testing.T) {
	for n := 1; n <= 5; n++ {
		for g := range testnet.Graphs(n) {
			for _, s := range electiontest.All(n) {
				for _, announce := range []bool{false, true} {
					res := run(t, ascending(n), echo.Config{Announce: announce}, electiontest.Network{Topology: g, Start: []protocols.ID{s}})
					edges := len(g.Edges())
					want, elected := []int{2 * edges, 0}, 0
					e, neighbors := eccentricity(g, s)
					if elected = 2 * e; neighbors {
						elected++
					}
					learnt, quiet := elected, elected
					if announce {
						want[echo.Leader] = 2 * edges
						learnt += e
						quiet = learnt + min(e, 1)
					}
					if !slices.Equal(res.Sent, want) || res.Delivered != res.Total {
						t.Fatalf("%v from %d: sent %v, delivered %d, want %v", g, s, res.Sent, res.Delivered, want)
					}
					if res.Learnt != electiontest.Hops(learnt) || res.Quiet != electiontest.Hops(quiet) {
						t.Fatalf("%v from %d: learnt at %v, quiet at %v, want %d and %d hops", g, s, res.Learnt, res.Quiet, learnt, quiet)
					}
					wantLeader(t, res, ascending(n), announce, s)
				}
			}
		}
	}
}

func wantLeader(t *testing.T, res electiontest.Result, ranks []election.Rank, announce bool, leader protocols.ID) {
	t.Helper()
	if announce {
		electiontest.WantLeader(t, res, ranks, nil, leader)
		return
	}
	for p, d := range res.Decisions {
		want := election.Decision{}
		if protocols.ID(p) == leader {
			want = election.Decide(ranks[p].ID, ranks[p].ID)
		}
		if d != want {
			t.Fatalf("process %d decided %v, want %v", p, d, want)
		}
	}
}

// bestOf is the best of the initiators.
func bestOf(ranks []election.Rank, initiators []protocols.ID, order election.Order) protocols.ID {
	best := initiators[0]
	for _, s := range initiators {
		if order.Better(ranks[s], ranks[best]) {
			best = s
		}
	}
	return best
}

// Tel, section 7.3.1: of all waves that of the best initiator comes back alone, and
// k waves cost no more than k times what one does. On any graph, with any set of
// initiators, and under any schedule, FIFO or not.
func TestExtinction(t *testing.T) {
	most := 0.0
	for n := 2; n <= 4; n++ {
		for g := range testnet.Graphs(n) {
			for set := range electiontest.Subsets(n) {
				if len(set) == 0 {
					continue
				}
				for ranks := range electiontest.Placements(n) {
					check := func(nw electiontest.Network, order election.Order) {
						nw.Topology, nw.Start = g, set
						res := run(t, ranks, echo.Config{Announce: true, Order: order}, nw)
						edges := len(g.Edges())
						tokens := res.Sent[echo.Token]
						if tokens < 2*edges || tokens > 2*len(set)*edges || res.Sent[echo.Leader] != 2*edges || len(set) == 1 && tokens != 2*edges {
							t.Fatalf("%v, %v start: sent %v with %d edges", g, set, res.Sent, edges)
						}
						most = max(most, float64(tokens)/float64(2*len(set)*edges))
						electiontest.WantLeader(t, res, ranks, nil, bestOf(ranks, set, order))
					}
					check(electiontest.Network{}, election.Max)
					check(electiontest.Network{}, election.Min)
					if n < 4 {
						for nw := range electiontest.RandomDelays() {
							check(nw, election.Max)
						}
					}
				}
			}
		}
	}
	if most < 0.75 || most > 1 {
		t.Errorf("the dearest run sent %v of what the bound allows", most)
	}
}

// One wave is counted exactly under every schedule.
func TestAnyScheduleSendsTheSame(t *testing.T) {
	for seed := range uint64(5) {
		const n = 20
		g := electiontest.RandomGraph(n, 15, seed)
		for nw := range electiontest.RandomDelays() {
			nw.Topology, nw.Start = g, []protocols.ID{protocols.ID(seed)}
			res := run(t, ascending(n), echo.Config{Announce: true}, nw)
			if want := []int{2 * len(g.Edges()), 2 * len(g.Edges())}; !slices.Equal(res.Sent, want) {
				t.Fatalf("%v, %v: sent %v, want %v", g, nw.Delay, res.Sent, want)
			}
			electiontest.WantLeader(t, res, ascending(n), nil, protocols.ID(seed))
		}
	}
}

// On rings of one and two both ports lead to the same process.
func TestSmallRings(t *testing.T) {
	for n, want := range map[int][]int{1: {0, 0}, 2: {2, 2}} {
		res := run(t, ascending(n), echo.Config{Announce: true}, electiontest.Network{Topology: netem.BiRing(n), Start: []protocols.ID{0}})
		if !slices.Equal(res.Sent, want) {
			t.Errorf("n=%d: sent %v, want %v", n, res.Sent, want)
		}
		electiontest.WantLeader(t, res, ascending(n), nil, 0)
	}
}

// A process that a wave has reached is no initiator any more, however good it is; and
// an election is held once.
func TestTooLateToInitiate(t *testing.T) {
	line := testnet.NewGraph(3, [][2]int{{0, 1}, {1, 2}})
	res := run(t, ascending(3), echo.Config{Announce: true}, electiontest.Network{
		Topology: line,
		Start:    []protocols.ID{0},
		Again:    []electiontest.At{{ID: 2, Time: electiontest.Hops(3)}, {ID: 0, Time: electiontest.Hops(100)}},
	})
	if want := []int{4, 4}; !slices.Equal(res.Sent, want) {
		t.Errorf("sent %v, want %v", res.Sent, want)
	}
	electiontest.WantLeader(t, res, ascending(3), nil, 0)
}

func TestAttributeWinsBeforeIdentity(t *testing.T) {
	ranks := []election.Rank{{Attr: 1, ID: 9}, {Attr: 2, ID: 0}, {Attr: 2, ID: 1}, {Attr: 1, ID: 7}}
	res := run(t, ranks, echo.Config{Announce: true}, electiontest.Network{Topology: netem.Complete(4), Start: electiontest.All(4)})
	electiontest.WantLeader(t, res, ranks, nil, 2)
}

// A crash holds the echo up, and no process decides. (The model excludes crashes.)
func TestCrashHoldsTheEchoUp(t *testing.T) {
	res := run(t, ascending(4), echo.Config{Announce: true}, electiontest.Network{
		Topology: netem.BiRing(4),
		Start:    []protocols.ID{0},
		Crash:    []electiontest.At{{ID: 2, Time: electiontest.Hops(1)}},
	})
	for p, d := range res.Decisions {
		if d.Status != election.Undecided {
			t.Errorf("process %d decided %v", p, d)
		}
	}
}

// Two initiators on a line of four, 3 and 4: the wave of 4 puts an end to that of 3.
func TestTrace(t *testing.T) {
	var trace bytes.Buffer
	run(t, electiontest.Ranks(3, 1, 2, 4), echo.Config{Announce: true}, electiontest.Network{
		Topology: testnet.NewGraph(4, [][2]int{{0, 1}, {1, 2}, {2, 3}}),
		Start:    []protocols.ID{0, 3},
		Trace:    &trace,
	})
	golden.Check(t, "two-initiators.txt", trace.Bytes())
}

func TestMessages(t *testing.T) {
	for m, want := range map[echo.Message]struct {
		text string
		bits int
	}{
		{Type: echo.Token, Rank: election.Rank{ID: 5}}:             {"TOKEN(5)", 8 + 64},
		{Type: echo.Leader, Rank: election.Rank{Attr: 0.5, ID: 5}}: {"LEADER(0.5:5)", 8 + 128},
	} {
		if m.String() != want.text || m.Bits() != want.bits {
			t.Errorf("%v has %d bits, want %s with %d", m, m.Bits(), want.text, want.bits)
		}
		forged := m.Forge(func(id int64) int64 { return id + 1 })
		if forged.Type != m.Type || forged.Rank != (election.Rank{Attr: m.Rank.Attr, ID: 6}) {
			t.Errorf("%v forged is %v", m, forged)
		}
	}
}

func TestMistakesOfADriverPanic(t *testing.T) {
	for name, mistake := range map[string]func(*echo.Process){
		"a message of an unknown type": func(p *echo.Process) { p.Receive(nil, 0, echo.Message{Type: 7}) },
		"a timer":                      func(p *echo.Process) { p.Timeout(nil, 1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			mistake(echo.New(election.Rank{ID: 1}, echo.Config{}))
		}()
	}
}

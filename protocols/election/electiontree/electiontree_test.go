package electiontree_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"bullring/internal/golden"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/electiontree"
	"bullring/protocols/election/internal/electiontest"
	"bullring/protocols/internal/testnet"
)

// timeout is twice the delay of a link: what was sent by a process that is dead has
// arrived, and so has its answer.
const timeout = 2 * electiontest.Unit

// run elects among ranks, by address.
func run(t *testing.T, ranks []election.Rank, order election.Order, nw electiontest.Network) electiontest.Result {
	t.Helper()
	return electiontest.Run(t, nw, func(id protocols.ID) election.Process[electiontree.Message] {
		return electiontree.New(ranks[id], electiontree.Config{Timeout: timeout, Order: order})
	})
}

// One initiator: 2E-V+1 ELECTION, since every process sends one to all neighbours but its
// parent; each has its ACK; and V-1 LEADER. The time is that of the recurrence, from
// 2e to 2e+2.
func TestOneInitiator(t *testing.T) {
	for n := 1; n <= 5; n++ {
		ranks := electiontest.Ranks(electiontest.Increasing(n)...)
		for g := range testnet.Graphs(n) {
			for _, root := range electiontest.All(n) {
				res := run(t, ranks, election.Max, electiontest.Network{Topology: g, Start: []protocols.ID{root}})
				sent := 2*len(g.Edges()) - n + 1
				if want := []int{sent, sent, n - 1}; !slices.Equal(res.Sent, want) {
					t.Fatalf("%v from %d: sent %v, want %v", g, root, res.Sent, want)
				}
				c, e := electiontest.TreeDone(g, root, func(d, _ int) int { return d + 2 })
				if c < 2*e || c > 2*e+2 {
					t.Fatalf("%v from %d: done at %d, with eccentricity %d", g, root, c, e)
				}
				if res.Learnt != electiontest.Hops(c+e) || res.Quiet != electiontest.Hops(c+e) {
					t.Fatalf("%v from %d: learnt at %v, want %d hops", g, root, res.Learnt, c+e)
				}
				electiontest.WantLeader(t, res, ranks, nil, protocols.ID(n-1))
			}
		}
	}
}

// The count does not depend on the schedule.
func TestAnyScheduleSendsTheSame(t *testing.T) {
	for seed := range uint64(5) {
		const n = 20
		ranks := electiontest.Ranks(electiontest.Increasing(n)...)
		g := electiontest.RandomGraph(n, 15, seed)
		for nw := range electiontest.RandomDelays() {
			nw.Topology, nw.Start = g, []protocols.ID{protocols.ID(seed)}
			res := run(t, ranks, election.Max, nw)
			sent := 2*len(g.Edges()) - n + 1
			if want := []int{sent, sent, n - 1}; !slices.Equal(res.Sent, want) {
				t.Fatalf("%v, %v: sent %v, want %v", g, nw.Delay, res.Sent, want)
			}
			electiontest.WantLeader(t, res, ranks, nil, n-1)
		}
	}
}

// Of several elections that begin together that of the larger initiator goes on, and
// finds the best process wherever that is.
func TestSeveralInitiators(t *testing.T) {
	for n := 2; n <= 4; n++ {
		for g := range testnet.Graphs(n) {
			for set := range electiontest.Subsets(n) {
				if len(set) == 0 {
					continue
				}
				for ranks := range electiontest.Placements(n) {
					for _, order := range []election.Order{election.Max, election.Min} {
						res := run(t, ranks, order, electiontest.Network{Topology: g, Start: set})
						once, most := 2*len(g.Edges())-n+1, len(set)*(2*len(g.Edges())-n+1)
						for _, kind := range []electiontree.Type{electiontree.Election, electiontree.Ack} {
							if s := res.Sent[kind]; s < once || s > most {
								t.Fatalf("%v, %v start: sent %v, allowed are %d to %d", g, set, res.Sent, once, most)
							}
						}
						if res.Sent[electiontree.Leader] != n-1 {
							t.Fatalf("%v, %v start: sent %v", g, set, res.Sent)
						}
						electiontest.WantLeader(t, res, ranks, nil, electiontest.Best(ranks, order, nil))
					}
				}
			}
		}
	}
}

// The dead from the start are not asked: it is an election on what is left.
func TestDeadFromTheStart(t *testing.T) {
	ranks := electiontest.Ranks(1, 2, 3, 4, 5)
	res := run(t, ranks, election.Max, electiontest.Network{
		Topology: netem.BiRing(5),
		Dead:     []protocols.ID{4},
		Start:    []protocols.ID{0},
	})
	if want := []int{3, 3, 3}; !slices.Equal(res.Sent, want) { // a line of 4 with 3 edges
		t.Errorf("sent %v, want %v", res.Sent, want)
	}
	electiontest.WantLeader(t, res, ranks, []protocols.ID{4}, 3)
}

// With any crash at any time on the way, the others decide, and never for a process
// worse than one that lives: on every graph that the crash leaves connected, with
// every set of initiators.
func TestCrash(t *testing.T) {
	runs, again := 0, 0
	ranks := electiontest.Ranks(2, 4, 1, 3)
	for g := range testnet.Graphs(4) {
		for _, dead := range electiontest.All(4) {
			if !connectedWithout(g, dead) {
				continue
			}
			for set := range electiontest.Subsets(4) {
				for half := 1; half <= 20; half++ {
					res := run(t, ranks, election.Max, electiontest.Network{
						Topology: g,
						Start:    set,
						Crash:    []electiontest.At{{ID: dead, Time: time.Duration(half) * electiontest.Unit / 2}},
					})
					runs++
					if res.Sent[electiontree.Leader] > 3 {
						again++
					}
					if len(set) == 0 || len(set) == 1 && set[0] == dead && res.Delivered == 0 {
						continue
					}
					best := electiontest.Best(ranks, election.Max, []protocols.ID{dead})
					for p, d := range res.Decisions {
						if protocols.ID(p) == dead {
							continue
						}
						if d != election.Decide(ranks[p].ID, ranks[best].ID) && (d.Leader != ranks[dead].ID || election.Max.Better(ranks[best], ranks[dead])) {
							t.Fatalf("%v, %v start, %d dies at %d/2: process %d decided %v", g, set, dead, half, p, d)
						}
					}
				}
			}
		}
	}
	if again == 0 || runs < 10_000 {
		t.Errorf("%d of %d runs announced twice: too few to say anything", again, runs)
	}
}

func connectedWithout(g testnet.Graph, dead protocols.ID) bool {
	var rest testnet.Graph
	for p, neighbors := range g {
		kept := slices.DeleteFunc(slices.Clone(neighbors), func(q protocols.ID) bool { return q == dead || protocols.ID(p) == dead })
		rest = append(rest, kept)
	}
	from := protocols.ID(0)
	if dead == 0 {
		from = 1
	}
	unreached := 0
	for _, d := range rest.Distances(from) {
		if d < 0 {
			unreached++
		}
	}
	return unreached == 1
}

// When the leader has died, an election that is started finds the next best, and the
// round shows which election counts.
func TestLeaderDies(t *testing.T) {
	ranks := electiontest.Ranks(1, 2, 3, 4)
	res := run(t, ranks, election.Max, electiontest.Network{
		Topology: netem.Complete(4),
		Start:    []protocols.ID{0},
		Crash:    []electiontest.At{{ID: 3, Time: electiontest.Hops(20)}},
		Again:    []electiontest.At{{ID: 1, Time: electiontest.Hops(30)}},
	})
	if want := []int{9 + 4, 9 + 4, 3 + 2}; !slices.Equal(res.Sent, want) { // E = 6, then 3
		t.Errorf("sent %v, want %v", res.Sent, want)
	}
	electiontest.WantLeader(t, res, ranks, []protocols.ID{3}, 2)
}

// The paper's example of a battery: the attribute is compared first.
func TestAttributeWinsBeforeIdentity(t *testing.T) {
	ranks := []election.Rank{{Attr: 2, ID: 1}, {Attr: 1, ID: 9}, {Attr: 2, ID: 0}, {Attr: 1, ID: 7}}
	res := run(t, ranks, election.Max, electiontest.Network{Topology: netem.BiRing(4), Start: []protocols.ID{1}})
	electiontest.WantLeader(t, res, ranks, nil, 0)
}

func TestSmallRings(t *testing.T) {
	for n, want := range map[int][]int{1: {0, 0, 0}, 2: {1, 1, 1}} {
		ranks := electiontest.Ranks(electiontest.Increasing(n)...)
		res := run(t, ranks, election.Max, electiontest.Network{Topology: netem.BiRing(n), Start: []protocols.ID{0}})
		if !slices.Equal(res.Sent, want) {
			t.Errorf("n=%d: sent %v, want %v", n, res.Sent, want)
		}
		electiontest.WantLeader(t, res, ranks, nil, protocols.ID(n-1))
	}
}

// A triangle with a tail. ELECTION crosses between 1 and 2.
func TestTrace(t *testing.T) {
	trace(t, "triangle-and-tail.txt", electiontest.Network{
		Topology: testnet.NewGraph(4, [][2]int{{0, 1}, {0, 2}, {1, 2}, {2, 3}}),
	})
}

// A ring of four, in which a neighbour of the initiator dies before it reports.
func TestTraceOfACrash(t *testing.T) {
	trace(t, "crash.txt", electiontest.Network{
		Topology: netem.BiRing(4),
		Crash:    []electiontest.At{{ID: 1, Time: 3 * electiontest.Unit / 2}},
	})
}

func trace(t *testing.T, name string, nw electiontest.Network) {
	t.Helper()
	var text bytes.Buffer
	nw.Start, nw.Trace = []protocols.ID{0}, &text
	run(t, electiontest.Ranks(3, 1, 4, 2), election.Max, nw)
	golden.Check(t, name, text.Bytes())
}

func TestMessages(t *testing.T) {
	index := electiontree.Index{Round: 2, Initiator: 7}
	rank := election.Rank{ID: 5}
	for m, want := range map[electiontree.Message]struct {
		text, forged string
		bits         int
	}{
		{Type: electiontree.Election, Index: index}: {"ELECTION(2.7)", "ELECTION(2.8)", 8 + 128},
		{Type: electiontree.Ack, Index: index}:      {"ACK(2.7)", "ACK(2.8)", 8 + 128 + 8},
		{Type: electiontree.Ack, Index: index, Child: true, Broken: true, Best: rank}: {
			"ACK(2.7,5,broken)", "ACK(2.8,6,broken)", 8 + 128 + 8 + 64,
		},
		{Type: electiontree.Leader, Index: index, Best: election.Rank{Attr: 0.5, ID: 5}}: {
			"LEADER(2.7,0.5:5)", "LEADER(2.8,0.5:6)", 8 + 128 + 128,
		},
	} {
		if m.String() != want.text || m.Bits() != want.bits {
			t.Errorf("%v has %d bits, want %s with %d", m, m.Bits(), want.text, want.bits)
		}
		if forged := m.Forge(func(id int64) int64 { return id + 1 }).String(); forged != want.forged {
			t.Errorf("%v forged is %s, want %s", m, forged, want.forged)
		}
	}
}

func TestMistakesOfAProgramPanic(t *testing.T) {
	good := electiontree.Config{Timeout: timeout}
	for what, mistake := range map[string]func(){
		"must be positive": func() { electiontree.New(election.Rank{}, electiontree.Config{}) },
		"unknown type": func() {
			electiontree.New(election.Rank{}, good).Receive(nil, 0, electiontree.Message{Type: 7})
		},
		"waits for nothing": func() { electiontree.New(election.Rank{}, good).Timeout(nil, 0) },
	} {
		func() {
			defer func() {
				if r := recover(); r == nil || !strings.Contains(text(r), what) {
					t.Errorf("panics with %v, want %q", r, what)
				}
			}()
			mistake()
		}()
	}
}

// text is what a panic says.
func text(r any) string {
	if err, ok := r.(error); ok {
		return err.Error()
	}
	s, _ := r.(string)
	return s
}

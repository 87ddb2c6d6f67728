package floodmax_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"bullring/des"
	"bullring/internal/golden"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/floodmax"
	"bullring/protocols/election/internal/electiontest"
	"bullring/protocols/rounds"
)

// lockstep elects among ranks in rounds of one message time; all start.
func lockstep(t *testing.T, ranks []election.Rank, cfg floodmax.Config, nw electiontest.Network) electiontest.Result {
	t.Helper()
	nw.Start = electiontest.All(len(ranks))
	return electiontest.Run(t, nw, func(id protocols.ID) election.Process[rounds.Stamped[floodmax.Message]] {
		return electiontest.Lockstep(floodmax.New(ranks[id], cfg))
	})
}

// alpha elects among ranks on an asynchronous network.
func alpha(t *testing.T, ranks []election.Rank, cfg floodmax.Config, nw electiontest.Network) electiontest.Result {
	t.Helper()
	return electiontest.Run(t, nw, func(id protocols.ID) election.Process[rounds.AlphaMessage[floodmax.Message]] {
		return electiontest.Alpha(floodmax.New(ranks[id], cfg))
	})
}

type graph struct {
	netem.Topology
	diameter, links int
}

// graphs have n processes; links are directed.
func graphs(n int) []graph {
	return []graph{
		{netem.Ring(n), n - 1, n},
		{netem.BiRing(n), n / 2, 2 * n},
		{netem.Complete(n), min(n-1, 1), n * (n - 1)},
	}
}

// Lynch 1996, theorem 4.1: FloodMax elects in D rounds, with D*m messages: always as
// many, on a directed ring and on a complete graph n(n-1).
func TestSendsDTimesM(t *testing.T) {
	for n := 1; n <= 5; n++ {
		for ranks := range electiontest.Placements(n) {
			for _, g := range graphs(n) {
				res := lockstep(t, ranks, floodmax.Config{Diameter: g.diameter}, electiontest.Network{Topology: g})
				if res.Total != g.diameter*g.links {
					t.Fatalf("%v on %v: %d messages, want %d*%d", ranks, g, res.Total, g.diameter, g.links)
				}
				if want := electiontest.Hops(g.diameter); res.Learnt != want || res.Quiet != want {
					t.Fatalf("%v on %v: decided at %v, quiet at %v, want %v", ranks, g, res.Learnt, res.Quiet, want)
				}
				electiontest.WantLeader(t, res, ranks, nil, 0)
			}
		}
	}
}

// optimised is the sum over the processes of the out-degree times 1 + how often the
// maximum of the ball of radius 1..D-1 is another than that of the one before, from
// distances.
func optimised(ranks []election.Rank, g graph) int {
	if g.diameter == 0 {
		return 0
	}
	n := len(ranks)
	best := func(v, radius int) election.Rank { // of those that reach v in so many hops
		m := ranks[v]
		for u := range n {
			if distance(g, u, v) <= radius && ranks[u].Compare(m) > 0 {
				m = ranks[u]
			}
		}
		return m
	}
	sum := 0
	for v := range n {
		times := 1
		for r := 1; r < g.diameter; r++ {
			if best(v, r) != best(v, r-1) {
				times++
			}
		}
		sum += times * g.Degree(protocols.ID(v))
	}
	return sum
}

func distance(g graph, u, v int) int {
	n := g.Len()
	d := (v - u + n) % n
	switch g.String() {
	case "biring":
		return min(d, n-d)
	case "complete":
		return min(d, 1)
	}
	return d
}

// Lynch 1996, section 4.1.3: OptFloodMax sends what is news, and elects the same in
// the same time. On a directed ring that is LCR with hops capped at n-1.
func TestOptimisedSendsNews(t *testing.T) {
	for n := 1; n <= 6; n++ {
		for ranks := range electiontest.Placements(n) {
			for _, g := range graphs(n) {
				res := lockstep(t, ranks, floodmax.Config{Diameter: g.diameter, Optimised: true}, electiontest.Network{Topology: g})
				if want := optimised(ranks, g); res.Total != want || want > g.diameter*g.links {
					t.Fatalf("%v on %v: %d messages, want %d", ranks, g, res.Total, want)
				}
				if g.String() == "ring" && n > 1 && res.Total != electiontest.LCRProbes(ranks)-1 { // the best makes n-1 hops
					t.Fatalf("%v: %d messages, LCR %d", ranks, res.Total, electiontest.LCRProbes(ranks))
				}
				if want := electiontest.Hops(g.diameter); res.Learnt != want {
					t.Fatalf("%v on %v: decided at %v, want %v", ranks, g, res.Learnt, want)
				}
				electiontest.WantLeader(t, res, ranks, nil, 0)
			}
		}
	}
}

// Awerbuch 1985: behind the synchronizer every schedule elects the same with the same
// messages, and one ACK for each and one SAFE for each link and round more; any
// process may start.
func TestAlphaSendsTheSameOnEverySchedule(t *testing.T) {
	const n = 4
	for ranks := range electiontest.Placements(n) {
		for _, g := range graphs(n)[1:] {
			for _, opt := range []bool{false, true} {
				cfg := floodmax.Config{Diameter: g.diameter, Optimised: opt}
				messages := lockstep(t, ranks, cfg, electiontest.Network{Topology: g}).Total
				want := []int{messages, messages, g.diameter * g.links}
				for nw := range electiontest.RandomDelays() {
					nw.Topology = g
					nw.Start = [][]protocols.ID{electiontest.All(n), {2}, {0, 3}}[nw.Seed%3]
					res := alpha(t, ranks, cfg, nw)
					if !slices.Equal(res.Sent, want) {
						t.Fatalf("%v on %v, %v: sent %v, want %v", ranks, g, nw.Delay, res.Sent, want)
					}
					electiontest.WantLeader(t, res, ranks, nil, 0)
				}
			}
		}
	}
}

// With unit delays MAX, ACK and SAFE take turns: a round of alpha takes three.
func TestAlphaTakesThreeTimesAsLong(t *testing.T) {
	for n := 2; n <= 6; n++ {
		ranks := electiontest.Ranks([]int{3, 1, 6, 2, 5, 4}[:n]...)
		for _, g := range graphs(n)[1:] {
			res := alpha(t, ranks, floodmax.Config{Diameter: g.diameter}, electiontest.Network{Topology: g, Start: electiontest.All(n)})
			if want := electiontest.Hops(3 * g.diameter); res.Learnt != want || res.Quiet != want {
				t.Errorf("n=%d on %v: decided at %v, quiet at %v, want %v", n, g, res.Learnt, res.Quiet, want)
			}
		}
	}
}

// Delays within the round make no difference in lock-step.
func TestShorterDelays(t *testing.T) {
	ranks := electiontest.Ranks(4, 2, 5, 1, 3)
	for _, g := range graphs(5) {
		for _, opt := range []bool{false, true} {
			cfg := floodmax.Config{Diameter: g.diameter, Optimised: opt}
			want := lockstep(t, ranks, cfg, electiontest.Network{Topology: g})
			for _, delay := range []des.Distribution{des.Constant(0), des.Uniform(0, electiontest.Unit)} {
				for seed := range uint64(5) {
					res := lockstep(t, ranks, cfg, electiontest.Network{Topology: g, Delay: delay, Seed: seed})
					if res.Total != want.Total || res.Learnt != want.Learnt || !slices.Equal(res.Decisions, want.Decisions) {
						t.Fatalf("on %v, delay %v: %+v, want %+v", g, delay, res, want)
					}
				}
			}
		}
	}
}

// The best rank comes to the processes within D of it. With a D that is too small the
// processes elect the best near them: several leaders.
func TestDiameterTooSmall(t *testing.T) {
	ranks := electiontest.Ranks(6, 1, 2, 5, 3, 4)
	for d, want := range []int{6, 4, 2, 1, 1, 1} { // leaders: none better within D behind them
		res := lockstep(t, ranks, floodmax.Config{Diameter: d}, electiontest.Network{Topology: netem.Ring(6)})
		if res.Leaders != want {
			t.Errorf("D=%d: %d leaders, want %d", d, res.Leaders, want)
		}
	}
}

func TestMinMirrorsMax(t *testing.T) {
	for ranks := range electiontest.Placements(4) {
		for _, g := range graphs(4) {
			for _, opt := range []bool{false, true} {
				nw := electiontest.Network{Topology: g}
				a := lockstep(t, ranks, floodmax.Config{Diameter: g.diameter, Optimised: opt}, nw)
				b := lockstep(t, electiontest.Mirror(ranks), floodmax.Config{Diameter: g.diameter, Optimised: opt, Order: election.Min}, nw)
				if a.Total != b.Total || a.Learnt != b.Learnt {
					t.Fatalf("%v on %v: max %+v, min %+v", ranks, g, a, b)
				}
				electiontest.WantLeader(t, b, electiontest.Mirror(ranks), nil, 0)
			}
		}
	}
}

func TestMessage(t *testing.T) {
	m := floodmax.Message{Type: floodmax.Max, Rank: election.Rank{ID: 5}}
	if m.Kind() != 0 || !slices.Equal(m.Kinds(), []string{"MAX"}) || m.Bits() != 72 || m.String() != "MAX(5)" {
		t.Errorf("%v: kind %d of %v, %d bits", m, m.Kind(), m.Kinds(), m.Bits())
	}
	if forged := m.Forge(func(id int64) int64 { return id + 1 }); forged.Rank.ID != 6 {
		t.Errorf("forged: %v", forged)
	}
}

func TestNegativeDiameter(t *testing.T) {
	defer func() {
		if r := recover(); r == nil || !strings.Contains(fmt.Sprint(r), "a diameter of -1") {
			t.Errorf("panic %v", r)
		}
	}()
	floodmax.New(election.Rank{ID: 1}, floodmax.Config{Diameter: -1})
}

// OptFloodMax on a ring of four, in both forms: two rounds each.
func TestTrace(t *testing.T) {
	ranks := electiontest.Ranks(3, 1, 4, 2)
	cfg := floodmax.Config{Diameter: 2, Optimised: true}
	var trace bytes.Buffer
	lockstep(t, ranks, cfg, electiontest.Network{Topology: netem.BiRing(4), Trace: &trace})
	golden.Check(t, "lockstep.txt", trace.Bytes())
	trace.Reset()
	alpha(t, ranks[:3], floodmax.Config{Diameter: 1}, electiontest.Network{Topology: netem.Complete(3), Start: []protocols.ID{1}, Trace: &trace})
	golden.Check(t, "alpha.txt", trace.Bytes())
}

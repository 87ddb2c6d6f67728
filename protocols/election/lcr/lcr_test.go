package lcr_test

import (
	"bytes"
	"math/big"
	"slices"
	"testing"

	"bullring/internal/golden"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/internal/electiontest"
	"bullring/protocols/election/lcr"
)

// run elects among ranks, listed in the direction of travel; all start.
func run(t *testing.T, ranks []election.Rank, cfg lcr.Config, nw electiontest.Network) electiontest.Result {
	t.Helper()
	nw.Topology = netem.Ring(len(ranks))
	nw.Start = electiontest.All(len(ranks))
	return electiontest.Run(t, nw, func(id protocols.ID) election.Process[lcr.Message] {
		return lcr.New(ranks[id], cfg)
	})
}

// Lynch 1996, section 3.3: a process passes a token on exactly if it is better
// than its own, so a token makes as many hops as it is to the next better
// process, and the best one's makes n. The leader knows in round n+1, which is
// time n, and no other process decides.
func TestProbesGoToTheNextBetterProcess(t *testing.T) {
	for n := 1; n <= 7; n++ {
		for ranks := range electiontest.Placements(n) {
			res := run(t, ranks, lcr.Config{}, electiontest.Network{})
			if want := []int{electiontest.LCRProbes(ranks), 0}; !slices.Equal(res.Sent, want) {
				t.Fatalf("%v: sent %v, want %v", ranks, res.Sent, want)
			}
			if res.Delivered != res.Total {
				t.Fatalf("%v: delivered %d of %d", ranks, res.Delivered, res.Total)
			}
			if want := electiontest.Hops(n); res.Learnt != want || res.Quiet != want {
				t.Fatalf("%v: elected at %v, quiet at %v, want %v", ranks, res.Learnt, res.Quiet, want)
			}
			for id, d := range res.Decisions {
				want := election.Decision{}
				if id == 0 {
					want = election.Decide(ranks[0].ID, ranks[0].ID)
				}
				if d != want {
					t.Fatalf("%v: process %d decided %v, want %v", ranks, id, d, want)
				}
			}
		}
	}
}

// Chang and Roberts 1979: the best case is 2n-1 messages, the worst n(n+1)/2,
// the mean over all placements n*H_n; and the variance is 2n^2 - n*H_n -
// n^2*H_n^(2).
func TestCountsOverEveryPlacement(t *testing.T) {
	for n := 1; n <= 8; n++ {
		var tally electiontest.Tally
		for ranks := range electiontest.Placements(n) {
			tally.Add(run(t, ranks, lcr.Config{}, electiontest.Network{}).Total)
		}
		if tally.Min() != 2*n-1 || tally.Max() != n*(n+1)/2 {
			t.Errorf("n=%d: from %d to %d, want from %d to %d", n, tally.Min(), tally.Max(), 2*n-1, n*(n+1)/2)
		}
		rn := big.NewRat(int64(n), 1)
		nH := new(big.Rat).Mul(rn, electiontest.Harmonic(n, 1))
		if tally.Mean().Cmp(nH) != 0 {
			t.Errorf("n=%d: mean %v, want %v", n, tally.Mean(), nH)
		}
		nn := new(big.Rat).Mul(rn, rn)
		variance := new(big.Rat).Add(nn, nn)
		variance.Sub(variance, nH)
		variance.Sub(variance, nn.Mul(nn, electiontest.Harmonic(n, 2)))
		if tally.Variance().Cmp(variance) != 0 {
			t.Errorf("n=%d: variance %v, want %v", n, tally.Variance(), variance)
		}
		if n == 8 {
			want := []int64{1, 21, 140, 385, 616, 784, 694, 687, 478, 411, 255, 222, 127, 91, 50, 39, 17, 12, 5, 3, 1, 1}
			if got := tally.Histogram(); !slices.Equal(got, want) {
				t.Errorf("n=8: placements per count %v, want %v", got, want)
			}
		}
	}
}

// The extremes of section 3.3: ranks that improve in the direction of travel
// are swallowed at once, ranks that worsen travel to the best.
func TestBestAndWorstPlacement(t *testing.T) {
	const n = 50
	up, down := make([]int, n), make([]int, n)
	for i := range n {
		up[i], down[i] = i+1, n-i
	}
	if got := run(t, electiontest.Ranks(up...), lcr.Config{}, electiontest.Network{}).Total; got != 2*n-1 {
		t.Errorf("improving: %d messages, want %d", got, 2*n-1)
	}
	if got := run(t, electiontest.Ranks(down...), lcr.Config{}, electiontest.Network{}).Total; got != n*(n+1)/2 {
		t.Errorf("worsening: %d messages, want %d", got, n*(n+1)/2)
	}
}

// Lynch 1996, section 3.3, remark on halting: the leader's report costs n
// messages and n time more, every process decides, the last follower at 2n-1.
func TestAnnouncementCostsNMore(t *testing.T) {
	for n := 1; n <= 6; n++ {
		for ranks := range electiontest.Placements(n) {
			res := run(t, ranks, lcr.Config{Announce: true}, electiontest.Network{})
			if want := []int{electiontest.LCRProbes(ranks), n}; !slices.Equal(res.Sent, want) {
				t.Fatalf("%v: sent %v, want %v", ranks, res.Sent, want)
			}
			if learnt, quiet := electiontest.Hops(2*n-1), electiontest.Hops(2*n); res.Learnt != learnt || res.Quiet != quiet {
				t.Fatalf("%v: last learnt at %v, quiet at %v, want %v and %v", ranks, res.Learnt, res.Quiet, learnt, quiet)
			}
			electiontest.WantLeader(t, res, ranks, nil, 0)
		}
	}
}

// Electing the smallest is electing the largest of the complements.
func TestMinMirrorsMax(t *testing.T) {
	const n = 6
	for ranks := range electiontest.Placements(n) {
		a := run(t, ranks, lcr.Config{Announce: true}, electiontest.Network{})
		b := run(t, electiontest.Mirror(ranks), lcr.Config{Announce: true, Order: election.Min}, electiontest.Network{})
		if !slices.Equal(a.Sent, b.Sent) || a.Learnt != b.Learnt || b.Decisions[0].Status != election.Leader {
			t.Fatalf("%v: max %+v, min %+v", ranks, a, b)
		}
	}
}

// The attribute is compared first, the identity only on ties.
func TestAttributeWinsBeforeIdentity(t *testing.T) {
	ranks := []election.Rank{{Attr: 2, ID: 1}, {Attr: 1, ID: 9}, {Attr: 2, ID: 0}}
	res := run(t, ranks, lcr.Config{Announce: true}, electiontest.Network{})
	electiontest.WantLeader(t, res, ranks, nil, 0)
}

// A ring of FIFO links is a Kahn network: no schedule changes what is sent.
func TestAnyScheduleSendsTheSame(t *testing.T) {
	const n = 5
	for nw := range electiontest.RandomDelays() {
		for ranks := range electiontest.Placements(n) {
			res := run(t, ranks, lcr.Config{Announce: true}, nw)
			if want := []int{electiontest.LCRProbes(ranks), n}; !slices.Equal(res.Sent, want) {
				t.Fatalf("%v, %v: sent %v, want %v", ranks, nw.Delay, res.Sent, want)
			}
			electiontest.WantLeader(t, res, ranks, nil, 0)
		}
	}
}

// The ring does not survive the best process: its probe is lost, or finds it
// dead, the other probes end there too, and no process decides.
func TestBestDiesNobodyDecides(t *testing.T) {
	const n = 5
	for at := range n + 1 {
		for ranks := range electiontest.Placements(n) {
			res := run(t, ranks, lcr.Config{Announce: true}, electiontest.Network{
				Crash: []electiontest.At{{ID: 0, Time: electiontest.Hops(at)}},
			})
			for id, d := range res.Decisions {
				if d.Status != election.Undecided {
					t.Fatalf("%v, the best dies at %d: process %d decided %+v", ranks, at, id, d)
				}
			}
		}
	}
}

// blackHole is a ring node that takes every message.
type blackHole struct{ protocols.Node[lcr.Message] }

func (blackHole) Neighbor(int) protocols.ID      { return 1 }
func (blackHole) Send(protocols.ID, lcr.Message) {}

func TestHandlersDoNotAllocate(t *testing.T) {
	var node protocols.Node[lcr.Message] = blackHole{}
	p := lcr.New(election.Rank{ID: 5}, lcr.Config{Announce: true})
	allocs := testing.AllocsPerRun(100, func() {
		p.Start(node)
		for id := range election.Identity(10) {
			p.Receive(node, 0, lcr.Message{Type: lcr.Probe, Rank: election.Rank{ID: id}})
			p.Receive(node, 0, lcr.Message{Type: lcr.Announce, Rank: election.Rank{ID: id}})
		}
	})
	if allocs != 0 {
		t.Errorf("%v allocations, want none", allocs)
	}
}

// A ring of five, everything that happens: 5 leads, and says so.
func TestTrace(t *testing.T) {
	var trace bytes.Buffer
	run(t, electiontest.Ranks(3, 1, 4, 5, 2), lcr.Config{Announce: true}, electiontest.Network{Trace: &trace})
	golden.Check(t, "ring5.txt", trace.Bytes())
}

func TestMessageSizes(t *testing.T) {
	plain := lcr.Message{Type: lcr.Probe, Rank: election.Rank{ID: 5}}
	if plain.Bits() != 8+64 || plain.String() != "PROBE(5)" {
		t.Errorf("%v has %d bits", plain, plain.Bits())
	}
	attr := lcr.Message{Type: lcr.Announce, Rank: election.Rank{Attr: 0.5, ID: 5}}
	if attr.Bits() != 8+128 || attr.String() != "ANNOUNCE(0.5:5)" {
		t.Errorf("%v has %d bits", attr, attr.Bits())
	}
}

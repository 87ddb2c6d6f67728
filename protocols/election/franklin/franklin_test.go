package franklin_test

import (
	"bytes"
	"math/big"
	"math/bits"
	"slices"
	"testing"
	"time"

	"bullring/internal/golden"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/franklin"
	"bullring/protocols/election/internal/electiontest"
)

// run elects among ranks, by address.
func run(t *testing.T, ranks []election.Rank, cfg franklin.Config, nw electiontest.Network) electiontest.Result {
	t.Helper()
	nw.Topology = netem.BiRing(len(ranks))
	return electiontest.Run(t, nw, func(id protocols.ID) election.Process[franklin.Message] {
		return franklin.New(ranks[id], cfg)
	})
}

// all is the network in which every process starts.
func all(ranks []election.Rank) electiontest.Network {
	return electiontest.Network{Start: electiontest.All(len(ranks))}
}

// phases is P: one more than how often the local maxima of the cyclic list are kept.
func phases(ranks []election.Rank) int {
	p := 1
	for left := slices.Clone(ranks); len(left) > 1; p++ {
		var maxima []election.Rank
		for i, r := range left {
			if k := len(left); r.Compare(left[(i+1)%k]) > 0 && r.Compare(left[(i+k-1)%k]) > 0 {
				maxima = append(maxima, r)
			}
		}
		left = maxima
	}
	return p
}

// wantOnly fails the test unless the process at leader leads and no other has
// decided.
func wantOnly(t *testing.T, res electiontest.Result, ranks []election.Rank, leader protocols.ID) {
	t.Helper()
	for id, d := range res.Decisions {
		want := election.Decision{}
		if protocols.ID(id) == leader {
			want = election.Decide(ranks[leader].ID, ranks[leader].ID)
		}
		if d != want {
			t.Fatalf("%v: process %d decided %+v, want %+v", ranks, id, d, want)
		}
	}
}

// Franklin 1982: every phase takes 2N messages, the active processes of the next are
// the local maxima of this one, and at most every second one is; so there are no more
// than floor(lg N) + 1 phases, and that many on some ring of every size. The paper's
// 2N floor(lg N) + 3N has the announcement of N in it.
func TestTwoNMessagesAPhase(t *testing.T) {
	means := map[int]string{3: "12", 4: "56/3", 5: "80/3", 6: "172/5", 7: "1862/45", 8: "15136/315"}
	for n := 1; n <= 8; n++ {
		var tally electiontest.Tally
		for ranks := range electiontest.Placements(n) {
			res := run(t, ranks, franklin.Config{}, all(ranks))
			if want := []int{2 * n * phases(ranks), 0}; !slices.Equal(res.Sent, want) || res.Delivered != res.Total {
				t.Fatalf("%v: sent %v, delivered %d, want %v", ranks, res.Sent, res.Delivered, want)
			}
			wantOnly(t, res, ranks, 0)
			tally.Add(res.Total)
		}
		lo, hi := 4*n, 2*n*bits.Len(uint(n))
		if n == 1 {
			lo = 2
		}
		if tally.Min() != lo || tally.Max() != hi {
			t.Errorf("n=%d: from %d to %d, want from %d to %d", n, tally.Min(), tally.Max(), lo, hi)
		}
		if text, known := means[n]; known {
			if want, _ := new(big.Rat).SetString(text); tally.Mean().Cmp(want) != 0 {
				t.Errorf("n=%d: mean %v, want %v", n, tally.Mean(), want)
			}
		}
	}
}

// The announcement goes round once, and the leader absorbs it.
func TestAnnouncementCostsNMore(t *testing.T) {
	for n := 1; n <= 6; n++ {
		for ranks := range electiontest.Placements(n) {
			silent := run(t, ranks, franklin.Config{}, all(ranks))
			res := run(t, ranks, franklin.Config{Announce: true}, all(ranks))
			if want := []int{silent.Total, n}; !slices.Equal(res.Sent, want) {
				t.Fatalf("%v: sent %v, want %v", ranks, res.Sent, want)
			}
			if want := silent.Quiet + electiontest.Hops(n); res.Quiet != want {
				t.Fatalf("%v: quiet at %v, want %v", ranks, res.Quiet, want)
			}
			electiontest.WantLeader(t, res, ranks, nil, 0)
		}
	}
}

// A process that does not start is woken by the first message, and has sent its own rank when
// it reads that. What comes ahead of its phase waits. So the ring is a Kahn network
// with any initiators: no schedule changes what is sent.
func TestAnyScheduleAndInitiatorsSendTheSame(t *testing.T) {
	const n = 5
	for ranks := range electiontest.Placements(n) {
		want := []int{2 * n * phases(ranks), n}
		for set := range electiontest.Subsets(n) {
			if len(set) == 0 {
				continue
			}
			for nw := range electiontest.RandomDelays() {
				nw.Start = set
				got := run(t, ranks, franklin.Config{Announce: true}, nw)
				if !slices.Equal(got.Sent, want) {
					t.Fatalf("%v, %v initiate, %v: sent %v, want %v", ranks, set, nw.Delay, got.Sent, want)
				}
				electiontest.WantLeader(t, got, ranks, nil, 0)
			}
		}
	}
}

// Rings of one and two, where both neighbours are one process, under every order of
// what is under way that random delays make.
func TestSmallestRings(t *testing.T) {
	for n := 1; n <= 2; n++ {
		for ranks := range electiontest.Placements(n) {
			for nw := range electiontest.RandomDelays() {
				nw.Start = electiontest.All(1)
				if res := run(t, ranks, franklin.Config{}, nw); res.Total != 2*n*n {
					t.Errorf("n=%d: %d messages, want %d", n, res.Total, 2*n*n)
				}
			}
		}
	}
}

// A process that is awake begins nothing, during the election or after it.
func TestStartedTwice(t *testing.T) {
	ranks := electiontest.Ranks(3, 1, 4, 5, 2)
	res := run(t, ranks, franklin.Config{}, electiontest.Network{
		Start: []protocols.ID{0},
		Again: []electiontest.At{{ID: 0, Time: electiontest.Unit}, {ID: 3, Time: electiontest.Hops(4)}, {ID: 3, Time: time.Second}},
	})
	if want := 10 * phases(ranks); res.Total != want {
		t.Errorf("sent %d, want %d", res.Total, want)
	}
}

// Electing the smallest is electing the largest of the complements.
func TestMinMirrorsMax(t *testing.T) {
	const n = 6
	for ranks := range electiontest.Placements(n) {
		a := run(t, ranks, franklin.Config{}, all(ranks))
		b := run(t, electiontest.Mirror(ranks), franklin.Config{Order: election.Min}, all(ranks))
		if a.Total != b.Total || a.Learnt != b.Learnt || b.Decisions[0].Status != election.Leader {
			t.Fatalf("%v: max %+v, min %+v", ranks, a, b)
		}
	}
}

// The attribute is compared first, the identity only on ties.
func TestAttributeWinsBeforeIdentity(t *testing.T) {
	ranks := []election.Rank{{Attr: 2, ID: 1}, {Attr: 1, ID: 9}, {Attr: 2, ID: 0}, {Attr: 1, ID: 7}}
	wantOnly(t, run(t, ranks, franklin.Config{}, all(ranks)), ranks, 0)
}

func TestWhatCannotHappenPanics(t *testing.T) {
	p := franklin.New(election.Rank{ID: 5}, franklin.Config{})
	node := electiontest.Sink[franklin.Message]{}
	electiontest.WantPanic(t, "unknown type 2", func() { p.Receive(node, 0, franklin.Message{Type: 2}) })
	electiontest.WantPanic(t, "no leader is to be announced", func() { p.Receive(node, 0, franklin.Message{Type: franklin.Announce}) })
	electiontest.WantPanic(t, "timer 3 expired", func() { p.Timeout(node, 3) })
}

// A ring of four that takes three phases: 3 and 4 are left after the first.
func TestTrace(t *testing.T) {
	var trace bytes.Buffer
	ranks := electiontest.Ranks(3, 1, 4, 2)
	nw := all(ranks)
	nw.Trace = &trace
	run(t, ranks, franklin.Config{Announce: true}, nw)
	golden.Check(t, "ring4.txt", trace.Bytes())
}

func TestMessageSizes(t *testing.T) {
	for m, want := range map[franklin.Message]struct {
		text string
		bits int
	}{
		{Type: franklin.Probe, Way: election.With, Rank: election.Rank{ID: 5}}:               {"PROBE+(5)", 8 + 64},
		{Type: franklin.Probe, Way: election.Against, Rank: election.Rank{Attr: 0.5, ID: 5}}: {"PROBE-(0.5:5)", 8 + 128},
		{Type: franklin.Announce, Rank: election.Rank{ID: 7}}:                                {"ANNOUNCE(7)", 8 + 64},
	} {
		if m.String() != want.text || m.Bits() != want.bits {
			t.Errorf("%v has %d bits, want %s with %d", m, m.Bits(), want.text, want.bits)
		}
	}
}

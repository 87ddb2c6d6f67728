package changroberts_test

import (
	"bytes"
	"math/big"
	"slices"
	"testing"
	"time"

	"bullring/internal/golden"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/changroberts"
	"bullring/protocols/election/internal/electiontest"
)

// run elects among ranks, listed in the direction of travel.
func run(t *testing.T, ranks []election.Rank, cfg changroberts.Config, nw electiontest.Network) electiontest.Result {
	t.Helper()
	nw.Topology = netem.Ring(len(ranks))
	return electiontest.Run(t, nw, func(id protocols.ID) election.Process[changroberts.Message] {
		return changroberts.New(ranks[id], cfg)
	})
}

// Coulouris et al., section 15.3: with one initiator it takes N-1 messages at
// worst to reach the process with the best rank, N to bring that rank back to
// it and N to announce it. In general d + N + N, one after the other, with d
// the distance from the initiator to the best.
func TestOneInitiator(t *testing.T) {
	for n := 1; n <= 6; n++ {
		var tally electiontest.Tally
		for ranks := range electiontest.Placements(n) {
			for _, initiator := range electiontest.All(n) {
				d := (n - int(initiator)) % n // the best is at address 0
				res := run(t, ranks, changroberts.Config{}, electiontest.Network{Start: []protocols.ID{initiator}})
				if want := []int{n + d, n}; !slices.Equal(res.Sent, want) {
					t.Fatalf("%v, %d initiates: sent %v, want %v", ranks, initiator, res.Sent, want)
				}
				if res.Quiet != electiontest.Hops(2*n+d) {
					t.Fatalf("%v, %d initiates: quiet at %v, want %d hops", ranks, initiator, res.Quiet, 2*n+d)
				}
				electiontest.WantLeader(t, res, ranks, nil, 0)
				tally.Add(res.Total)
			}
		}
		if tally.Min() != 2*n || tally.Max() != 3*n-1 {
			t.Errorf("n=%d: from %d to %d, want from %d to %d", n, tally.Min(), tally.Max(), 2*n, 3*n-1)
		}
		if want := big.NewRat(int64(5*n-1), 2); tally.Mean().Cmp(want) != 0 {
			t.Errorf("n=%d: mean %v, want %v", n, tally.Mean(), want)
		}
	}
}

// Chang and Roberts 1979: if all begin, an identity travels to the next better
// one, n*H_n messages on average; announcing costs N more and the whole takes 2N.
func TestAllInitiate(t *testing.T) {
	for n := 1; n <= 7; n++ {
		var tally electiontest.Tally
		for ranks := range electiontest.Placements(n) {
			res := run(t, ranks, changroberts.Config{}, electiontest.Network{Start: electiontest.All(n)})
			if want := []int{electiontest.LCRProbes(ranks), n}; !slices.Equal(res.Sent, want) {
				t.Fatalf("%v: sent %v, want %v", ranks, res.Sent, want)
			}
			if res.Quiet != electiontest.Hops(2*n) {
				t.Fatalf("%v: quiet at %v, want %d hops", ranks, res.Quiet, 2*n)
			}
			electiontest.WantLeader(t, res, ranks, nil, 0)
			tally.Add(res.Total)
		}
		rn := big.NewRat(int64(n), 1)
		want := new(big.Rat).Mul(rn, electiontest.Harmonic(n, 1))
		if want.Add(want, rn); tally.Mean().Cmp(want) != 0 {
			t.Errorf("n=%d: mean %v, want %v", n, tally.Mean(), want)
		}
		if tally.Min() != 3*n-1 || tally.Max() != n*(n+3)/2 {
			t.Errorf("n=%d: from %d to %d, want from %d to %d", n, tally.Min(), tally.Max(), 3*n-1, n*(n+3)/2)
		}
	}
}

// The participant flag extinguishes concurrent elections (section 15.3): the
// exact mean over all placements and all sets of k initiators, k = 1..N.
func TestKInitiators(t *testing.T) {
	means := map[int][]string{
		4: {"19/2", "32/3", "139/12", "37/3"},
		5: {"12", "27/2", "44/3", "937/60", "197/12"},
		6: {"29/2", "49/3", "71/4", "189/10", "298/15", "207/10"},
	}
	for n, want := range means {
		tallies := make([]electiontest.Tally, n)
		for ranks := range electiontest.Placements(n) {
			for set := range electiontest.Subsets(n) {
				if len(set) == 0 {
					continue
				}
				res := run(t, ranks, changroberts.Config{}, electiontest.Network{Start: set})
				if res.Sent[changroberts.Elected] != n {
					t.Fatalf("%v, %v initiate: %d ELECTED, want %d", ranks, set, res.Sent[changroberts.Elected], n)
				}
				electiontest.WantLeader(t, res, ranks, nil, 0)
				tallies[len(set)-1].Add(res.Total)
			}
		}
		for i, tally := range tallies {
			if got := tally.Mean().RatString(); got != want[i] {
				t.Errorf("n=%d, %d initiators: mean %v, want %v", n, i+1, got, want[i])
			}
		}
	}
}

// ELECTED makes every process a non-participant again: the next election costs
// what the first did.
func TestNextElection(t *testing.T) {
	ranks := electiontest.Ranks(3, 1, 4, 5, 2)
	once := run(t, ranks, changroberts.Config{}, electiontest.Network{Start: []protocols.ID{1}})
	twice := run(t, ranks, changroberts.Config{}, electiontest.Network{
		Start: []protocols.ID{1},
		Again: []electiontest.At{{ID: 1, Time: time.Second}},
	})
	if twice.Total != 2*once.Total {
		t.Errorf("two elections sent %d, one %d", twice.Total, once.Total)
	}
	electiontest.WantLeader(t, twice, ranks, nil, 3)
}

// A process that an ELECTION has passed is a participant and begins none.
func TestParticipantDoesNotBegin(t *testing.T) {
	ranks := electiontest.Ranks(5, 1, 2, 3, 4)
	res := run(t, ranks, changroberts.Config{}, electiontest.Network{
		Start: []protocols.ID{0},
		Again: []electiontest.At{{ID: 1, Time: electiontest.Hops(2)}, {ID: 0, Time: electiontest.Hops(3)}},
	})
	if res.Total != 10 {
		t.Errorf("%d messages, want 10", res.Total)
	}
}

// Electing the smallest is electing the largest of the complements.
func TestMinMirrorsMax(t *testing.T) {
	const n = 5
	for ranks := range electiontest.Placements(n) {
		for set := range electiontest.Subsets(n) {
			nw := electiontest.Network{Start: set}
			a := run(t, ranks, changroberts.Config{}, nw)
			b := run(t, electiontest.Mirror(ranks), changroberts.Config{Order: election.Min}, nw)
			if !slices.Equal(a.Sent, b.Sent) || a.Learnt != b.Learnt {
				t.Fatalf("%v, %v initiate: max %+v, min %+v", ranks, set, a, b)
			}
		}
	}
}

// A ring of FIFO links is a Kahn network: no schedule changes what is sent, as
// long as the initiators start before anything reaches them.
func TestAnyScheduleSendsTheSame(t *testing.T) {
	const n = 5
	for ranks := range electiontest.Placements(n) {
		for set := range electiontest.Subsets(n) {
			if len(set) == 0 {
				continue
			}
			want := run(t, ranks, changroberts.Config{}, electiontest.Network{Start: set})
			for nw := range electiontest.RandomDelays() {
				nw.Start = set
				got := run(t, ranks, changroberts.Config{}, nw)
				if !slices.Equal(got.Sent, want.Sent) {
					t.Fatalf("%v, %v initiate, %v: sent %v, want %v", ranks, set, nw.Delay, got.Sent, want.Sent)
				}
				electiontest.WantLeader(t, got, ranks, nil, 0)
			}
		}
	}
}

// The failure that the ring does not survive: the best dies before its rank
// returns, and the election dies with it. No process decides.
func TestBestDiesNobodyDecides(t *testing.T) {
	ranks := electiontest.Ranks(5, 1, 2, 3, 4)
	res := run(t, ranks, changroberts.Config{}, electiontest.Network{
		Start: []protocols.ID{0},
		Crash: []electiontest.At{{ID: 0, Time: electiontest.Hops(2)}},
	})
	for id, d := range res.Decisions {
		if d.Status != election.Undecided {
			t.Errorf("process %d decided %+v", id, d)
		}
	}
	if res.ToDead != 1 {
		t.Errorf("%d messages to the dead, want 1", res.ToDead)
	}
}

// Two initiators on a ring of five, 3 and 1: 4 takes part in 1's election when
// 3's arrives, and discards that.
func TestTrace(t *testing.T) {
	var trace bytes.Buffer
	run(t, electiontest.Ranks(3, 1, 4, 5, 2), changroberts.Config{}, electiontest.Network{
		Start: []protocols.ID{0, 1},
		Trace: &trace,
	})
	golden.Check(t, "two-initiators.txt", trace.Bytes())
}

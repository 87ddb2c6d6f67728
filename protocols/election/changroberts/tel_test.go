package changroberts_test

import (
	"bytes"
	"math/big"
	"slices"
	"testing"
	"time"

	"bullring/internal/golden"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/changroberts"
	"bullring/protocols/election/internal/electiontest"
)

var tel = changroberts.Config{Tel: true}

// telElections is the sum over the initiators of the distance to the next better
// initiator, n for the best.
func telElections(ranks []election.Rank, initiators []protocols.ID) int {
	n, sum := len(ranks), 0
	for _, p := range initiators {
		hops := 1
		for ; hops < n; hops++ {
			q := (int(p) + hops) % n
			if slices.Contains(initiators, protocols.ID(q)) && ranks[q].Compare(ranks[p]) > 0 {
				break
			}
		}
		sum += hops
	}
	return sum
}

// Tel, section 7.2: non-initiators relay everything and the best initiator is elected.
// Over all placements and sets of k initiators ELECTION is sent N*H_k times on average;
// and everything is over at 2N.
func TestTelsFormElectsTheBestInitiator(t *testing.T) {
	for n := 1; n <= 6; n++ {
		tallies := make([]electiontest.Tally, n)
		for ranks := range electiontest.Placements(n) {
			for set := range electiontest.Subsets(n) {
				if len(set) == 0 {
					continue
				}
				res := run(t, ranks, tel, electiontest.Network{Start: set})
				if want := []int{telElections(ranks, set), n}; !slices.Equal(res.Sent, want) {
					t.Fatalf("%v, %v initiate: sent %v, want %v", ranks, set, res.Sent, want)
				}
				if res.Quiet != electiontest.Hops(2*n) {
					t.Fatalf("%v, %v initiate: quiet at %v, want %d hops", ranks, set, res.Quiet, 2*n)
				}
				electiontest.WantLeader(t, res, ranks, nil, bestOf(ranks, set))
				tallies[len(set)-1].Add(res.Sent[changroberts.Election])
			}
		}
		for i, tally := range tallies {
			k := i + 1
			want := new(big.Rat).Mul(big.NewRat(int64(n), 1), electiontest.Harmonic(k, 1))
			if tally.Mean().Cmp(want) != 0 || tally.Min() != n+k-1 || tally.Max() != k*n-k*(k-1)/2 {
				t.Errorf("n=%d, %d initiators: from %d to %d, mean %v, want from %d to %d, mean %v", n, k, tally.Min(), tally.Max(), tally.Mean(), n+k-1, k*n-k*(k-1)/2, want)
			}
		}
	}
}

// bestOf is the address of the best of these.
func bestOf(ranks []election.Rank, set []protocols.ID) protocols.ID {
	return slices.MaxFunc(set, func(p, q protocols.ID) int { return ranks[p].Compare(ranks[q]) })
}

func TestTelsFormSendsTheSameUnderAnySchedule(t *testing.T) {
	const n = 5
	for ranks := range electiontest.Placements(n) {
		for set := range electiontest.Subsets(n) {
			if len(set) == 0 {
				continue
			}
			for nw := range electiontest.RandomDelays() {
				nw.Start = set
				got := run(t, ranks, tel, nw)
				if want := []int{telElections(ranks, set), n}; !slices.Equal(got.Sent, want) {
					t.Fatalf("%v, %v initiate, %v: sent %v, want %v", ranks, set, nw.Delay, got.Sent, want)
				}
				electiontest.WantLeader(t, got, ranks, nil, bestOf(ranks, set))
			}
		}
	}
}

// A process that a message reaches before it starts is no initiator, not even when all is
// over.
func TestTelsFormStartedTooLate(t *testing.T) {
	ranks := electiontest.Ranks(3, 5, 4, 1)
	res := run(t, ranks, tel, electiontest.Network{
		Start: []protocols.ID{0, 3},
		Again: []electiontest.At{{ID: 1, Time: electiontest.Hops(2)}, {ID: 0, Time: time.Second}, {ID: 2, Time: time.Second}},
	})
	if want := []int{telElections(ranks, []protocols.ID{0, 3}), 4}; !slices.Equal(res.Sent, want) {
		t.Errorf("sent %v, want %v", res.Sent, want)
	}
	electiontest.WantLeader(t, res, ranks, nil, 0)
}

// The initiators 3 and 1 of the other trace: 5 relays, and 3 leads.
func TestTraceOfTelsForm(t *testing.T) {
	var trace bytes.Buffer
	run(t, electiontest.Ranks(3, 1, 4, 5, 2), tel, electiontest.Network{Start: []protocols.ID{0, 1}, Trace: &trace})
	golden.Check(t, "two-initiators-tel.txt", trace.Bytes())
}

package electiontest

import (
	"iter"
	"slices"
	"testing"

	"bullring/des"
	"bullring/protocols"
	"bullring/protocols/election"
)

// LCRProbes is the sum of the distances from each rank to the next larger one, and n for
// the largest. Ranks are listed in the direction of travel.
func LCRProbes(ranks []election.Rank) int {
	n, sum := len(ranks), 0
	for i, r := range ranks {
		hops := 1
		for hops < n && ranks[(i+hops)%n].Compare(r) < 0 {
			hops++
		}
		sum += hops
	}
	return sum
}

// Mirror replaces every identity by its complement. That reverses the order.
func Mirror(ranks []election.Rank) []election.Rank {
	mirrored := make([]election.Rank, len(ranks))
	for i, r := range ranks {
		mirrored[i] = election.Rank{Attr: -r.Attr, ID: election.Identity(len(ranks)) + 1 - r.ID}
	}
	return mirrored
}

// WantLeader fails the test unless every process but the dead follows the process at
// leader.
func WantLeader(t testing.TB, res Result, ranks []election.Rank, dead []protocols.ID, leader protocols.ID) {
	t.Helper()
	for i, d := range res.Decisions {
		if slices.Contains(dead, protocols.ID(i)) {
			continue
		}
		if want := election.Decide(ranks[i].ID, ranks[leader].ID); d != want {
			t.Fatalf("ranks %v, dead %v: process %d decided %+v, want %+v", ranks, dead, i, d, want)
		}
	}
}

// RandomDelays yields networks whose links have random delays and are FIFO,
// several seeds for each of two distributions.
func RandomDelays() iter.Seq[Network] {
	return func(yield func(Network) bool) {
		for _, delay := range []des.Distribution{des.Uniform(0, Hops(10)), des.Exponential(Unit)} {
			for seed := range uint64(3) {
				if !yield(Network{Delay: delay, Seed: seed + 1}) {
					return
				}
			}
		}
	}
}

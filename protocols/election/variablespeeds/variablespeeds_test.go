package variablespeeds_test

import (
	"bytes"
	"slices"
	"testing"

	"bullring/des"
	"bullring/internal/golden"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/internal/electiontest"
	"bullring/protocols/election/variablespeeds"
	"bullring/protocols/rounds"
)

// run elects among identities, listed in the direction of travel; all start.
func run(t *testing.T, ranks []election.Rank, nw electiontest.Network) electiontest.Result {
	t.Helper()
	nw.Topology, nw.Start = netem.Ring(len(ranks)), electiontest.All(len(ranks))
	return electiontest.Run(t, nw, func(id protocols.ID) election.Process[rounds.Stamped[variablespeeds.Message]] {
		return electiontest.Lockstep(variablespeeds.New(ranks[id].ID))
	})
}

// hops runs the algorithm round by round as Lynch states it: in every round each
// process looks at what it has, and counts down.
func hops(ranks []election.Rank) (messages, rounds int) {
	n := len(ranks)
	least, left, arriving := make([]int, n), make([]int, n), make([]int, n)
	for i, r := range ranks {
		least[i], left[i] = int(r.ID), 1<<r.ID-1
	}
	for {
		clear(arriving)
		for i := range n { // messages
			if left[i] == 0 {
				arriving[(i+1)%n] = least[i]
				messages++
			}
			left[i]--
		}
		rounds++
		for i, token := range arriving { // transitions
			switch {
			case token == 0:
			case token == int(ranks[i].ID):
				return messages, rounds
			case token < least[i]:
				least[i], left[i] = token, 1<<token-1
			}
		}
	}
}

// Lynch 1996, section 3.5.2: fewer than 2n messages, n*2^u_min rounds: hop h of token
// v arrives at time h*2^v. Only the leader decides.
func TestFewMessages(t *testing.T) {
	for n := 1; n <= 6; n++ {
		for placed := range electiontest.Placements(n) {
			for _, least := range []int{1, 3} {
				ranks := electiontest.Mirror(placed) // 1 at address 0
				for i := range ranks {
					ranks[i].ID += election.Identity(least - 1)
				}
				messages, rounds := hops(ranks)
				if rounds != n<<least || messages >= 2*n {
					t.Fatalf("%v: %d rounds, want %d; %d messages, want fewer than %d", ranks, rounds, n<<least, messages, 2*n)
				}
				res := run(t, ranks, electiontest.Network{})
				if res.Total != messages || res.Learnt != electiontest.Hops(rounds) || res.Quiet != res.Learnt {
					t.Fatalf("%v: %d messages, decided at %v, quiet at %v; want %d and %d rounds", ranks, res.Total, res.Learnt, res.Quiet, messages, rounds)
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
}

// Identities that would be silent for millennia do no harm beside a small one.
func TestLargeIdentities(t *testing.T) {
	ranks := electiontest.Ranks(2, 0, 63, 40)
	ranks[1].ID = 1 << 40
	if res := run(t, ranks, electiontest.Network{}); res.Total != 4 || res.Learnt != electiontest.Hops(16) {
		t.Errorf("%+v", res)
	}
}

// Shorter delays make tokens faster, and do not change the winner.
func TestShorterDelays(t *testing.T) {
	ranks := electiontest.Ranks(1, 3, 2, 4)
	for _, delay := range []des.Distribution{des.Constant(0), des.Uniform(0, electiontest.Unit)} {
		for seed := range uint64(10) {
			res := run(t, ranks, electiontest.Network{Delay: delay, Seed: seed})
			if res.Decisions[0].Status != election.Leader || res.Leaders != 1 || res.Learnt > electiontest.Hops(8) {
				t.Fatalf("delay %v: %+v", delay, res)
			}
		}
	}
}

func TestMessage(t *testing.T) {
	m := variablespeeds.Message{Type: variablespeeds.Token, Rank: election.Rank{ID: 5}}
	if m.Kind() != 0 || !slices.Equal(m.Kinds(), []string{"TOKEN"}) || m.Bits() != 72 || m.String() != "TOKEN(5)" {
		t.Errorf("%v: kind %d of %v, %d bits", m, m.Kind(), m.Kinds(), m.Bits())
	}
	if forged := m.Forge(func(id int64) int64 { return id + 1 }); forged.Rank.ID != 6 {
		t.Errorf("forged: %v", forged)
	}
}

func TestTrace(t *testing.T) {
	var trace bytes.Buffer
	run(t, electiontest.Ranks(3, 2, 4, 1), electiontest.Network{Trace: &trace})
	golden.Check(t, "ring4.txt", trace.Bytes())
}

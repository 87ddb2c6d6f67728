package peterson_test

import (
	"bytes"
	"math"
	"math/big"
	"slices"
	"testing"

	"bullring/internal/golden"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/internal/electiontest"
	"bullring/protocols/election/peterson"
)

// Peterson 1982, the first program: it passes the better of two identities on where
// Dolev, Klawe and Rodeh pass the one that came, and who receives its own identity is
// elected, so it never sends more; from 3n-1, the exact means over all placements.
func TestFirstSendsNoMoreAndElectsTheOwner(t *testing.T) {
	means := map[int]string{2: "5", 3: "8", 4: "38/3", 5: "55/3", 6: "121/5", 7: "269/9", 8: "745/21"}
	for n := 1; n <= 8; n++ {
		var tally electiontest.Tally
		for ranks := range electiontest.Placements(n) {
			res := run(t, ranks, peterson.Config{Program: peterson.First}, all(ranks))
			before := res.Sent[peterson.One] + res.Sent[peterson.Two]
			if dkr := franklin(ranks) - n; before > dkr || res.Sent[peterson.Winner] != n || res.Delivered != res.Total {
				t.Fatalf("%v: sent %v, delivered %d; Dolev, Klawe and Rodeh's sends %d", ranks, res.Sent, res.Delivered, dkr)
			}
			electiontest.WantLeader(t, res, ranks, nil, 0)
			// The owner is the first to know, the process before it the last.
			if res.Learnt != res.Quiet-electiontest.Unit && n > 1 {
				t.Fatalf("%v: the last learns at %v, quiet at %v", ranks, res.Learnt, res.Quiet)
			}
			tally.Add(before)
		}
		if lo := 3*n - 1; n > 1 && tally.Min() != lo {
			t.Errorf("n=%d: at least %d, want %d", n, tally.Min(), lo)
		}
		if text, known := means[n]; known {
			if want, _ := new(big.Rat).SetString(text); tally.Mean().Cmp(want) != 0 {
				t.Errorf("n=%d: mean %v, want %v", n, tally.Mean(), want)
			}
		}
	}
}

// improvedRounds is P': the ranks that beat the next one are kept, then those of them
// that beat the one before, and so on until one is left, which takes a round more.
func improvedRounds(ranks []election.Rank) int {
	rounds, step := 1, 1
	for left := slices.Clone(ranks); len(left) > 1; rounds++ {
		var kept []election.Rank
		for i, r := range left {
			if k := len(left); r.Compare(left[(i+k+step)%k]) > 0 {
				kept = append(kept, r)
			}
		}
		left, step = kept, -step
	}
	return rounds
}

// fibonacci are Fib(0), Fib(1) and so on.
var fibonacci = []int{0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89}

// Peterson 1982, the improved program: n messages a round, and what goes on in one
// round has outlived another rank in the one before. So P' rounds are possible if and
// only if n >= Fib(P'+1), and 1.44 n lg n messages are enough: 1.44 is 1/lg phi.
func TestImprovedRoundsAreFibonacci(t *testing.T) {
	for n := 1; n <= 8; n++ {
		most := 0
		for ranks := range electiontest.Placements(n) {
			res := run(t, ranks, peterson.Config{Program: peterson.Improved}, all(ranks))
			rounds := improvedRounds(ranks)
			if want := []int{n * ((rounds + 1) / 2), n * (rounds / 2), n}; !slices.Equal(res.Sent, want) || res.Delivered != res.Total {
				t.Fatalf("%v: sent %v, delivered %d, want %v", ranks, res.Sent, res.Delivered, want)
			}
			electiontest.WantLeader(t, res, ranks, nil, 0)
			most = max(most, rounds)
		}
		if fibonacci[most+1] > n || fibonacci[most+2] <= n {
			t.Errorf("n=%d: up to %d rounds", n, most)
		}
		if bound := float64(n)*math.Log2(float64(n))/math.Log2(math.Phi) + float64(n); float64(n*most) > bound {
			t.Errorf("n=%d: %d messages, want %v at most", n, n*most, bound)
		}
	}
}

// Both of Peterson's programs are Kahn networks as well, with any initiators: a process
// has sent its own rank when it reads anything.
func TestAnyScheduleAndInitiatorsSendTheSameInPetersonsPrograms(t *testing.T) {
	const n = 5
	for _, program := range []peterson.Program{peterson.First, peterson.Improved} {
		cfg := peterson.Config{Program: program}
		for ranks := range electiontest.Placements(n) {
			want := run(t, ranks, cfg, all(ranks)).Sent
			for set := range electiontest.Subsets(n) {
				if len(set) == 0 {
					continue
				}
				for nw := range electiontest.RandomDelays() {
					nw.Start = set
					got := run(t, ranks, cfg, nw)
					if !slices.Equal(got.Sent, want) {
						t.Fatalf("%v, %v initiate, %v: sent %v, want %v", ranks, set, nw.Delay, got.Sent, want)
					}
					electiontest.WantLeader(t, got, ranks, nil, 0)
				}
			}
		}
	}
}

// Electing the smallest is electing the largest of the complements.
func TestMinMirrorsMaxInPetersonsPrograms(t *testing.T) {
	const n = 6
	for _, program := range []peterson.Program{peterson.First, peterson.Improved} {
		for ranks := range electiontest.Placements(n) {
			a := run(t, ranks, peterson.Config{Program: program}, all(ranks))
			b := run(t, electiontest.Mirror(ranks), peterson.Config{Program: program, Order: election.Min}, all(ranks))
			if !slices.Equal(a.Sent, b.Sent) || a.Learnt != b.Learnt || b.Decisions[0].Status != election.Leader {
				t.Fatalf("%v: max %+v, min %+v", ranks, a, b)
			}
		}
	}
}

func TestHandlersOfPetersonsProgramsDoNotAllocate(t *testing.T) {
	var node protocols.Node[peterson.Message] = blackHole{}
	for _, program := range []peterson.Program{peterson.First, peterson.Improved} {
		fresh, p := *peterson.New(election.Rank{ID: 5}, peterson.Config{Program: program}), new(peterson.Process)
		allocs := testing.AllocsPerRun(100, func() {
			*p = fresh
			p.Start(node)
			for _, ids := range [][2]election.Identity{{8, 3}, {2, 9}, {4, 1}} { // goes on, retires, passes on
				p.Receive(node, 0, peterson.Message{Type: peterson.One, Rank: election.Rank{ID: ids[0]}})
				p.Receive(node, 0, peterson.Message{Type: peterson.Two, Rank: election.Rank{ID: ids[1]}})
			}
		})
		if allocs != 0 {
			t.Errorf("program %d: %v allocations, want none", program, allocs)
		}
	}
}

func TestWhatCannotHappenPanics(t *testing.T) {
	for _, program := range []peterson.Program{peterson.DKR, peterson.First, peterson.Improved} {
		p := peterson.New(election.Rank{ID: 5}, peterson.Config{Program: program})
		electiontest.WantPanic(t, "unknown type 3", func() { p.Receive(blackHole{}, 0, peterson.Message{Type: 3}) })
		electiontest.WantPanic(t, "timer 3 expired", func() { p.Timeout(blackHole{}, 3) })
	}
}

// Two processes are active in the second round of either program on this ring of four.
func TestTracesOfPetersonsPrograms(t *testing.T) {
	for name, program := range map[string]peterson.Program{"ring4-first.txt": peterson.First, "ring4-improved.txt": peterson.Improved} {
		var trace bytes.Buffer
		nw := all(electiontest.Ranks(3, 1, 4, 2))
		nw.Trace = &trace
		run(t, electiontest.Ranks(3, 1, 4, 2), peterson.Config{Program: program}, nw)
		golden.Check(t, name, trace.Bytes())
	}
}

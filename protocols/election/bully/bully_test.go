package bully_test

import (
	"bytes"
	"math/big"
	"slices"
	"testing"
	"time"

	"bullring/des"
	"bullring/internal/golden"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/bully"
	"bullring/protocols/election/internal/electiontest"
)

const (
	a = bully.All
	b = bully.SkipCoordinator
	c = bully.PerfectDetector
)

var conventions = []bully.Convention{a, b, c}

// run elects among ranks by address. Transmission is one link delay.
func run(t *testing.T, ranks []election.Rank, cfg bully.Config, nw electiontest.Network) electiontest.Result {
	t.Helper()
	cfg.Transmission = electiontest.Unit
	nw.Topology = netem.Complete(len(ranks))
	return electiontest.Run(t, nw, func(id protocols.ID) election.Process[bully.Message] {
		return bully.New(id, ranks, cfg)
	})
}

// ascending is the ranks 1..n: address i has rank i+1.
func ascending(n int) []election.Rank {
	ids := make([]int, n)
	for i := range ids {
		ids[i] = i + 1
	}
	return electiontest.Ranks(ids...)
}

// want is the exact count by kind for any dead set and a set of detectors that
// are all below, or all alive: P is the detectors and the living above the
// lowest of them, M the best living process.
func want(ranks []election.Rank, conv bully.Convention, dead, detectors []protocols.ID) []int {
	n := len(ranks)
	lowest := slices.MinFunc(detectors, func(x, y protocols.ID) int { return ranks[x].Compare(ranks[y]) })
	top := electiontest.Best(ranks, election.Max, nil)
	best := electiontest.Best(ranks, election.Max, dead)
	counts := func(q protocols.ID) bool { return conv != c || !slices.Contains(dead, q) }
	var participants, asked, told int
	for i := range n {
		p := protocols.ID(i)
		if counts(p) && ranks[p].Compare(ranks[best]) < 0 {
			told++
		}
		if slices.Contains(dead, p) || ranks[p].Compare(ranks[lowest]) < 0 {
			continue
		}
		participants++
		for j := range n {
			q := protocols.ID(j)
			if counts(q) && ranks[q].Compare(ranks[p]) > 0 {
				asked++
			}
		}
		if conv == b && slices.Contains(detectors, p) && slices.Contains(dead, top) {
			asked--
		}
	}
	return []int{asked, participants * (participants - 1) / 2, told}
}

// turnaround is the time until the last process knows, in message times, one
// detector and p the processing time.
func turnaround(n int, conv bully.Convention, dead []protocols.ID, d, best protocols.ID, p int) int {
	topDead := slices.Contains(dead, protocols.ID(n-1))
	knowsAtOnce := conv == c || int(best) == n-1
	switch {
	case d == best && (knowsAtOnce || conv == b && topDead && int(best) == n-2):
		return 1
	case d == best:
		return 3 + p
	case knowsAtOnce:
		return 2 + p
	default:
		return 4 + 2*p
	}
}

// Coulouris et al., section 15.3, counted exactly: every dead set, every
// detector, every convention, by kind, and the time until the last one knows.
// With no process below the winner there is none to tell.
func TestOneDetectorEveryDeadSet(t *testing.T) {
	for n := 1; n <= 7; n++ {
		ranks := ascending(n)
		for dead := range electiontest.Subsets(n) {
			best := electiontest.Best(ranks, election.Max, dead)
			for _, d := range electiontest.All(n) {
				if slices.Contains(dead, d) {
					continue
				}
				for _, conv := range conventions {
					detectors := []protocols.ID{d}
					res := run(t, ranks, bully.Config{Convention: conv}, electiontest.Network{Start: detectors, Dead: dead})
					if want := want(ranks, conv, dead, detectors); !slices.Equal(res.Sent, want) {
						t.Fatalf("n=%d, convention %d, dead %v, %d detects: sent %v, want %v", n, conv, dead, d, res.Sent, want)
					}
					if conv == c && res.ToDead > 0 {
						t.Fatalf("n=%d, dead %v, %d detects: %d messages to the dead", n, dead, d, res.ToDead)
					}
					electiontest.WantLeader(t, res, ranks, dead, best)
					if alone := n-len(dead) == 1; alone {
						continue
					}
					if want := electiontest.Hops(turnaround(n, conv, dead, d, best, 0)); res.Learnt != want {
						t.Fatalf("n=%d, convention %d, dead %v, %d detects: known at %v, want %v", n, conv, dead, d, res.Learnt, want)
					}
				}
			}
		}
	}
}

// The placement does not matter: the graph is complete.
func TestEveryPlacement(t *testing.T) {
	for ranks := range electiontest.Placements(5) {
		for dead := range electiontest.Subsets(5) {
			for _, d := range electiontest.All(5) {
				if slices.Contains(dead, d) {
					continue
				}
				detectors := []protocols.ID{d}
				nw := electiontest.Network{Start: detectors, Dead: dead}
				for _, conv := range conventions {
					res := run(t, ranks, bully.Config{Convention: conv}, nw)
					if want := want(ranks, conv, dead, detectors); !slices.Equal(res.Sent, want) {
						t.Fatalf("%v, convention %d, dead %v, %d detects: sent %v, want %v", ranks, conv, dead, d, res.Sent, want)
					}
				}
				cfg := bully.Config{Order: election.Min}
				if res, want := run(t, electiontest.Mirror(ranks), cfg, nw), want(ranks, b, dead, detectors); !slices.Equal(res.Sent, want) {
					t.Fatalf("%v, min, dead %v, %d detects: sent %v, want %v", ranks, dead, d, res.Sent, want)
				}
			}
		}
	}
}

// The published counts, with only the coordinator dead: N-2 messages at best,
// the next lower process being the detector, O(N^2) at worst, of which
// N(N-1)/2 are ELECTION (A).
func TestOnlyTheCoordinatorDead(t *testing.T) {
	table := map[bully.Convention][]int{
		a: {55, 42, 31, 22, 15, 10, 7},
		b: {54, 41, 30, 21, 14, 9, 6},
		c: {48, 36, 26, 18, 12, 8, 6},
	}
	for n := 2; n <= 12; n++ {
		for _, conv := range conventions {
			var tally electiontest.Tally
			for d := 1; d < n; d++ {
				k := n - d
				res := run(t, ascending(n), bully.Config{Convention: conv}, electiontest.Network{
					Start: []protocols.ID{protocols.ID(d - 1)},
					Dead:  []protocols.ID{protocols.ID(n - 1)},
				})
				want := map[bully.Convention]int{a: k*k + n - 2, b: k*k + n - 3, c: k*(k-1) + n - 2}[conv]
				if res.Total != want || n == 8 && res.Total != table[conv][d-1] {
					t.Errorf("N=%d, convention %d, %d detects: %d messages, want %d", n, conv, d, res.Total, want)
				}
				if conv == a && d == 1 && res.Sent[bully.Election] != n*(n-1)/2 {
					t.Errorf("N=%d: %d ELECTION, want %d", n, res.Sent[bully.Election], n*(n-1)/2)
				}
				tally.Add(res.Total)
			}
			mean := big.NewRat(int64(n*(2*n-1)), 6)
			mean.Add(mean, big.NewRat(int64(n-2), 1))
			switch conv {
			case b:
				mean.Sub(mean, big.NewRat(1, 1))
			case c:
				mean = big.NewRat(int64((n-2)*(n+3)), 3)
			}
			if tally.Mean().Cmp(mean) != 0 {
				t.Errorf("N=%d, convention %d: mean %v, want %v", n, conv, tally.Mean(), mean)
			}
		}
	}
}

// If all notice at once, each holds the election that the lowest would
// have caused: the same counts (B: all skip), in 3 message times under A.
func TestAllDetectAtOnce(t *testing.T) {
	for n := 2; n <= 7; n++ {
		ranks := ascending(n)
		for dead := range electiontest.Subsets(n) {
			var alive []protocols.ID
			for _, id := range electiontest.All(n) {
				if !slices.Contains(dead, id) {
					alive = append(alive, id)
				}
			}
			if len(alive) < 2 {
				continue
			}
			for _, conv := range conventions {
				res := run(t, ranks, bully.Config{Convention: conv}, electiontest.Network{Start: alive, Dead: dead})
				if want := want(ranks, conv, dead, alive); !slices.Equal(res.Sent, want) {
					t.Fatalf("n=%d, convention %d, dead %v: sent %v, want %v", n, conv, dead, res.Sent, want)
				}
				best := electiontest.Best(ranks, election.Max, dead)
				electiontest.WantLeader(t, res, ranks, dead, best)
				if want := electiontest.Hops(turnaround(n, conv, dead, best, best, 0)); res.Learnt != want {
					t.Fatalf("n=%d, convention %d, dead %v: known at %v, want %v", n, conv, dead, res.Learnt, want)
				}
			}
		}
	}
}

// Several detectors below the winner cost what the lowest alone does (B: less
// what each skips).
func TestSeveralDetectors(t *testing.T) {
	const n = 6
	ranks := ascending(n)
	for dead := range electiontest.Subsets(n) {
		best := electiontest.Best(ranks, election.Max, dead)
		for detectors := range electiontest.Subsets(max(int(best), 0)) {
			if len(detectors) == 0 || slices.ContainsFunc(detectors, func(d protocols.ID) bool { return slices.Contains(dead, d) }) {
				continue
			}
			for _, conv := range conventions {
				res := run(t, ranks, bully.Config{Convention: conv}, electiontest.Network{Start: detectors, Dead: dead})
				if want := want(ranks, conv, dead, detectors); !slices.Equal(res.Sent, want) {
					t.Fatalf("convention %d, dead %v, %v detect: sent %v, want %v", conv, dead, detectors, res.Sent, want)
				}
				electiontest.WantLeader(t, res, ranks, dead, best)
			}
		}
	}
}

// T = 2 T_trans + T_proc: with a processing time p the run takes 4+2p, and the
// counts are the same. The literature's "approximately five message times"
// (election, answer, election, wait for the answer, coordinator) are exact if
// no process starts before its ANSWER has arrived.
func TestTimes(t *testing.T) {
	const n = 6
	ranks := ascending(n)
	for dead := range electiontest.Subsets(n) {
		best := electiontest.Best(ranks, election.Max, dead)
		for _, d := range electiontest.All(n) {
			if slices.Contains(dead, d) || n-len(dead) == 1 {
				continue
			}
			detectors := []protocols.ID{d}
			for _, conv := range conventions {
				for _, p := range []int{0, 1, 3, 10} {
					for _, later := range []bool{false, true} {
						cfg := bully.Config{Convention: conv, Processing: electiontest.Hops(p), StartAfterAnswer: later}
						res := run(t, ranks, cfg, electiontest.Network{Start: detectors, Dead: dead})
						time := turnaround(n, conv, dead, d, best, p)
						if later && d != best {
							time++
						}
						if res.Learnt != electiontest.Hops(time) {
							t.Fatalf("convention %d, dead %v, %d detects, p=%d, later %v: known at %v, want %d message times",
								conv, dead, d, p, later, res.Learnt, time)
						}
						if want := want(ranks, conv, dead, detectors); !slices.Equal(res.Sent, want) {
							t.Fatalf("convention %d, dead %v, %d detects, p=%d, later %v: sent %v, want %v",
								conv, dead, d, p, later, res.Sent, want)
						}
					}
				}
			}
		}
	}
}

// A process with the best rank that comes back announces itself at once
// (section 15.3: "even though the current coordinator is functioning"), and any
// other one holds an election, which the coordinator wins again.
func TestRecovery(t *testing.T) {
	const n = 6
	ranks := ascending(n)
	back := 100 * electiontest.Unit
	for _, conv := range conventions {
		nw := electiontest.Network{
			Dead:    []protocols.ID{n - 1},
			Recover: []electiontest.At{{ID: n - 1, Time: back}},
		}
		res := run(t, ranks, bully.Config{Convention: conv}, nw)
		if want := []int{0, 0, n - 1}; !slices.Equal(res.Sent, want) {
			t.Errorf("convention %d: sent %v, want %v", conv, res.Sent, want)
		}
		if res.Learnt != back+electiontest.Hops(1) {
			t.Errorf("convention %d: known at %v, want 1 message time after %v", conv, res.Learnt, back)
		}
		electiontest.WantLeader(t, res, ranks, nil, n-1)

		// The election of before is over, so the one that 2 holds now is a run
		// of its own: 2..5 take part.
		nw = electiontest.Network{
			Start:   []protocols.ID{0},
			Dead:    []protocols.ID{2},
			Recover: []electiontest.At{{ID: 2, Time: back}},
		}
		first := run(t, ranks, bully.Config{Convention: conv}, electiontest.Network{Start: nw.Start, Dead: nw.Dead})
		second := want(ranks, conv, nil, []protocols.ID{2})
		res = run(t, ranks, bully.Config{Convention: conv}, nw)
		for k := range res.Sent {
			if res.Sent[k] != first.Sent[k]+second[k] {
				t.Errorf("convention %d: %d messages of kind %d, want %d and %d", conv, res.Sent[k], k, first.Sent[k], second[k])
			}
		}
		electiontest.WantLeader(t, res, ranks, nil, n-1)
	}
}

// The would-be coordinator dies after it has answered: the others wait T' for
// it in vain, start anew, and the next best wins. N = 5, 5 is dead, 1 detects; 4
// answers 1 at time 1 and 2 and 3 at time 2, would announce at 3, and dies.
func TestWouldBeCoordinatorDies(t *testing.T) {
	ranks := ascending(5)
	for _, conv := range []bully.Convention{a, b} {
		elect := func(death time.Duration) electiontest.Result {
			res := run(t, ranks, bully.Config{Convention: conv}, electiontest.Network{
				Start: []protocols.ID{0},
				Dead:  []protocols.ID{4},
				Crash: []electiontest.At{{ID: 3, Time: death}},
			})
			electiontest.WantLeader(t, res, ranks, []protocols.ID{3, 4}, 2)
			return res
		}
		// 1 has its ANSWER at 2 and starts anew after T' = 4, at 6. 2 and 3 have
		// theirs at 3 and start anew at 7, not at 1's ELECTION, which arrives
		// just before. 3 hears nothing until 9, and its COORDINATOR takes 1.
		if res := elect(electiontest.Hops(2) + 1); res.Learnt != electiontest.Hops(7+2+1) {
			t.Errorf("convention %d: known at %v, want 10 message times", conv, res.Learnt)
		}
		// Dead before it could answer 3, it is not waited for.
		if res := elect(electiontest.Hops(2)); res.Learnt != electiontest.Hops(4) {
			t.Errorf("convention %d: known at %v, want 4 message times", conv, res.Learnt)
		}
	}
}

// A process in an election does not begin another when it detects again.
func TestDetectionDuringAnElection(t *testing.T) {
	for at := range 4 {
		nw := electiontest.Network{Start: []protocols.ID{0}, Dead: []protocols.ID{3}}
		once := run(t, ascending(4), bully.Config{}, nw)
		nw.Again = []electiontest.At{{ID: 0, Time: electiontest.Hops(at)}}
		if twice := run(t, ascending(4), bully.Config{}, nw); !slices.Equal(once.Sent, twice.Sent) {
			t.Errorf("detected again at %d: sent %v, want %v", at, twice.Sent, once.Sent)
		}
	}
}

// timers is a node that keeps the waits it is asked for.
type timers struct {
	protocols.Node[bully.Message]
	waits []time.Duration
}

func (*timers) Degree() int                                       { return 2 }
func (*timers) Neighbor(port int) protocols.ID                    { return protocols.ID(port + 1) }
func (*timers) Send(protocols.ID, bully.Message)                  {}
func (n *timers) SetTimer(_ protocols.Timer, after time.Duration) { n.waits = append(n.waits, after) }

// T' runs from the first ANSWER, however many follow.
func TestWaitsFromTheFirstAnswer(t *testing.T) {
	ranks := ascending(3)
	var n timers
	p := bully.New(0, ranks, bully.Config{Transmission: 10, Processing: 1, Restart: 100})
	p.Start(&n)
	p.Receive(&n, 1, bully.Message{Type: bully.Answer, Rank: ranks[1]})
	p.Receive(&n, 2, bully.Message{Type: bully.Answer, Rank: ranks[2]})
	if want := []time.Duration{21, 100}; !slices.Equal(n.waits, want) {
		t.Errorf("waits %v, want %v", n.waits, want)
	}
}

// A longer T' is allowed and only delays the second attempt.
func TestRestart(t *testing.T) {
	res := run(t, ascending(3), bully.Config{Restart: electiontest.Hops(20)}, electiontest.Network{
		Start: []protocols.ID{0},
		Dead:  []protocols.ID{2},
		Crash: []electiontest.At{{ID: 1, Time: electiontest.Hops(2)}},
	})
	// ANSWER at 2, T' over at 22, no answer until 24; no process is left to be told.
	if want := electiontest.Hops(24); res.Learnt != want {
		t.Errorf("known at %v, want %v", res.Learnt, want)
	}
}

// If messages take longer than the bound promises, safety fails: 1 takes 2 for
// dead, and both hold themselves for the coordinator for a while.
func TestBrokenBoundMakesTwoCoordinators(t *testing.T) {
	slow := electiontest.Network{
		Start: []protocols.ID{0},
		Dead:  []protocols.ID{2},
		Delay: des.Constant(3 * electiontest.Unit),
	}
	if res := run(t, ascending(3), bully.Config{}, slow); res.Leaders != 2 {
		t.Errorf("%d coordinators at once, want 2", res.Leaders)
	}
	timely := electiontest.Network{Start: slow.Start, Dead: slow.Dead}
	if res := run(t, ascending(3), bully.Config{}, timely); res.Leaders != 1 {
		t.Errorf("%d coordinators at once, want 1", res.Leaders)
	}
}

// COORDINATOR and ANSWER come from above, ELECTION comes from below: all ranks
// are known, so anything else is a bug and not a fault.
func TestWrongSidePanics(t *testing.T) {
	ranks := ascending(3)
	cfg := bully.Config{Transmission: 1}
	for typ, from := range map[protocols.Type]protocols.ID{bully.Election: 2, bully.Answer: 0, bully.Coordinator: 0} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%v from process %d is accepted by process 1", typ, from)
				}
			}()
			bully.New(1, ranks, cfg).Receive(nil, from, bully.Message{Type: typ, Rank: ranks[from]})
		}()
	}
}

// Five processes, 5 has died and 2 notices; later 5 is back.
func TestTrace(t *testing.T) {
	var trace bytes.Buffer
	run(t, ascending(5), bully.Config{}, electiontest.Network{
		Start:   []protocols.ID{1},
		Dead:    []protocols.ID{4},
		Recover: []electiontest.At{{ID: 4, Time: electiontest.Hops(20)}},
		Trace:   &trace,
	})
	golden.Check(t, "coordinator-dies-and-returns.txt", trace.Bytes())
}

func TestMessageSizes(t *testing.T) {
	m := bully.Message{Type: bully.Coordinator, Rank: election.Rank{ID: 5}}
	if m.Bits() != 8+64 || m.String() != "COORDINATOR(5)" {
		t.Errorf("%v has %d bits", m, m.Bits())
	}
}

func TestValidate(t *testing.T) {
	for name, cfg := range map[string]bully.Config{
		"no Transmission":     {},
		"negative Processing": {Transmission: 1, Processing: -1},
		"Restart below 2T":    {Transmission: 1, Restart: 3},
		"unknown convention":  {Transmission: 1, Convention: 3},
	} {
		if cfg.Validate() == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	if err := (bully.Config{Transmission: 1, Restart: 4}).Validate(); err != nil {
		t.Error(err)
	}
}

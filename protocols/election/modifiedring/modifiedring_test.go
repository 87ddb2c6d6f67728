package modifiedring_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"bullring/des"
	"bullring/internal/golden"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/internal/electiontest"
	"bullring/protocols/election/modifiedring"
)

// run elects among ranks, listed in the direction of travel. The timeout is as
// short as the model allows, unless the test says otherwise.
func run(t *testing.T, ranks []election.Rank, cfg modifiedring.Config, nw electiontest.Network) electiontest.Result {
	t.Helper()
	if cfg.Timeout == 0 {
		cfg.Timeout = electiontest.Unit
	}
	nw.Topology = netem.Complete(len(ranks))
	return electiontest.Run(t, nw, func(id protocols.ID) election.Process[modifiedring.Message] {
		return modifiedring.New(ranks[id], cfg)
	})
}

// variants are the four of which the counts without a crash on the way speak.
var variants = []modifiedring.Config{{}, {Memory: true}, {Watchdog: true}, {Memory: true, Watchdog: true}}

func without(all, some []protocols.ID) []protocols.ID {
	return slices.DeleteFunc(slices.Clone(all), func(id protocols.ID) bool { return slices.Contains(some, id) })
}

// Once round for the list, once for the outcome: n members, D of them dead from
// the start, one initiator. Every dead one costs one poll a round, or one poll in
// all if the members remember. The watchdog costs nothing, even if every message
// is as slow as it may be.
func TestOneInitiatorEveryDeadSet(t *testing.T) {
	for n := 1; n <= 6; n++ {
		ranks := electiontest.Ranks([]int{3, 6, 1, 4, 2, 5}[:n]...)
		for dead := range electiontest.Subsets(n) {
			for _, initiator := range without(electiontest.All(n), dead) {
				for _, cfg := range variants {
					for _, timeout := range []int{1, 5} {
						cfg.Timeout = electiontest.Hops(timeout)
						oneInitiator(t, ranks, dead, initiator, timeout, cfg)
					}
				}
			}
		}
	}
}

func oneInitiator(t *testing.T, ranks []election.Rank, dead []protocols.ID, initiator protocols.ID, timeout int, cfg modifiedring.Config) {
	t.Helper()
	n, d := len(ranks), len(dead)
	sent, time := 2*n, 2*(n-d)+2*d*timeout
	if cfg.Memory {
		sent, time = 2*(n-d)+d, 2*(n-d)+d*timeout
	}
	res := run(t, ranks, cfg, electiontest.Network{Start: []protocols.ID{initiator}, Dead: dead})
	if res.Delivered != 2*(n-d) || res.Total != sent || res.ToDead != sent-2*(n-d) {
		t.Fatalf("n=%d, dead %v, %d initiates, %+v: sent %d, delivered %d, to dead %d; want sent %d, delivered %d",
			n, dead, initiator, cfg, res.Total, res.Delivered, res.ToDead, sent, 2*(n-d))
	}
	if res.Quiet != electiontest.Hops(time) || res.Learnt != res.Quiet {
		t.Fatalf("n=%d, dead %v, %d initiates, %+v: quiet at %v, the last decision at %v, want %d hops",
			n, dead, initiator, cfg, res.Quiet, res.Learnt, time)
	}
	electiontest.WantLeader(t, res, ranks, dead, electiontest.Best(ranks, election.Max, dead))
}

// Nothing is suppressed, so k initiators cost k times as much; with memory, at
// most.
func TestKInitiatorsCostKTimes(t *testing.T) {
	const n = 5
	ranks := electiontest.Ranks(3, 1, 4, 5, 2)
	for dead := range electiontest.Subsets(n) {
		d := len(dead)
		for initiators := range electiontest.Subsets(n) {
			k := len(initiators)
			if k == 0 || len(without(initiators, dead)) < k {
				continue
			}
			nw := electiontest.Network{Start: initiators, Dead: dead}
			for _, cfg := range variants {
				res := run(t, ranks, cfg, nw)
				if res.Delivered != 2*k*(n-d) {
					t.Fatalf("dead %v, %v initiate, %+v: delivered %d, want %d", dead, initiators, cfg, res.Delivered, 2*k*(n-d))
				}
				lo, hi := 2*k*n, 2*k*n
				if cfg.Memory {
					lo, hi = 2*k*(n-d)+d, k*(2*(n-d)+d)
				}
				if res.Total < lo || res.Total > hi {
					t.Fatalf("dead %v, %v initiate, %+v: sent %d, want between %d and %d", dead, initiators, cfg, res.Total, lo, hi)
				}
				electiontest.WantLeader(t, res, ranks, dead, electiontest.Best(ranks, election.Max, dead))
			}
		}
	}
}

// Electing the smallest is electing the largest of the complements.
func TestMinMirrorsMax(t *testing.T) {
	for ranks := range electiontest.Placements(5) {
		nw := electiontest.Network{Start: []protocols.ID{2}, Dead: []protocols.ID{4}}
		a := run(t, ranks, modifiedring.Config{}, nw)
		b := run(t, electiontest.Mirror(ranks), modifiedring.Config{Order: election.Min}, nw)
		if !slices.Equal(a.Sent, b.Sent) || a.Quiet != b.Quiet {
			t.Fatalf("%v: max %+v, min %+v", ranks, a, b)
		}
		electiontest.WantLeader(t, b, electiontest.Mirror(ranks), nw.Dead, 0)
	}
}

// Attributes are compared before identities, whatever the address of the best.
func TestAttributesFirst(t *testing.T) {
	ranks := []election.Rank{{Attr: 2, ID: 3}, {Attr: 0.5, ID: 9}, {Attr: 2, ID: 1}, {Attr: 1, ID: 8}}
	for _, initiator := range electiontest.All(4) {
		res := run(t, ranks, modifiedring.Config{}, electiontest.Network{Start: []protocols.ID{initiator}})
		electiontest.WantLeader(t, res, ranks, nil, 0)
	}
}

// Without faults no schedule changes what is sent.
func TestAnyScheduleSendsTheSame(t *testing.T) {
	const n = 5
	ranks := electiontest.Ranks(3, 1, 4, 5, 2)
	for nw := range electiontest.RandomDelays() {
		for initiators := range electiontest.Subsets(n) {
			k := len(initiators)
			if k == 0 {
				continue
			}
			nw.Start = initiators
			res := run(t, ranks, modifiedring.Config{Watchdog: true, Timeout: electiontest.Hops(20)}, nw)
			if want := []int{k * n, k * n}; !slices.Equal(res.Sent, want) {
				t.Fatalf("%v initiate, %v: sent %v, want %v", initiators, nw.Delay, res.Sent, want)
			}
			electiontest.WantLeader(t, res, ranks, nil, 3)
		}
	}
}

// "If the coordinator is not in the list, the election is repeated": the winner
// dies after ELECTION has passed it and before COORDINATOR reaches it. Four
// circulations, the last three of which meet it dead, or one of them, if its
// predecessor remembers.
func TestWinnerDiesBeforeItHears(t *testing.T) {
	for n := 2; n <= 6; n++ {
		for winner := 1; winner < n; winner++ {
			ids := []int{1, 2, 3, 4, 5, 6}[:n]
			ids[winner], ids[n-1] = ids[n-1], ids[winner]
			ranks := electiontest.Ranks(ids...)
			dead := []protocols.ID{protocols.ID(winner)}
			for k := 2*winner + 1; k <= 2*(n+winner); k++ {
				for _, cfg := range variants {
					sent, toDead := []int{2 * n, 2 * n}, 3
					if cfg.Memory {
						sent, toDead = []int{2*n - 1, 2*n - 1}, 1
					}
					res := run(t, ranks, cfg, electiontest.Network{
						Start: []protocols.ID{0},
						Crash: []electiontest.At{{ID: dead[0], Time: halves(k)}},
					})
					if !slices.Equal(res.Sent, sent) || res.ToDead != toDead || res.Delivered != 4*n-3 {
						t.Fatalf("n=%d, %d dies at %v, %+v: sent %v, %d of them to the dead, delivered %d; want %v, %d, %d",
							n, winner, halves(k), cfg, res.Sent, res.ToDead, res.Delivered, sent, toDead, 4*n-3)
					}
					electiontest.WantLeader(t, res, ranks, dead, electiontest.Best(ranks, election.Max, dead))
				}
			}
		}
	}
}

// The initiator dies before ELECTION is home: ELECTION passes its first receiver a
// second time, which drops it, and no process decides. With the watchdog, the
// successor holds an election of its own.
func TestInitiatorDiesBeforeTheList(t *testing.T) {
	for n := 2; n <= 6; n++ {
		ranks := electiontest.Ranks([]int{3, 6, 1, 4, 2, 5}[:n]...)
		dead := []protocols.ID{0}
		for k := 1; k <= 2*n; k++ {
			for _, cfg := range variants {
				res := run(t, ranks, cfg, electiontest.Network{
					Start: []protocols.ID{0},
					Crash: []electiontest.At{{ID: 0, Time: halves(k)}},
				})
				sent := []int{n + 1, 0}
				switch {
				case cfg.Watchdog && cfg.Memory:
					sent = []int{n + 1 + n - 1, n - 1}
				case cfg.Watchdog:
					sent = []int{n + 1 + n, n}
				}
				if !slices.Equal(res.Sent, sent) {
					t.Fatalf("n=%d, the initiator dies at %v, %+v: sent %v, want %v", n, halves(k), cfg, res.Sent, sent)
				}
				if cfg.Watchdog {
					electiontest.WantLeader(t, res, ranks, dead, electiontest.Best(ranks, election.Max, dead))
				} else if i := slices.IndexFunc(res.Decisions, func(d election.Decision) bool { return d.Status != election.Undecided }); i >= 0 {
					t.Fatalf("n=%d, the initiator dies at %v: %d has decided", n, halves(k), i)
				}
			}
		}
	}
}

// The initiator dies before COORDINATOR is home: all have decided. If it was the
// winner itself, the watchdog of its successor finds it dead.
func TestInitiatorDiesBeforeItsOutcomeIsHome(t *testing.T) {
	for n := 2; n <= 6; n++ {
		for _, wins := range []bool{false, true} {
			ranks := electiontest.Ranks([]int{3, 6, 1, 4, 2, 5}[:n]...)
			if wins {
				ranks[0].ID = 7
			}
			for k := 2*n + 1; k <= 4*n; k++ {
				for _, cfg := range variants {
					res := run(t, ranks, cfg, electiontest.Network{
						Start: []protocols.ID{0},
						Crash: []electiontest.At{{ID: 0, Time: halves(k)}},
					})
					sent, dead := 2*n+1, []protocols.ID(nil)
					if wins && cfg.Watchdog {
						sent, dead = 4*n+1, []protocols.ID{0}
						if cfg.Memory {
							sent -= 2
						}
					}
					if res.Total != sent {
						t.Fatalf("n=%d, the initiator dies at %v, %+v: sent %d, want %d", n, halves(k), cfg, res.Total, sent)
					}
					leader := electiontest.Best(ranks, election.Max, dead)
					res.Decisions[0] = election.Decide(ranks[0].ID, ranks[leader].ID) // which it did not live to make
					electiontest.WantLeader(t, res, ranks, nil, leader)
				}
			}
		}
	}
}

// One crash, at any instant, makes a run with one initiator 4n+2 messages long at
// most, and sometimes so long: the winner dies when it is known to all, while
// polls of it from both rounds are open.
func TestOneCrashCosts(t *testing.T) {
	l := &lab{t: t}
	for n := 2; n <= 5; n++ {
		longest := uint64(0)
		for _, ranks := range rotations(n) {
			for x := range protocols.ID(n) {
				for _, timeout := range []int{1, 3, 2 * n} {
					cfg := modifiedring.Config{Timeout: electiontest.Hops(timeout), Watchdog: true}
					for k := range 4 * n * (1 + timeout) {
						c := l.run(scenario{ranks: ranks, cfg: cfg, fifo: true, start: starts([]protocols.ID{0}),
							crash: []electiontest.At{{ID: x, Time: halves(k)}}})
						longest = max(longest, c.Messages())
					}
				}
			}
		}
		if want := uint64(4*n + 2); longest != want {
			t.Errorf("n=%d: the longest run has %d messages, want %d", n, longest, want)
		}
	}
	r := rand.New(rand.NewPCG(1, 1))
	for seed := range uint64(2000) {
		n := 2 + r.IntN(6)
		c := l.run(scenario{
			ranks: electiontest.Ranks(r.Perm(n)...), start: starts([]protocols.ID{0}), seed: seed,
			delay: des.Uniform(0, electiontest.Hops(2)),
			cfg:   modifiedring.Config{Timeout: electiontest.Hops(2), Watchdog: true},
			crash: []electiontest.At{{ID: protocols.ID(r.IntN(n)), Time: halves(r.IntN(12 * n))}},
		})
		if c.Messages() > uint64(4*n+2) {
			t.Errorf("%v: %d messages, want %d at most", l.s, c.Messages(), 4*n+2)
		}
	}
}

// A process that comes back and initiates is taken for dead no longer, and its
// messages are new to those who have seen its old ones.
func TestRestartedInitiator(t *testing.T) {
	ranks := electiontest.Ranks(3, 1, 4, 5, 2)
	for _, cfg := range variants {
		res := run(t, ranks, cfg, electiontest.Network{
			Start:   []protocols.ID{3},
			Crash:   []electiontest.At{{ID: 3, Time: time.Second}},
			Again:   []electiontest.At{{ID: 1, Time: 2 * time.Second}, {ID: 3, Time: 4 * time.Second}},
			Recover: []electiontest.At{{ID: 3, Time: 3 * time.Second}},
		})
		electiontest.WantLeader(t, res, ranks, nil, 3)
		second := 2 * 5
		if cfg.Memory {
			second--
		}
		if want := 2*5 + second + 2*5; res.Total != want {
			t.Errorf("%+v: sent %d, want %d", cfg, res.Total, want)
		}
	}
}

// A process that is started again while its election is under way goes on with
// the new one alone.
func TestStartedAgain(t *testing.T) {
	ranks := electiontest.Ranks(3, 1, 4, 5, 2)
	res := run(t, ranks, modifiedring.Config{Watchdog: true}, electiontest.Network{
		Start: []protocols.ID{0},
		Again: []electiontest.At{{ID: 0, Time: electiontest.Hops(3)}},
	})
	electiontest.WantLeader(t, res, ranks, nil, 3)
	if want := []int{5 + 5, 5}; !slices.Equal(res.Sent, want) {
		t.Errorf("sent %v, want %v", res.Sent, want)
	}
}

// Five members of which the best dies before it hears that it has won, and the
// initiator after that: the successor of the initiator settles it.
func TestTrace(t *testing.T) {
	var trace bytes.Buffer
	res := run(t, electiontest.Ranks(3, 1, 4, 5, 2), modifiedring.Config{Watchdog: true}, electiontest.Network{
		Start: []protocols.ID{0},
		Crash: []electiontest.At{{ID: 3, Time: electiontest.Hops(6)}, {ID: 0, Time: electiontest.Hops(8)}},
		Trace: &trace,
	})
	electiontest.WantLeader(t, res, electiontest.Ranks(3, 1, 4, 5, 2), []protocols.ID{0, 3}, 2)
	golden.Check(t, "winner-and-initiator-die.txt", trace.Bytes())
}

func TestMessages(t *testing.T) {
	member := func(id int64) modifiedring.Member {
		return modifiedring.Member{Address: protocols.ID(id), Rank: election.Rank{ID: election.Identity(id)}}
	}
	m := modifiedring.Message{Initiator: 3, Round: 2, List: []modifiedring.Member{member(3), member(5)}}
	if m.Bits() != 8+64+64+2*128 || m.String() != "ELECTION(3,5)@3.2" {
		t.Errorf("%v has %d bits", m, m.Bits())
	}
	m.Type, m.Winner = modifiedring.Coordinator, member(5)
	if m.Bits() != 8+64+64+3*128 || m.String() != "COORDINATOR(5; 3,5)@3.2" {
		t.Errorf("%v has %d bits", m, m.Bits())
	}
	forged := m.Forge(func(identity int64) int64 { return identity + 10 })
	if got := fmt.Sprint(forged, m); got != "COORDINATOR(15; 13,15)@3.2 COORDINATOR(5; 3,5)@3.2" {
		t.Errorf("forged and original: %s", got)
	}
	if forged.Winner.Address != 5 || forged.List[1].Address != 5 {
		t.Errorf("addresses were forged: %+v", forged)
	}
}

func TestValidate(t *testing.T) {
	if err := (modifiedring.Config{}).Validate(); err == nil {
		t.Error("a zero Timeout is accepted")
	}
}

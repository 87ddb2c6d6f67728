package ringlist_test

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"bullring/internal/golden"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/internal/electiontest"
	"bullring/protocols/election/ringlist"
)

// timeout is the wait of the tests, in message times.
const timeout = 5

// run elects among ranks, listed in the direction of travel.
func run(t *testing.T, ranks []election.Rank, cfg ringlist.Config, nw electiontest.Network) electiontest.Result {
	t.Helper()
	if cfg.Timeout == 0 {
		cfg.Timeout = electiontest.Hops(timeout)
	}
	nw.Topology = netem.Complete(len(ranks))
	return electiontest.Run(t, nw, func(id protocols.ID) election.Process[ringlist.Message] {
		return ringlist.New(ranks[id], cfg)
	})
}

func without(all, some []protocols.ID) []protocols.ID {
	return slices.DeleteFunc(slices.Clone(all), func(id protocols.ID) bool { return slices.Contains(some, id) })
}

// Tanenbaum and van Steen, section 6.5.1: the message is passed to the next
// living member; once round for the list, once for the outcome. n members, D of
// them dead from the start, one initiator: every dead one costs one poll a round,
// or one poll in all if the members remember.
func TestOneInitiatorEveryDeadSet(t *testing.T) {
	for n := 1; n <= 6; n++ {
		ranks := electiontest.Ranks([]int{3, 6, 1, 4, 2, 5}[:n]...)
		for dead := range electiontest.Subsets(n) {
			d := len(dead)
			for _, initiator := range without(electiontest.All(n), dead) {
				nw := electiontest.Network{Start: []protocols.ID{initiator}, Dead: dead}
				for _, memory := range []bool{false, true} {
					res := run(t, ranks, ringlist.Config{Memory: memory}, nw)
					sent, time := 2*n, 2*(n-d)+2*d*timeout
					if memory {
						sent, time = 2*(n-d)+d, 2*(n-d)+d*timeout
					}
					if res.Delivered != 2*(n-d) || res.Total != sent || res.ToDead != sent-2*(n-d) {
						t.Fatalf("n=%d, dead %v, %d initiates, memory %v: sent %d, delivered %d, to dead %d; want sent %d, delivered %d",
							n, dead, initiator, memory, res.Total, res.Delivered, res.ToDead, sent, 2*(n-d))
					}
					if res.Quiet != electiontest.Hops(time) {
						t.Fatalf("n=%d, dead %v, %d initiates, memory %v: quiet at %v, want %d hops",
							n, dead, initiator, memory, res.Quiet, time)
					}
					electiontest.WantLeader(t, res, ranks, dead, electiontest.Best(ranks, election.Max, dead))
				}
			}
		}
	}
}

// "Two or more may start at once": both messages go all the way round, no harm
// done. Nothing is suppressed, so k initiators cost k times as much; with
// memory, at most.
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
			for _, memory := range []bool{false, true} {
				res := run(t, ranks, ringlist.Config{Memory: memory}, nw)
				if res.Delivered != 2*k*(n-d) {
					t.Fatalf("dead %v, %v initiate: delivered %d, want %d", dead, initiators, res.Delivered, 2*k*(n-d))
				}
				if !memory && res.Total != 2*k*n {
					t.Fatalf("dead %v, %v initiate: sent %d, want %d", dead, initiators, res.Total, 2*k*n)
				}
				if lo, hi := 2*k*(n-d)+d, k*(2*(n-d)+d); memory && (res.Total < lo || res.Total > hi) {
					t.Fatalf("dead %v, %v initiate, memory: sent %d, want between %d and %d", dead, initiators, res.Total, lo, hi)
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
		a := run(t, ranks, ringlist.Config{}, nw)
		b := run(t, electiontest.Mirror(ranks), ringlist.Config{Order: election.Min}, nw)
		if !slices.Equal(a.Sent, b.Sent) || a.Quiet != b.Quiet {
			t.Fatalf("%v: max %+v, min %+v", ranks, a, b)
		}
		electiontest.WantLeader(t, b, electiontest.Mirror(ranks), nw.Dead, 0)
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
			res := run(t, ranks, ringlist.Config{}, nw)
			if want := []int{k * n, k * n}; !slices.Equal(res.Sent, want) {
				t.Fatalf("%v initiate, %v: sent %v, want %v", initiators, nw.Delay, res.Sent, want)
			}
			electiontest.WantLeader(t, res, ranks, nil, 3)
		}
	}
}

// A process that dies with the message on its way to it is passed over like
// one that was dead before.
func TestDeathOnTheWay(t *testing.T) {
	ranks := electiontest.Ranks(3, 1, 4, 5, 2)
	res := run(t, ranks, ringlist.Config{}, electiontest.Network{
		Start: []protocols.ID{0},
		Crash: []electiontest.At{{ID: 3, Time: electiontest.Hops(2) + 1}},
	})
	electiontest.WantLeader(t, res, ranks, []protocols.ID{3}, 2)
	if res.Total != 10 || res.Delivered != 8 {
		t.Errorf("sent %d, delivered %d, want 10 and 8", res.Total, res.Delivered)
	}
}

// A message whose initiator has died ends where the initiator was: the ring
// falls silent, whatever the moment, and no process lets it pass twice.
func TestDeadInitiatorEndsItsRound(t *testing.T) {
	ranks := electiontest.Ranks(3, 1, 4, 5, 2)
	for _, memory := range []bool{false, true} {
		for at := range 20 {
			res := run(t, ranks, ringlist.Config{Memory: memory}, electiontest.Network{
				Start: []protocols.ID{0},
				Crash: []electiontest.At{{ID: 0, Time: electiontest.Hops(at) / 2}},
			})
			if res.Sent[ringlist.Election] > 6 || res.Sent[ringlist.Coordinator] > 6 {
				t.Errorf("initiator dies at %d/2: sent %v", at, res.Sent)
			}
		}
	}
}

// What is remembered as dead is not polled, and least of all to bring it its own
// message. 0 dies at 6 with its COORDINATOR on the way; 4, which initiates at 5,
// finds that out at 7, and drops the COORDINATOR that reaches it at 9.
func TestRememberedInitiatorIsNotPolled(t *testing.T) {
	ranks := electiontest.Ranks(3, 1, 4, 5, 2)
	res := run(t, ranks, ringlist.Config{Memory: true, Timeout: electiontest.Hops(2)}, electiontest.Network{
		Start: []protocols.ID{0},
		Again: []electiontest.At{{ID: 4, Time: electiontest.Hops(5)}},
		Crash: []electiontest.At{{ID: 0, Time: electiontest.Hops(6)}},
	})
	if want := []int{5 + 1 + 4, 4 + 4}; !slices.Equal(res.Sent, want) || res.ToDead != 1 {
		t.Errorf("sent %v, %d of them to the dead, want %v and 1", res.Sent, res.ToDead, want)
	}
	electiontest.WantLeader(t, res, ranks, []protocols.ID{0}, 3)
}

// Who initiates is alive: a process found dead that comes back and begins an
// election gets its messages back from those that remember it as dead.
func TestMemoryForgetsARecoveredInitiator(t *testing.T) {
	ranks := electiontest.Ranks(3, 1, 4, 5, 2)
	res := run(t, ranks, ringlist.Config{Memory: true}, electiontest.Network{
		Start:   []protocols.ID{0},
		Dead:    []protocols.ID{3},
		Recover: []electiontest.At{{ID: 3, Time: time.Second}},
		Again:   []electiontest.At{{ID: 3, Time: 2 * time.Second}},
	})
	electiontest.WantLeader(t, res, ranks, nil, 3)
	if want := 2*4 + 1 + 2*5; res.Total != want {
		t.Errorf("sent %d, want %d", res.Total, want)
	}
}

// recorder is a node of a complete graph of five whose detector suspects
// all; it keeps what is sent.
type recorder struct {
	protocols.Node[ringlist.Message]
	sent []ringlist.Message
}

func (*recorder) ID() protocols.ID                          { return 0 }
func (*recorder) Degree() int                               { return 4 }
func (*recorder) Neighbor(port int) protocols.ID            { return protocols.ID(port + 1) }
func (r *recorder) Send(_ protocols.ID, m ringlist.Message) { r.sent = append(r.sent, m) }
func (*recorder) SetTimer(protocols.Timer, time.Duration)   {}
func (*recorder) Suspects(protocols.ID) bool                { return true }

// The same list may reach two processes, if the first was suspected wrongly.
// What one appends, the other must not see.
func TestListsAreNotShared(t *testing.T) {
	cfg := ringlist.Config{Timeout: time.Second}
	var first, second recorder
	m := ringlist.Message{
		Type:      ringlist.Election,
		Initiator: 4,
		List:      make([]election.Rank, 1, 8), // room to append in place
	}
	ringlist.New(election.Rank{ID: 7}, cfg).Receive(&first, 4, m)
	ringlist.New(election.Rank{ID: 9}, cfg).Receive(&second, 4, m)
	if a, b := first.sent[0].String(), second.sent[0].String(); a != "ELECTION(0,7)@4" || b != "ELECTION(0,9)@4" {
		t.Errorf("sent %s and %s", a, b)
	}
}

// Five members of which the best is dead: it is polled once a round.
func TestTrace(t *testing.T) {
	var trace bytes.Buffer
	run(t, electiontest.Ranks(3, 1, 4, 5, 2), ringlist.Config{}, electiontest.Network{
		Start: []protocols.ID{0},
		Dead:  []protocols.ID{3},
		Trace: &trace,
	})
	golden.Check(t, "one-dead.txt", trace.Bytes())
}

func TestMessageSizes(t *testing.T) {
	m := ringlist.Message{Type: ringlist.Election, Initiator: 2, List: electiontest.Ranks(3, 5)}
	if m.Bits() != 8+64+2*64 || m.String() != "ELECTION(3,5)@2" {
		t.Errorf("%v has %d bits", m, m.Bits())
	}
	m = ringlist.Message{Type: ringlist.Coordinator, Initiator: 2, Winner: election.Rank{ID: 5}}
	if m.Bits() != 8+64+64 || m.String() != "COORDINATOR(5)@2" {
		t.Errorf("%v has %d bits", m, m.Bits())
	}
}

func TestValidate(t *testing.T) {
	if err := (ringlist.Config{}).Validate(); err == nil {
		t.Error("a zero Timeout is accepted")
	}
}

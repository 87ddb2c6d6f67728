package lelann_test

import (
	"bytes"
	"slices"
	"testing"

	"bullring/internal/golden"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/internal/electiontest"
	"bullring/protocols/election/lelann"
)

// run elects among ranks, listed in the direction of travel.
func run(t *testing.T, ranks []election.Rank, cfg lelann.Config, nw electiontest.Network) electiontest.Result {
	t.Helper()
	nw.Topology = netem.Ring(len(ranks))
	return electiontest.Run(t, nw, func(id protocols.ID) election.Process[lelann.Message] {
		return lelann.New(ranks[id], cfg)
	})
}

// wantInitiators fails the test unless the initiators follow the best of them and
// no other process has decided.
func wantInitiators(t *testing.T, res electiontest.Result, ranks []election.Rank, order election.Order, initiators []protocols.ID) {
	t.Helper()
	var others []protocols.ID
	for id, d := range res.Decisions {
		if p := protocols.ID(id); !slices.Contains(initiators, p) {
			others = append(others, p)
			if d != (election.Decision{}) {
				t.Fatalf("%v, %v initiate: process %d decided %+v", ranks, initiators, p, d)
			}
		}
	}
	electiontest.WantLeader(t, res, ranks, others, electiontest.Best(ranks, order, others))
}

// Tel, section 7.2: each of the k initiators' tokens goes round the ring in n steps,
// kn in all and n^2 if all initiate, in time n.
func TestEveryTokenGoesRound(t *testing.T) {
	for n := 1; n <= 6; n++ {
		for ranks := range electiontest.Placements(n) {
			for set := range electiontest.Subsets(n) {
				if len(set) == 0 {
					continue
				}
				res := run(t, ranks, lelann.Config{}, electiontest.Network{Start: set})
				if res.Total != len(set)*n || res.Delivered != res.Total {
					t.Fatalf("%v, %v initiate: sent %d, delivered %d, want %d", ranks, set, res.Total, res.Delivered, len(set)*n)
				}
				if res.Quiet != electiontest.Hops(n) || res.Learnt != res.Quiet {
					t.Fatalf("%v, %v initiate: quiet at %v, all known at %v, want %d hops", ranks, set, res.Quiet, res.Learnt, n)
				}
				wantInitiators(t, res, ranks, election.Max, set)
			}
		}
	}
}

// Links are FIFO, so no schedule changes what is sent or decided.
func TestAnyScheduleSendsTheSame(t *testing.T) {
	const n = 5
	for ranks := range electiontest.Placements(n) {
		for set := range electiontest.Subsets(n) {
			if len(set) == 0 {
				continue
			}
			for nw := range electiontest.RandomDelays() {
				nw.Start = set
				res := run(t, ranks, lelann.Config{}, nw)
				if res.Total != len(set)*n {
					t.Fatalf("%v, %v initiate, %v: sent %d, want %d", ranks, set, nw.Delay, res.Total, len(set)*n)
				}
				wantInitiators(t, res, ranks, election.Max, set)
			}
		}
	}
}

// A process that a token reaches before it starts is no initiator, and an initiator
// begins once.
func TestStartedTooLate(t *testing.T) {
	ranks := electiontest.Ranks(3, 5, 4, 1)
	res := run(t, ranks, lelann.Config{}, electiontest.Network{
		Start: []protocols.ID{0, 3},
		Again: []electiontest.At{{ID: 1, Time: electiontest.Hops(2)}, {ID: 0, Time: electiontest.Hops(1)}, {ID: 3, Time: electiontest.Hops(9)}},
	})
	if res.Total != 8 {
		t.Errorf("%d messages, want 8", res.Total)
	}
	wantInitiators(t, res, ranks, election.Max, []protocols.ID{0, 3})
}

// Electing the smallest, as Tel does, is electing the largest of the complements.
func TestMinMirrorsMax(t *testing.T) {
	const n = 5
	for ranks := range electiontest.Placements(n) {
		for set := range electiontest.Subsets(n) {
			if len(set) == 0 {
				continue
			}
			res := run(t, electiontest.Mirror(ranks), lelann.Config{Order: election.Min}, electiontest.Network{Start: set})
			wantInitiators(t, res, electiontest.Mirror(ranks), election.Min, set)
		}
	}
}

// The attribute is compared first, the identity only on ties.
func TestAttributeWinsBeforeIdentity(t *testing.T) {
	ranks := []election.Rank{{Attr: 2, ID: 1}, {Attr: 1, ID: 9}, {Attr: 2, ID: 0}, {Attr: 1, ID: 7}}
	res := run(t, ranks, lelann.Config{}, electiontest.Network{Start: electiontest.All(4)})
	electiontest.WantLeader(t, res, ranks, nil, 0)
}

func TestHandlersDoNotAllocate(t *testing.T) {
	var node protocols.Node[lelann.Message] = electiontest.Sink[lelann.Message]{}
	fresh, p := *lelann.New(election.Rank{ID: 5}, lelann.Config{}), new(lelann.Process)
	allocs := testing.AllocsPerRun(100, func() {
		*p = fresh
		p.Start(node)
		for id := range election.Identity(10) {
			p.Receive(node, 0, lelann.Message{Type: lelann.Token, Rank: election.Rank{ID: id}})
		}
	})
	if allocs != 0 {
		t.Errorf("%v allocations, want none", allocs)
	}
}

func TestWhatCannotHappenPanics(t *testing.T) {
	p := lelann.New(election.Rank{ID: 5}, lelann.Config{})
	node := electiontest.Sink[lelann.Message]{}
	electiontest.WantPanic(t, "unknown type 1", func() { p.Receive(node, 0, lelann.Message{Type: 1}) })
	electiontest.WantPanic(t, "timer 3 expired", func() { p.Timeout(node, 3) })
}

// A ring of four on which all but 4 initiate: 3 leads, and 4 knows nothing.
func TestTrace(t *testing.T) {
	var trace bytes.Buffer
	run(t, electiontest.Ranks(3, 1, 4, 2), lelann.Config{}, electiontest.Network{
		Start: []protocols.ID{0, 1, 3},
		Trace: &trace,
	})
	golden.Check(t, "three-initiators.txt", trace.Bytes())
}

func TestMessageSizes(t *testing.T) {
	plain := lelann.Message{Type: lelann.Token, Rank: election.Rank{ID: 5}}
	if plain.Bits() != 8+64 || plain.String() != "TOKEN(5)" {
		t.Errorf("%v has %d bits", plain, plain.Bits())
	}
	attr := lelann.Message{Type: lelann.Token, Rank: election.Rank{Attr: 0.5, ID: 5}}
	if attr.Bits() != 8+128 || attr.String() != "TOKEN(0.5:5)" {
		t.Errorf("%v has %d bits", attr, attr.Bits())
	}
}

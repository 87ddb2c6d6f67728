package hirschbergsinclair_test

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"slices"
	"testing"
	"time"

	"bullring/internal/golden"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/election"
	hs "bullring/protocols/election/hirschbergsinclair"
	"bullring/protocols/election/internal/electiontest"
)

// run elects among ranks, by address.
func run(t *testing.T, ranks []election.Rank, cfg hs.Config, nw electiontest.Network) electiontest.Result {
	t.Helper()
	nw.Topology = netem.BiRing(len(ranks))
	return electiontest.Run(t, nw, func(id protocols.ID) election.Process[hs.Message] {
		return hs.New(ranks[id], cfg)
	})
}

// all is the network in which every process starts.
func all(ranks []election.Rank) electiontest.Network {
	return electiontest.Network{Start: electiontest.All(len(ranks))}
}

// toBetter is how far a process is from the next better one, going by steps of +1 or
// -1; n for the best.
func toBetter(ranks []election.Rank, p, step int) int {
	n := len(ranks)
	for d := 1; d < n; d++ {
		if ranks[((p+step*d)%n+n)%n].Compare(ranks[p]) > 0 {
			return d
		}
	}
	return n
}

// sent is what Lynch's form sends: an OUT gets as far as the next better process, an
// IN makes the same way back, and both sides have to answer.
func sent(ranks []election.Rank) (out, in int) {
	for p := range ranks {
		a, b := toBetter(ranks, p, 1), toBetter(ranks, p, -1)
		for reach := 1; ; reach *= 2 {
			out += min(reach, a) + min(reach, b)
			for _, d := range [...]int{a, b} {
				if d > reach {
					in += reach
				}
			}
			if min(a, b) <= reach {
				break
			}
		}
	}
	return out, in
}

// last is the reach of the last phase.
func last(n int) int { return 1 << bits.Len(uint(n-1)) }

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

// mean is the mean of all OUT and IN over the placements of n: a sum over the phases
// and hops of the probability that so many processes round a candidate are worse.
func mean(n int) *big.Rat {
	sum := new(big.Rat)
	add := func(times, known int) { sum.Add(sum, big.NewRat(int64(2*n*times), int64(known))) }
	for reach, b := 1, 0; ; reach, b = 2*reach, reach {
		known := min(n, 2*b+1)
		for h := 1; h <= min(reach, n); h++ {
			add(1, max(known, min(n, b+h)))
		}
		if reach >= n {
			return sum
		}
		add(reach, max(known, min(n, b+reach+1)))
	}
}

// Lynch 1996, section 3.4: at most 8n(1 + ceil(lg n)) messages. The exact counts over
// all placements, the best case and the mean, to the hundredth, as enumeration has
// them.
func TestLynchCountsOverAllPlacements(t *testing.T) {
	for n, want := range map[int]struct {
		lo   int
		mean string
		hi   int
	}{
		1: {2, "2.00", 2}, 2: {10, "10.00", 10}, 3: {23, "23.00", 23}, 4: {28, "29.33", 32}, 5: {49, "52.67", 55},
		6: {54, "61.20", 68}, 7: {59, "70.07", 78}, 8: {64, "80.08", 89},
	} {
		var tally electiontest.Tally
		for ranks := range electiontest.Placements(n) {
			res := run(t, ranks, hs.Config{}, all(ranks))
			out, in := sent(ranks)
			if want := []int{out, in, 0, 0}; !slices.Equal(res.Sent, want) || res.Delivered != res.Total {
				t.Fatalf("%v: sent %v, delivered %d, want %v", ranks, res.Sent, res.Delivered, want)
			}
			if want := electiontest.Hops(n + 2*(last(n)-1)); res.Quiet != want || res.Learnt != want {
				t.Fatalf("%v: quiet at %v, known at %v, want %v", ranks, res.Quiet, res.Learnt, want)
			}
			wantOnly(t, res, ranks, 0)
			tally.Add(res.Total)
		}
		if tally.Min() != want.lo || tally.Max() != want.hi || tally.Mean().FloatString(2) != want.mean {
			t.Errorf("n=%d: %d/%v/%d, want %d/%s/%d", n, tally.Min(), tally.Mean().FloatString(2), tally.Max(), want.lo, want.mean, want.hi)
		}
		if tally.Mean().Cmp(mean(n)) != 0 {
			t.Errorf("n=%d: mean %v, want %v", n, tally.Mean(), mean(n))
		}
		if bound := 8 * n * (1 + bits.Len(uint(n-1))); tally.Max() > bound {
			t.Errorf("n=%d: %d messages, want %d at most", n, tally.Max(), bound)
		}
	}
}

// The best case, where only the best gets into phase 1, is that of ranks that improve
// round the ring. The time is 3n-2 if n is a power of two, and less than 5n always.
func TestBestPlacementAndTime(t *testing.T) {
	for n := 2; n <= 70; n++ {
		up := make([]int, n)
		for i := range up {
			up[i] = i + 1
		}
		ranks := electiontest.Ranks(up...)
		res := run(t, ranks, hs.Config{}, all(ranks))
		if want := 5*n + 4*last(n) - 8; res.Total != want {
			t.Errorf("n=%d: %d messages, want %d", n, res.Total, want)
		}
		if power := last(n) == n; power && res.Quiet != electiontest.Hops(3*n-2) || res.Quiet >= electiontest.Hops(5*n) {
			t.Errorf("n=%d: quiet at %v", n, res.Quiet)
		}
	}
}

// The last phase is the leader's: 2n OUT and nothing else.
func TestLastPhaseIsTheLeaders(t *testing.T) {
	for n := 2; n <= 6; n++ {
		for ranks := range electiontest.Placements(n) {
			var trace bytes.Buffer
			nw := all(ranks)
			nw.Trace = &trace
			run(t, ranks, hs.Config{}, nw)
			begins := fmt.Sprintf("sends OUT+(%d, %d hops)", n, last(n))
			_, phase, found := bytes.Cut(trace.Bytes(), []byte(begins))
			// The rest of the line sends the first one the other way.
			if outs := 1 + bytes.Count(phase, []byte("sends OUT")) + 1; !found || outs != 2*n || bytes.Contains(phase, []byte("sends IN")) {
				t.Fatalf("%v: %d OUT in the last phase, want %d:\n%s", ranks, outs, 2*n, phase)
			}
		}
	}
}

// The bound of the 1980 paper as Franklin quotes it, 8N + 8 ceil(N lg N), holds for its
// program under any schedule, and the NO answers make phase 0 cost 4n: the count lies
// between that of the best case and the bound, and the leader is the same.
func TestOriginal(t *testing.T) {
	spread := 0
	for n := 2; n <= 5; n++ {
		lo, hi := 6*n+4*last(n)-8, 8*n+8*int(math.Ceil(float64(n)*math.Log2(float64(n))))
		for ranks := range electiontest.Placements(n) {
			counts := map[int]bool{}
			for set := range electiontest.Subsets(n) {
				if len(set) == 0 {
					continue
				}
				for nw := range electiontest.RandomDelays() {
					nw.Start = set
					res := run(t, ranks, hs.Config{Original: true}, nw)
					if res.Total < lo || res.Total > hi {
						t.Fatalf("%v, %v initiate: %d messages, want from %d to %d", ranks, set, res.Total, lo, hi)
					}
					wantOnly(t, res, ranks, 0)
					counts[res.Total] = true
				}
			}
			spread = max(spread, len(counts))
		}
	}
	if spread < 2 {
		t.Error("the number of messages does not depend on the schedule")
	}
}

// A candidate of the original that has met a better one does not enter the next phase,
// though both its answers say that it has won so far.
func TestOriginalLostCandidateStops(t *testing.T) {
	var log sends
	p := hs.New(election.Rank{ID: 5}, hs.Config{Original: true})
	p.Start(&log)
	p.Receive(&log, 1, hs.Message{Type: hs.Out, Way: election.With, Hops: 2, Rank: election.Rank{ID: 8}})
	for _, way := range []election.Way{election.With, election.Against} {
		p.Receive(&log, 1, hs.Message{Type: hs.In, Way: way, Rank: election.Rank{ID: 5}})
	}
	if want := "[OUT+(5, 1 hops) OUT-(5, 1 hops) OUT+(8, 1 hops)]"; fmt.Sprint(log.all) != want {
		t.Errorf("sent %v, want %s", log.all, want)
	}
}

// sends is a node that keeps what is sent.
type sends struct {
	electiontest.Sink[hs.Message]
	all []hs.Message
}

func (s *sends) Send(_ protocols.ID, m hs.Message) { s.all = append(s.all, m) }

// The announcement goes round once, and the leader absorbs it.
func TestAnnouncementCostsNMore(t *testing.T) {
	for n := 1; n <= 6; n++ {
		for ranks := range electiontest.Placements(n) {
			silent := run(t, ranks, hs.Config{}, all(ranks))
			res := run(t, ranks, hs.Config{Announce: true}, all(ranks))
			if res.Total != silent.Total+n || res.Sent[hs.Announce] != n || res.Quiet != silent.Quiet+electiontest.Hops(n) {
				t.Fatalf("%v: sent %v until %v, without %v until %v", ranks, res.Sent, res.Quiet, silent.Sent, silent.Quiet)
			}
			electiontest.WantLeader(t, res, ranks, nil, 0)
		}
	}
}

// What becomes of an OUT depends on identities only: in Lynch's form neither schedule
// nor initiators change what is sent.
func TestAnyScheduleAndInitiatorsSendTheSame(t *testing.T) {
	const n = 5
	for ranks := range electiontest.Placements(n) {
		out, in := sent(ranks)
		for set := range electiontest.Subsets(n) {
			if len(set) == 0 {
				continue
			}
			for nw := range electiontest.RandomDelays() {
				nw.Start = set
				got := run(t, ranks, hs.Config{Announce: true}, nw)
				if want := []int{out, in, 0, n}; !slices.Equal(got.Sent, want) {
					t.Fatalf("%v, %v initiate, %v: sent %v, want %v", ranks, set, nw.Delay, got.Sent, want)
				}
				electiontest.WantLeader(t, got, ranks, nil, 0)
			}
		}
	}
}

// A process that is awake begins nothing, during the election or after it.
func TestStartedTwice(t *testing.T) {
	ranks := electiontest.Ranks(3, 1, 4, 5, 2)
	res := run(t, ranks, hs.Config{}, electiontest.Network{
		Start: []protocols.ID{0},
		Again: []electiontest.At{{ID: 0, Time: electiontest.Unit}, {ID: 3, Time: electiontest.Hops(4)}, {ID: 3, Time: time.Second}},
	})
	if out, in := sent(ranks); res.Total != out+in {
		t.Errorf("sent %v, want %d OUT and %d IN", res.Sent, out, in)
	}
}

// Electing the smallest is electing the largest of the complements.
func TestMinMirrorsMax(t *testing.T) {
	const n = 5
	for ranks := range electiontest.Placements(n) {
		for _, original := range []bool{false, true} {
			a := run(t, ranks, hs.Config{Original: original}, all(ranks))
			b := run(t, electiontest.Mirror(ranks), hs.Config{Original: original, Order: election.Min}, all(ranks))
			if !slices.Equal(a.Sent, b.Sent) || a.Learnt != b.Learnt || b.Decisions[0].Status != election.Leader {
				t.Fatalf("%v: max %+v, min %+v", ranks, a, b)
			}
		}
	}
}

// The attribute is compared first, the identity only on ties.
func TestAttributeWinsBeforeIdentity(t *testing.T) {
	ranks := []election.Rank{{Attr: 2, ID: 1}, {Attr: 1, ID: 9}, {Attr: 2, ID: 0}, {Attr: 1, ID: 7}}
	wantOnly(t, run(t, ranks, hs.Config{}, all(ranks)), ranks, 0)
}

func TestHandlersDoNotAllocate(t *testing.T) {
	var node protocols.Node[hs.Message] = electiontest.Sink[hs.Message]{}
	fresh, p := *hs.New(election.Rank{ID: 5}, hs.Config{Original: true, Announce: true}), new(hs.Process)
	allocs := testing.AllocsPerRun(100, func() {
		*p = fresh
		p.Start(node)
		for id := range election.Identity(10) {
			for kind := hs.Out; kind <= hs.Announce; kind++ {
				p.Receive(node, 0, hs.Message{Type: kind, Hops: 2, Rank: election.Rank{ID: id}})
			}
		}
	})
	if allocs != 0 {
		t.Errorf("%v allocations, want none", allocs)
	}
}

func TestWhatCannotHappenPanics(t *testing.T) {
	p := hs.New(election.Rank{ID: 5}, hs.Config{})
	node := electiontest.Sink[hs.Message]{}
	electiontest.WantPanic(t, "unknown type 4", func() { p.Receive(node, 0, hs.Message{Type: 4}) })
	electiontest.WantPanic(t, "no leader is to be announced", func() { p.Receive(node, 0, hs.Message{Type: hs.Announce}) })
	electiontest.WantPanic(t, "timer 3 expired", func() { p.Timeout(node, 3) })
}

// A ring of three, in which 3 goes through the phases of 1, 2 and 4 hops.
func TestTrace(t *testing.T) {
	var trace bytes.Buffer
	ranks := electiontest.Ranks(1, 3, 2)
	nw := all(ranks)
	nw.Trace = &trace
	run(t, ranks, hs.Config{}, nw)
	golden.Check(t, "ring3.txt", trace.Bytes())
}

// The same ring with the program of 1980.
func TestTraceOfTheOriginal(t *testing.T) {
	var trace bytes.Buffer
	ranks := electiontest.Ranks(1, 3, 2)
	nw := all(ranks)
	nw.Trace = &trace
	run(t, ranks, hs.Config{Original: true}, nw)
	golden.Check(t, "ring3-original.txt", trace.Bytes())
}

func TestMessageSizes(t *testing.T) {
	for m, want := range map[hs.Message]struct {
		text string
		bits int
	}{
		{Type: hs.Out, Way: election.With, Hops: 4, Rank: election.Rank{ID: 5}}:        {"OUT+(5, 4 hops)", 8 + 64 + 64},
		{Type: hs.In, Way: election.Against, Rank: election.Rank{Attr: 0.5, ID: 5}}:    {"IN-(0.5:5)", 8 + 128},
		{Type: hs.No, Way: election.With, Rank: election.Rank{ID: 5}}:                  {"NO+(5)", 8 + 64},
		{Type: hs.Announce, Way: election.With, Rank: election.Rank{Attr: 1e3, ID: 7}}: {"ANNOUNCE(1000:7)", 8 + 128},
	} {
		if m.String() != want.text || m.Bits() != want.bits {
			t.Errorf("%v has %d bits, want %s with %d", m, m.Bits(), want.text, want.bits)
		}
	}
}

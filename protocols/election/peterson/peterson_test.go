package peterson_test

import (
	"bytes"
	"math/big"
	"math/bits"
	"slices"
	"testing"
	"time"

	"bullring/internal/golden"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/internal/electiontest"
	"bullring/protocols/election/peterson"
)

// run elects among ranks, listed in the direction of travel.
func run(t *testing.T, ranks []election.Rank, cfg peterson.Config, nw electiontest.Network) electiontest.Result {
	t.Helper()
	nw.Topology = netem.Ring(len(ranks))
	return electiontest.Run(t, nw, func(id protocols.ID) election.Process[peterson.Message] {
		return peterson.New(ranks[id], cfg)
	})
}

// all is the network in which every process starts.
func all(ranks []election.Rank) electiontest.Network {
	return electiontest.Network{Start: electiontest.All(len(ranks))}
}

// franklin is the number of messages of Franklin's election (CACM 25(5), 1982),
// which goes both ways round the ring: 2n in each of P phases, and in all but the
// last the local maxima of the cyclic list go on.
func franklin(ranks []election.Rank) int {
	phases := 1
	for left := slices.Clone(ranks); len(left) > 1; phases++ {
		var maxima []election.Rank
		for i, r := range left {
			if k := len(left); r.Compare(left[(i+1)%k]) > 0 && r.Compare(left[(i+k-1)%k]) > 0 {
				maxima = append(maxima, r)
			}
		}
		left = maxima
	}
	return 2 * len(ranks) * phases
}

// sent is what a ring sends by kind if Franklin's election sends that much.
func sent(n, franklin int) []int {
	rounds := franklin/(2*n) - 1
	return []int{n*rounds + n, n * rounds, n}
}

// Dolev, Klawe and Rodeh 1982 bring Franklin's election to rings on which messages
// travel one way, with n messages less on every ring: what an active process learns
// of both its neighbours there, it learns of the two before it here. So 2nR + n, n
// of them in the round that finds the best, and the announcement is not among
// them; from 3n to 2n floor(lg n) + n, and on average what Franklin's sends less n.
func TestFranklinLessN(t *testing.T) {
	franklinMeans := map[int]string{3: "12", 4: "56/3", 5: "80/3", 6: "172/5", 7: "1862/45", 8: "15136/315"}
	for n := 1; n <= 8; n++ {
		var tally electiontest.Tally
		for ranks := range electiontest.Placements(n) {
			res := run(t, ranks, peterson.Config{}, all(ranks))
			if want := sent(n, franklin(ranks)); !slices.Equal(res.Sent, want) || res.Delivered != res.Total {
				t.Fatalf("%v: sent %v, delivered %d, want %v", ranks, res.Sent, res.Delivered, want)
			}
			electiontest.WantLeader(t, res, ranks, nil, 0)
			tally.Add(res.Sent[peterson.One] + res.Sent[peterson.Two])
		}
		lo, hi := 3*n, 2*n*(bits.Len(uint(n))-1)+n
		if n == 1 {
			lo = 1
		}
		if tally.Min() != lo || tally.Max() != hi {
			t.Errorf("n=%d: from %d to %d, want from %d to %d", n, tally.Min(), tally.Max(), lo, hi)
		}
		if text, known := franklinMeans[n]; known {
			want, _ := new(big.Rat).SetString(text)
			if want.Sub(want, big.NewRat(int64(n), 1)); tally.Mean().Cmp(want) != 0 {
				t.Errorf("n=%d: mean %v, want %v", n, tally.Mean(), want)
			}
		}
	}
}

// worst places the identities 1..n so that as many rounds as possible are needed.
// Of the first power of two that n holds a round leaves every second process: the
// bits of their addresses, turned round, are their order. The rest are smaller, and
// rise towards the first, so that no round keeps one of them.
func worst(n int) []election.Rank {
	width := bits.Len(uint(n)) - 1
	power := 1 << width
	ids := make([]int, n)
	for i := range ids {
		if i < power {
			ids[i] = n - int(bits.Reverse(uint(i))>>(bits.UintSize-width))
		} else {
			ids[i] = i - power + 1
		}
	}
	return electiontest.Ranks(ids...)
}

// Both bounds are attained for every n: ranks that improve in the direction of
// travel have one local maximum.
func TestBestAndWorstPlacement(t *testing.T) {
	for n := 2; n <= 70; n++ {
		up := make([]int, n)
		for i := range up {
			up[i] = i + 1
		}
		ranks := electiontest.Ranks(up...)
		if got := run(t, ranks, peterson.Config{}, all(ranks)).Total - n; got != 3*n {
			t.Errorf("n=%d, improving: %d messages before the announcement, want %d", n, got, 3*n)
		}
		ranks = worst(n)
		if got, want := run(t, ranks, peterson.Config{}, all(ranks)).Total-n, 2*n*(bits.Len(uint(n))-1)+n; got != want {
			t.Errorf("n=%d, worst: %d messages before the announcement, want %d", n, got, want)
		}
	}
}

// Lynch 1996, section 15.1.3: the time is O(n), although there are O(log n) rounds.
// A round begins at a process when word of the second active one before it has
// come; going back from the last round these ways are n at most, and less than n
// in all the rounds before it.
func TestTimeIsLinear(t *testing.T) {
	check := func(ranks []election.Rank) {
		t.Helper()
		n := len(ranks)
		res := run(t, ranks, peterson.Config{}, all(ranks))
		if res.Quiet < electiontest.Hops(2*n+2) || res.Quiet > electiontest.Hops(4*n-1) {
			t.Errorf("%v: quiet at %v, want from %d to %d hops", ranks, res.Quiet, 2*n+2, 4*n-1)
		}
		if want := res.Quiet - electiontest.Unit; res.Learnt != want {
			t.Errorf("%v: the last learns at %v, want %v", ranks, res.Learnt, want)
		}
	}
	for n := 2; n <= 7; n++ {
		for ranks := range electiontest.Placements(n) {
			check(ranks)
		}
	}
	for n := 8; n <= 70; n++ {
		check(worst(n))
	}
}

// A process that does not start is woken by the first message, and has sent its own rank when
// it reads that. So a ring of FIFO links is a Kahn network with any initiators: no
// schedule changes what is sent.
func TestAnyScheduleAndInitiatorsSendTheSame(t *testing.T) {
	const n = 5
	for ranks := range electiontest.Placements(n) {
		want := sent(n, franklin(ranks))
		for set := range electiontest.Subsets(n) {
			if len(set) == 0 {
				continue
			}
			for nw := range electiontest.RandomDelays() {
				nw.Start = set
				got := run(t, ranks, peterson.Config{}, nw)
				if !slices.Equal(got.Sent, want) {
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
	res := run(t, ranks, peterson.Config{}, electiontest.Network{
		Start: []protocols.ID{0},
		Again: []electiontest.At{{ID: 0, Time: electiontest.Unit}, {ID: 3, Time: electiontest.Hops(4)}, {ID: 3, Time: time.Second}},
	})
	if want := sent(5, franklin(ranks)); !slices.Equal(res.Sent, want) {
		t.Errorf("sent %v, want %v", res.Sent, want)
	}
	electiontest.WantLeader(t, res, ranks, nil, 3)
}

// Electing the smallest is electing the largest of the complements.
func TestMinMirrorsMax(t *testing.T) {
	const n = 6
	for ranks := range electiontest.Placements(n) {
		a := run(t, ranks, peterson.Config{}, all(ranks))
		b := run(t, electiontest.Mirror(ranks), peterson.Config{Order: election.Min}, all(ranks))
		if !slices.Equal(a.Sent, b.Sent) || a.Learnt != b.Learnt || b.Decisions[0].Status != election.Leader {
			t.Fatalf("%v: max %+v, min %+v", ranks, a, b)
		}
	}
}

// The attribute is compared first, the identity only on ties.
func TestAttributeWinsBeforeIdentity(t *testing.T) {
	ranks := []election.Rank{{Attr: 2, ID: 1}, {Attr: 1, ID: 9}, {Attr: 2, ID: 0}, {Attr: 1, ID: 7}}
	res := run(t, ranks, peterson.Config{}, all(ranks))
	electiontest.WantLeader(t, res, ranks, nil, 0)
}

// A crash cuts the streams of messages short, and so no process is misled: one that decides
// is right. None does if the crash comes before the last round.
func TestCrashMisleadsNobody(t *testing.T) {
	const n = 5
	for ranks := range electiontest.Placements(n) {
		quiet := int(run(t, ranks, peterson.Config{}, all(ranks)).Quiet / electiontest.Unit)
		for at := 1; at <= quiet; at++ {
			for _, dead := range electiontest.All(n) {
				nw := all(ranks)
				nw.Crash = []electiontest.At{{ID: dead, Time: electiontest.Hops(at)}}
				for id, d := range run(t, ranks, peterson.Config{}, nw).Decisions {
					lastRound := quiet - 2*n
					if d != (election.Decision{}) && (at <= lastRound || d != election.Decide(ranks[id].ID, ranks[0].ID)) {
						t.Fatalf("%v, %d dies at %d: process %d decided %+v", ranks, dead, at, id, d)
					}
				}
			}
		}
	}
}

// blackHole is a ring node that takes every message.
type blackHole struct {
	protocols.Node[peterson.Message]
}

func (blackHole) Neighbor(int) protocols.ID           { return 1 }
func (blackHole) Send(protocols.ID, peterson.Message) {}

func TestHandlersDoNotAllocate(t *testing.T) {
	var node protocols.Node[peterson.Message] = blackHole{}
	fresh, p := *peterson.New(election.Rank{ID: 5}, peterson.Config{}), new(peterson.Process)
	allocs := testing.AllocsPerRun(100, func() {
		*p = fresh
		p.Start(node)
		for _, ids := range [][2]election.Identity{{8, 3}, {2, 9}, {4, 1}} { // goes on, retires, passes on
			p.Receive(node, 0, peterson.Message{Type: peterson.One, Rank: election.Rank{ID: ids[0]}})
			p.Receive(node, 0, peterson.Message{Type: peterson.Two, Rank: election.Rank{ID: ids[1]}})
		}
		p.Receive(node, 0, peterson.Message{Type: peterson.Winner, Rank: election.Rank{ID: 9}})
	})
	if allocs != 0 {
		t.Errorf("%v allocations, want none", allocs)
	}
}

// A ring of five that takes two rounds and the last: process 2 holds identity 5,
// process 4 has it and leads.
func TestTrace(t *testing.T) {
	var trace bytes.Buffer
	ranks := electiontest.Ranks(3, 1, 4, 2, 5)
	nw := all(ranks)
	nw.Trace = &trace
	run(t, ranks, peterson.Config{}, nw)
	golden.Check(t, "ring5.txt", trace.Bytes())
}

func TestMessageSizes(t *testing.T) {
	for m, want := range map[peterson.Message]struct {
		text string
		bits int
	}{
		{Type: peterson.One, Rank: election.Rank{ID: 5}}:               {"ONE(5)", 8 + 64},
		{Type: peterson.Two, Rank: election.Rank{Attr: 0.5, ID: 5}}:    {"TWO(0.5:5)", 8 + 128},
		{Type: peterson.Winner, Rank: election.Rank{Attr: 1e3, ID: 7}}: {"WINNER(1000:7)", 8 + 128},
	} {
		if m.String() != want.text || m.Bits() != want.bits {
			t.Errorf("%v has %d bits, want %s with %d", m, m.Bits(), want.text, want.bits)
		}
	}
}

// mirrored is the number of ONE and TWO of the improved program as it is also stated: an
// odd round keeps who beats the one before, an even one who beats the next.
func mirrored(ranks []election.Rank) int {
	rounds := 1
	for left := slices.Clone(ranks); len(left) > 1; rounds++ {
		var kept []election.Rank
		for i, r := range left {
			k := len(left)
			rival := left[(i+k-1)%k]
			if rounds%2 == 0 {
				rival = left[(i+1)%k]
			}
			if r.Compare(rival) > 0 {
				kept = append(kept, r)
			}
		}
		left = kept
	}
	return len(ranks) * rounds
}

// A placement costs what its mirror image costs where the rounds alternate the other way
// round; so all together cost the same.
func TestImprovedIsMirrored(t *testing.T) {
	differ := 0
	for n := 1; n <= 6; n++ {
		for ranks := range electiontest.Placements(n) {
			got := run(t, ranks, peterson.Config{Program: peterson.Improved}, all(ranks))
			image := slices.Clone(ranks)
			slices.Reverse(image)
			if want := mirrored(image); got.Sent[0]+got.Sent[1] != want {
				t.Fatalf("%v: %v, and its mirror image costs %d the other way round", ranks, got.Sent, want)
			}
			if mirrored(ranks) != mirrored(image) {
				differ++
			}
		}
	}
	if differ == 0 {
		t.Error("the two statements cost the same on every ring")
	}
}
